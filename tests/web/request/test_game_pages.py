"""What the pages of a game get without asking: the page of the phase, the bar, and whether buttons work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from companion.model.snapshot import Snapshot, Status
from tests.sum_game.pages.pages import PAGES
from web.request.game_pages import Look, Scene


def around(look: Look, bar: Any) -> Mapping[str, Any]:
    """Return nothing that is shared."""
    return {}


@pytest.mark.parametrize(
    ("may_act", "status", "may_play"),
    [
        (True, Status.LIVE, True),
        (True, Status.FINISHED, True),
        (True, Status.PAUSED, False),
        (False, Status.LIVE, False),
    ],
)
def test_buttons_work_without_a_word_of_the_game(may_act, status, may_play):
    """Pages: a game whose `around` says nothing has its bar, and buttons that work while the viewer may act."""
    look = Look(Snapshot(status=status), may_act=may_act)

    assert replace(PAGES, around=around).context(look, Scene("a.html", bar="Ana")) == {
        "bar": "Ana",
        "may_play": may_play,
    }


def test_a_game_may_decide_when_buttons_work():
    """Pages: what `around` and the scene give replaces the usual values."""
    pages = replace(PAGES, around=lambda look, bar: {"may_play": True, "total": 1})

    assert pages.context(Look(Snapshot()), Scene("a.html", {"total": 2})) == {"bar": None, "may_play": True, "total": 2}


def test_a_state_without_a_phase_is_named():
    """Pages: a page for each phase needs a state with a phase, and the error says so."""
    with pytest.raises(NotImplementedError, match=r"table of pages at .. reads state\.phase"):
        PAGES.scene(Look(Snapshot(state=SimpleNamespace())), "")
