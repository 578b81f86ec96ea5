"""Sealed draws: the seal is published first, each draw is stored before it is seen, and the seed follows at the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games.draws import GAME
from companion.games.registry import GAMES
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.ports.ring import Judgement, RingEvent, RingEventKind, RingState, RingView
from companion.records.verify import verified
from companion.session.commands import AddWords, Undo
from tests.companion.app.processes import companion
from tests.companion.live_table import HOST, LiveTable

HEADER: Line = {
    "record": "table-record",
    "version": 1,
    "game": "draws",
    "players": [{"colour": "red", "name": "Ana"}],
    "contents": {"red": 3, "blue": 2, "green": 1},
}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    """An open draw table at which the companion draws."""
    made = LiveTable(tmp_path / "ledger.sqlite", GAME)
    made.table.open({**HEADER, "virtual": True}, HOST)
    yield made
    made.ledger.close()


def record(table: LiveTable) -> list[dict[str, Any]]:
    return [dict(line) for line in table.table.archive.record()]


def checked(table: LiveTable) -> Any:
    return verified(GAMES, enumerate(record(table), 1))


def test_the_seal_is_there_before_the_first_draw_and_the_seed_after_the_last(table: LiveTable) -> None:
    """The seal is in the record from the start, and the seed only after the game is over."""
    before = record(table)[0]["sealed"]
    table.do("draw").do("draw")
    assert "seed" not in record(table)[0]["sealed"]
    with pytest.raises(Malformed, match="still sealed"):
        checked(table)

    table.do("finish")
    after = record(table)[0]["sealed"]
    assert before["seal"] == after["seal"]
    assert len(after["seed"]) == 64
    assert (checked(table).lots, checked(table).wrong) == (2, ())


def test_words_of_players_change_what_comes_and_are_on_record(table: LiveTable) -> None:
    """Words can be added at any time, and affect all later draws."""
    table.do("draw")
    table.table.execute(AddWords(" seven  of nine "), HOST)
    table.do("draw").do("finish")

    assert checked(table).words == ("seven of nine",)
    assert [line["lots"][0]["words"] for line in record(table)[1:3]] == [0, 1]
    assert checked(table).wrong == ()
    with pytest.raises(Refused, match="doesn't draw"):
        table.table.execute(AddWords("too late"), HOST)


def test_an_undone_draw_stays_listed_and_the_next_is_another(table: LiveTable) -> None:
    """Undo: the counter never goes back, and undone draws stay in the record."""
    for _ in range(3):
        table.do("draw")
        table.table.execute(Undo("misread"), HOST)
    table.do("draw").do("finish")

    assert [lot["counter"] for line in record(table) for lot in line.get("lots", ())] == [0, 1, 2, 3]
    assert (checked(table).lots, checked(table).wrong) == (4, ())


def test_a_restart_goes_on_where_the_counter_was(table: LiveTable) -> None:
    """Ledger: after a restart, the draws continue with the same seed and counter."""
    table.do("draw").do("draw").restart().do("draw").do("finish")

    assert (checked(table).lots, checked(table).wrong) == (3, ())


def test_a_changed_draw_is_found(table: LiveTable) -> None:
    """Verify: a changed colour is found, whether in the line or in its draw."""
    table.do("draw").do("draw").do("finish")
    lines = record(table)
    other = next(colour for colour in ("red", "blue", "green") if colour != lines[1]["colour"])
    lines[1]["colour"] = other

    found = verified(GAMES, enumerate(lines, 1))
    assert 2 in [number for number, _ in found.wrong]
    lines[1]["lots"][0]["colour"] = other
    assert "The seed gives" in str(verified(GAMES, enumerate(lines, 1)).wrong[0][1])


def test_a_simulated_ring_is_told_what_to_let_out(table: LiveTable) -> None:
    """Ring: the draw is stored before a simulated ring gets it, and both must agree."""
    table.table.open(HEADER, HOST)
    assert table.table.lot() == ""
    table.table.ring_changed(RingView(RingState.LIVE, simulated=True, obeys=True))
    table.table.open(HEADER, HOST)

    for number in (1, 2):
        token, colour = table.token(), table.table.lot()
        seen = Judgement(colour, ((colour, 0.99),))
        table.table.heard(RingEvent("mock", "boot", number, 1, RingEventKind.OUT, token, ("raw",), seen))
    table.do("finish")
    assert (checked(table).lots, checked(table).wrong) == (2, ())


def test_a_game_of_a_real_ring_seals_nothing(table: LiveTable) -> None:
    """Seal: a table where cubes are drawn by hand has no seal."""
    table.table.open(HEADER, HOST)
    table.do("draw", colour="red").do("finish")

    assert "sealed" not in record(table)[0]
    with pytest.raises(Malformed, match="No seed"):
        checked(table)


def test_a_record_with_lots_is_taken_in_and_played(table: LiveTable, tmp_path: Path) -> None:
    """Record: a record with `sealed` and `lots` can be imported like any other."""
    table.do("draw").do("finish")
    lines = record(table)
    number = table.table.importer.import_record(lines, HOST).game

    assert [line["do"] for line in list(table.table.archive.record(number))[1:]] == ["draw", "finish"]


def test_the_command_says_whether_it_fits(table: LiveTable, tmp_path: Path) -> None:
    """`verify` exits with 0 if all draws match, with 1 if a draw was changed, and with 2 for a file without a seal."""
    table.do("draw").do("draw").do("finish")
    lines = record(table)
    files = {"honest": lines, "plain": [HEADER], "chosen": [*lines[:1], {**lines[1], "colour": "plaid"}, *lines[2:]]}
    other = next(colour for colour in ("red", "blue", "green") if colour != lines[1]["colour"])
    files["chosen"][1] = {**lines[1], "colour": other}
    for name, told in files.items():
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in told), encoding="utf-8")

    assert [companion("verify", tmp_path / name).returncode for name in ("honest", "chosen", "plain", "none")] == [
        *(0, 1, 2, 2),
    ]
    assert json.loads(companion("verify", tmp_path / "honest", "--json").stdout)["wrong"] == []
