"""The values that pages of a game get automatically: the page of the phase, the bar, and whether buttons work."""

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
    """Return no shared values."""
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
    """Pages: if a game's `around` returns nothing, its pages have a bar, and buttons if the viewer may act."""
    look = Look(Snapshot(status=status), may_act=may_act)

    assert replace(PAGES, around=around).context(look, Scene("a.html", bar="Ana")) == {
        "bar": "Ana",
        "band": None,
        "may_play": may_play,
    }


def test_a_game_may_decide_when_buttons_work():
    """Pages: values of `around` and of the scene replace the usual ones."""
    pages = replace(PAGES, around=lambda look, bar: {"may_play": True, "total": 1})

    assert pages.context(Look(Snapshot()), Scene("a.html", {"total": 2})) == {
        "bar": None,
        "band": None,
        "may_play": True,
        "total": 2,
    }


def test_a_state_without_a_phase_is_named():
    """A game with a page per phase needs a state with a phase, otherwise an error says so."""
    with pytest.raises(NotImplementedError, match=r"table of pages at .. reads state\.phase"):
        PAGES.scene(Look(Snapshot(state=SimpleNamespace())), "")
