"""The table: what it does with commands, and what it shows."""

from __future__ import annotations

import pytest

from companion.game import Malformed, Refused
from companion.sight import MovedOn, Status
from tests.ledger.conftest import HOST, Evening


def test_an_empty_table_shows_nothing(evening: Evening) -> None:
    """Table: without a game there is no status, and version 0."""
    assert evening.sight.status is Status.NONE
    assert evening.sight.version == 0


def test_a_command_changes_the_game_and_the_version(evening: Evening) -> None:
    """Table: a command that the rules allow is done, recorded and shown."""
    evening.open().do("score", player="red", points=3)

    assert evening.view["scores"] == {"red": 3, "blue": 0}
    assert evening.sight.recent[0].line == {"do": "score", "player": "red", "points": 3}


def test_undo_goes_back_one_line(evening: Evening) -> None:
    """Table: undo takes back the last line and leaves it in the history."""
    evening.open().do("score", player="red", points=3)

    evening.table.undo(HOST)

    assert evening.view["scores"] == {"red": 0, "blue": 0}
    assert [(told.line["do"], told.undone) for told in evening.table.history()] == [("score", True)]


def test_a_restart_resumes_the_same_game(evening: Evening) -> None:
    """Table: after a restart everything stands as it stood."""
    evening.open().do("score", player="red", points=3).dig()
    before = evening.sight

    evening.restart()

    assert evening.sight == before


def test_a_page_that_is_too_old_is_refused(evening: Evening) -> None:
    """Table: a command from a page that shows an older version is refused."""
    evening.open()
    old = evening.sight.version
    evening.do("skip", player="red")

    with pytest.raises(MovedOn):
        evening.table.do({"do": "skip", "player": "blue"}, HOST, old)


def test_refusals_change_nothing(evening: Evening) -> None:
    """Table: what the rules or the format refuse leaves no trace."""
    evening.open()
    before = evening.sight

    with pytest.raises(Refused):
        evening.do("skip", player="blue")
    with pytest.raises(Malformed):
        evening.do("dance")

    assert evening.sight == before
    assert evening.lines() == []


def test_a_ring_draw_is_a_line(evening: Evening) -> None:
    """Ring draws: a sure passage of the current arming is the draw."""
    evening.open().dig()

    evening.slide("blue")

    assert evening.view["bag"] == {"red": 3, "blue": 2, "green": 2}
    assert evening.lines()[-1]["via"] == "ring"


def test_the_same_ring_event_counts_once(evening: Evening) -> None:
    """Ring draws: an event that comes again is acknowledged again and changes nothing."""
    evening.open().dig()
    event = evening.slide("blue")

    evening.table.heard(event)

    assert evening.view["left"] == 1
