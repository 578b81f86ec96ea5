"""A copy of a game, with its board and calibrations, outlives the games that are played with it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.kernel.errors import Malformed
from companion.model.boxes import Copy
from companion.session.commands import Abandon, Switch
from tests.companion.ledger.test_storage import Card
from tests.companion.live_table import HOST, LiveTable
from tests.companion.toy import HEADER

OURS = Copy("ours", "toy", {"hills": 3}, {"red": "crimson", "blue": "sky"})
THEIRS = Copy("theirs", "toy", None, {"red": "red", "blue": "blue"})


def calibration(copy: str, made: str = "2026-11-20") -> dict[str, Any]:
    """Return a minimal calibration that the companion accepts."""
    return {"calibration": 1, "copy": copy, "made": made, "device": "ring-1", "passes": [{"frames": [[1, 2, 3, 4]]}]}


def test_a_copy_is_kept_with_its_board_and_its_colours(live_table: LiveTable) -> None:
    """Copies: name, board and words for the colours are stored, and read after a restart."""
    live_table.table.save_copy(OURS, HOST)

    assert live_table.table.archive.copies() == (OURS,)
    assert live_table.restart().table.archive.copies() == (OURS,)


def test_a_copy_kept_again_is_the_same_copy(live_table: LiveTable) -> None:
    """Copies: saving a copy under a known name replaces it, but the earlier rows remain in the ledger."""
    other = Copy("ours", "toy", {"hills": 4}, {"red": "rose", "blue": "sky"})
    live_table.table.save_copy(OURS, HOST)
    live_table.table.save_copy(other, HOST)

    assert live_table.restart().table.archive.copies() == (other,)
    assert len(live_table.rows("copy")) == 2


def test_the_copy_used_last_comes_first(live_table: LiveTable) -> None:
    """Copies: the copy that was saved or used last is listed first, even after a restart."""
    live_table.table.save_copy(OURS, HOST)
    live_table.table.save_copy(THEIRS, HOST)
    assert [each.name for each in live_table.table.archive.copies()] == ["theirs", "ours"]

    live_table.table.open(HEADER, HOST, "ours")

    assert [each.name for each in live_table.table.archive.copies()] == ["ours", "theirs"]
    assert [each.name for each in live_table.restart().table.archive.copies()] == ["ours", "theirs"]


def test_a_game_knows_the_copy_it_is_played_with(live_table: LiveTable) -> None:
    """Copies: while a game is live, its copy is the table's copy; the record does not contain it."""
    live_table.table.save_copy(OURS, HOST)
    live_table.table.save_copy(THEIRS, HOST)
    live_table.table.open(HEADER, HOST, "ours")
    first = live_table.snapshot.game_id
    assert live_table.snapshot.copy == "ours"

    live_table.table.open(HEADER, HOST, "theirs")
    assert live_table.restart().snapshot.copy == "theirs"
    assert first is not None
    live_table.table.execute(Switch(first), HOST)

    assert live_table.restart().snapshot.copy == "ours"
    assert next(live_table.table.archive.record()) == HEADER


def test_without_a_word_the_copy_used_last_is_at_hand(live_table: LiveTable) -> None:
    """Copies: a game without a copy, and a table without a game, use the copy saved, used or calibrated last."""
    assert live_table.snapshot.copy == ""
    live_table.table.save_calibration(calibration("attic"), HOST)
    assert live_table.snapshot.copy == "attic"
    live_table.table.save_copy(OURS, HOST)
    assert live_table.snapshot.copy == "ours"
    assert live_table.open().snapshot.copy == "ours"


def test_a_game_cannot_be_played_with_a_copy_that_nobody_kept(live_table: LiveTable) -> None:
    """Copies: a game with an unknown copy is refused."""
    with pytest.raises(Malformed, match="no copy called 'mine'"):
        live_table.table.open(HEADER, HOST, "mine")

    assert live_table.snapshot.game_id is None
    assert live_table.ledger.last == 0


def test_what_a_game_tells_of_its_copy_is_kept_when_it_is_over(live_table: LiveTable) -> None:
    """Copies: at the end of a game, the values it learnt are stored with the copy, except from undone lines."""
    live_table.table.save_copy(OURS, HOST)
    live_table.table.open({**HEADER, "goal": 12}, HOST, "ours")
    live_table.score(9).undo().score(6).score(1)
    assert live_table.table.archive.copies() == (OURS,)
    assert live_table.snapshot.box == OURS.board

    live_table.score(6)

    learnt = {"hills": 3, "best": 6}
    assert live_table.table.archive.copies() == (Copy("ours", "toy", learnt, OURS.colours),)
    assert live_table.restart().snapshot.box == learnt
    assert live_table.undo().score(7).restart().snapshot.box == {"hills": 3, "best": 7}


def test_what_a_game_tells_of_its_copy_is_kept_when_another_takes_its_place(live_table: LiveTable) -> None:
    """Copies: a game that is replaced or abandoned also stores its learnt values, unless it has no copy."""
    live_table.table.save_copy(OURS, HOST)
    live_table.table.open(HEADER, HOST, "ours")
    first = live_table.score(5).snapshot.game_id
    live_table.open()
    assert live_table.table.archive.copies()[0].board == {"hills": 3, "best": 5}

    live_table.score(8)
    assert first is not None
    live_table.table.execute(Switch(first), HOST)
    assert live_table.table.archive.copies()[0].board == {"hills": 3, "best": 5}

    live_table.score(7).table.execute(Abandon("late"), HOST)
    assert live_table.restart().table.archive.copies()[0].board == {"hills": 3, "best": 7}


def test_what_a_header_tells_of_its_copy_is_kept_at_once(live_table: LiveTable) -> None:
    """Copies: values in a game's header are stored with the copy when the game begins."""
    live_table.table.save_copy(OURS, HOST)

    live_table.table.open({**HEADER, "points": 5}, HOST, "ours")

    assert live_table.snapshot.box == {"hills": 3, "best": 5}
    assert [each.name for each in live_table.table.archive.copies()] == ["ours"]


@pytest.mark.parametrize(
    "wrong",
    [
        Copy("", "toy", None, OURS.colours),
        Copy("x" * 61, "toy", None, OURS.colours),
        Copy("two\nlines", "toy", None, OURS.colours),
        Copy("ours", "chess", None, OURS.colours),
        Copy("ours", "toy", None, {"red": "red"}),
        Copy("ours", "toy", None, {str(n): str(n) for n in range(13)}),
        Copy("ours", "toy", None, {"red": "same", "blue": "same"}),
        Copy("ours", "toy", None, {"red": "", "blue": "sky"}),
        Copy("ours", "toy", None, {"red": 3, "blue": "sky"}),  # type: ignore[dict-item]
        Copy("ours", "toy", 7, OURS.colours),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_a_copy_has_nothing_odd(live_table: LiveTable, wrong: Copy) -> None:
    """Copies: invalid names, colours, games or boards are refused, and nothing is stored."""
    with pytest.raises(Malformed):
        live_table.table.save_copy(wrong, HOST)

    assert live_table.ledger.last == 0


def test_a_calibration_is_kept_whole_for_its_copy(live_table: LiveTable) -> None:
    """Copies: a copy's calibrations are returned unchanged, oldest first, even after a restart."""
    made = [calibration("ours", "1"), calibration("theirs"), calibration("ours", "2")]
    for each in made:
        live_table.table.save_calibration(each, HOST)

    assert live_table.table.archive.calibrations("ours") == (made[0], made[2])
    assert live_table.restart().table.archive.calibrations("theirs") == (made[1],)
    assert [(row.word, row.game, row.body) for row in live_table.rows("calibration")] == [
        ("kept", None, each) for each in made
    ]


def test_the_sight_tells_when_something_is_kept(live_table: LiveTable) -> None:
    """Copies: subscribers are notified of a new copy or calibration, and the snapshot has its row number."""
    heard: list[tuple[str, int]] = []
    live_table.table.subscribe(lambda snapshot: heard.append((snapshot.copy, snapshot.stored)))

    live_table.table.save_copy(OURS, HOST)
    live_table.table.save_calibration(calibration("ours"), HOST)

    assert heard == [("ours", 1), ("ours", 2)]
    assert live_table.restart().snapshot.stored == 2


@pytest.mark.parametrize(
    "wrong",
    [{}, {"copy": ""}, {"copy": 3}, {"copy": "x" * 61}, {"copy": "ours", "white": float("nan")}, {"copy": "a", 3: {1}}],
    ids=repr,
)
def test_a_calibration_has_nothing_odd(live_table: LiveTable, wrong: dict[str, Any]) -> None:
    """Copies: a calibration that is not valid JSON, or has no valid copy name, is refused."""
    live_table.table.save_calibration(calibration("ours"), HOST)

    with pytest.raises(Malformed):
        live_table.table.save_calibration(wrong, HOST)

    assert live_table.table.archive.calibrations("ours") == (calibration("ours"),)
    assert live_table.ledger.last == 1


def test_a_calibration_in_memory_only_is_there_as_well(live_table: LiveTable) -> None:
    """Copies: with a failed card, a calibration is used from memory, and is stored once the card works again."""
    live_table.ledger.close()
    card = Card()
    live_table.connect = card
    live_table.restart()
    card.fail("read-only")

    live_table.table.save_calibration(calibration("ours"), HOST)
    assert live_table.table.archive.calibrations("ours") == (calibration("ours"),)
    card.mend()
    live_table.later(2)

    assert live_table.restart().table.archive.calibrations("ours") == (calibration("ours"),)
