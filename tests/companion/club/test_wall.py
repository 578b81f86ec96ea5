"""The wall of a club: when a tile asks for help, and which messages are accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.club.topics import BEAT, BIRTH, STATE
from companion.club.wall import APART_S, LONGEST, LONGEST_DELAY_S, Need, state_in
from tests.club.hall import Hall


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def needs(hall: Hall, table: int = 1) -> tuple[Need, ...]:
    return hall.wall.tiles()[table - 1].needs


def test_tiles_have_fixed_places(hall: Hall) -> None:
    """Wall: each table's tile has a fixed place, given by its number, even before the table's first message."""
    hall.say(3)
    hall.say(1)

    assert [tile.label for tile in hall.wall.tiles()] == ["01", "02", "03"]
    assert [tile.state is None for tile in hall.wall.tiles()] == [False, True, False]


@pytest.mark.parametrize(
    ("state", "need"),
    [
        ({}, ()),
        ({"asks": "unsure"}, (Need.ASKS,)),
        ({"kept": False}, (Need.STORAGE,)),
        ({"ring": "silent"}, (Need.RING,)),
        ({"ring": "silent", "status": "paused"}, ()),
    ],
)
def test_a_tile_asks_for_somebody(state: dict[str, object], need: tuple[Need, ...], hall: Hall) -> None:
    """Wall: a question, a storage fault or (unless the game is paused) a missing ring makes a tile ask for help."""
    hall.say(1, **state)

    assert needs(hall) == need


def test_spectators_see_a_table_later(hall: Hall) -> None:
    """Wall: with a delay, spectators see earlier states, while the club's staff see the current ones."""
    hall.decisions.delay(f"{1:016x}", 60)
    hall.say(1, points={"red": 1})
    early = hall.wall.tiles()[0].state
    hall.time += 30
    hall.say(1, points={"red": 2})
    hall.time += 30
    hall.say(1, points={"red": 3})
    first, own = hall.wall.tiles()[0], hall.wall.tiles(everything=True)[0]
    hall.time += 45
    second = hall.wall.tiles()[0]

    assert early is None
    assert [each.state.points["red"] for each in (first, own, second) if each.state] == [1, 3, 2]
    assert (first.turn_s, second.turn_s) == (0, 15)


def test_earlier_states_do_not_grow_without_end(hall: Hall) -> None:
    """Wall: earlier states are stored for a limited time, and not every second, however often a table sends."""
    for second in range(3600):
        hall.time += 1
        hall.say(1, points={"red": second})

    assert len(hall.wall._heard[f"{1:016x}"].past) <= 2 + LONGEST_DELAY_S // APART_S


def test_a_called_table_is_on_its_tile_only(hall: Hall) -> None:
    """Wall: a table's tile shows that the club is calling this table."""
    hall.say(1, called=True)

    assert needs(hall) == (Need.CALLED,)


def test_a_long_message_is_not_read(hall: Hall) -> None:
    """Bad input: a state that is too long is ignored, even if it is valid."""
    hall.say(1, step="x" * LONGEST)

    assert hall.wall.tiles()[0].state is None


def test_a_silent_table_and_one_that_is_gone(hall: Hall) -> None:
    """Wall: a table is silent after three missed beats and gone after its will; the next beat clears both."""
    hall.say(1)
    hall.time += 5.9
    quiet = needs(hall)
    hall.time += 0.2
    silent = needs(hall)
    hall.send(1, BIRTH, {"online": False})
    gone = needs(hall)
    hall.send(1, BEAT, {"row": 2})

    assert (quiet, silent, gone, needs(hall)) == ((), (Need.SILENT,), (Need.GONE,), ())


def test_a_turn_is_slow_by_the_tables_own_measure(hall: Hall) -> None:
    """Wall: after five turns, a turn of three times the median is slow; another game starts without a median."""
    for turn in range(6):
        hall.say(1, turn=["red", "blue"][turn % 2 :][:1], round=turn)
        hall.time += 10
    before = needs(hall)
    hall.time += 21
    hall.send(1, BEAT, {"row": 9})
    slow = needs(hall)
    hall.say(1, game="hanse")

    assert (before, slow, needs(hall)) == ((Need.SILENT,), (Need.SLOW,), ())


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"turn": "red"}',
        b'{"turn": [1]}',
        b'{"turn": ["\\u202e"]}',
        b'{"points": {"red": 1e999}}',
        b'{"points": {"red": 99999999999999999999}}',
        b'{"points": {"red": true}}',
        b'{"round": -1}',
        b'{"since_ms": "now"}',
        b'{"game": "' + b"x" * 41 + b'"}',
        b'{"status": ["live"]}',
    ],
)
def test_what_is_no_state_changes_nothing(payload: bytes, hall: Hall) -> None:
    """Bad input: an invalid state is ignored, and the wall shows the previous state."""
    hall.say(1, points={"red": 7})
    before = hall.wall.tiles()
    hall.send(1, STATE, payload)

    assert state_in(payload) is None
    assert hall.wall.tiles() == before
