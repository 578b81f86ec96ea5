"""Andromeda on the table: whole random games through the ledger, with pulled plugs, undo and the ring."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.games.andromeda import GAME
from companion.games.andromeda.random_policy import command, header
from companion.model.snapshot import Status
from companion.ports.ring import Kind
from companion.records import RECORD, VERSION
from tests.companion.live_table import HOST, Evening


def andromeda(path: Path, players: int, lots: Random) -> Evening:
    """An evening with a new game of Andromeda, some rulings chosen at random."""
    evening = Evening(path, GAME)
    own = header(players, lots, True)
    evening.table.open({"record": RECORD, "version": VERSION, "game": GAME.name, **own}, HOST)
    return evening


def play(evening: Evening, lots: Random, until: Callable[[], bool]) -> Evening:
    """Play at random, an undo now and then."""
    while not until():
        evening.time += 1
        if lots.random() < 0.03 and evening.sight.undoable is not None:
            evening.undo("knocked over" if evening.sight.undoable.by_ring else None)
        else:
            evening.table.do(GAME.line(command(evening.sight.state, lots)), HOST)
    return evening


def offered(evening: Evening) -> list[str]:
    """The colours that lie under the ring, none without an attempt."""
    order = evening.table.order()
    return [] if order is None else [colour for colour, count in order.under.items() if count]


def finished(evening: Evening) -> Callable[[], bool]:
    return lambda: evening.sight.status is Status.FINISHED


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_whole_game_survives_everything(tmp_path: Path, players: int) -> None:
    """Andromeda: a game with undos and restarts ends the same from its rows and from its record."""
    lots = Random(players)
    evening = andromeda(tmp_path / "ledger.db", players, lots)
    for _ in range(5):
        pause = evening.ledger.last + 40
        play(evening, lots, lambda until=pause: evening.ledger.last > until or finished(evening)())  # type: ignore[misc]
        before = evening.sight
        assert evening.restart().running == before
    play(evening, lots, finished(evening))
    end = evening.view

    number = evening.table.import_record(evening.table.record(), HOST)
    evening.table.switch(number, HOST)

    assert evening.view == end
    assert evening.restart().view == end
    evening.ledger.close()


def test_a_whole_game_can_be_taken_back(tmp_path: Path) -> None:
    """Andromeda: line by line back to the empty board."""
    lots = Random(11)
    evening = andromeda(tmp_path / "ledger.db", 3, lots)
    start = evening.view
    play(evening, lots, finished(evening))

    while evening.sight.undoable is not None:
        evening.undo()

    assert evening.view == start
    assert evening.sight.status is Status.LIVE
    evening.ledger.close()


def test_the_ring_draws_in_an_attempt(tmp_path: Path) -> None:
    """Andromeda: an attempt arms the ring with what lies on the planet, and its draws resolve by the rules."""
    lots = Random(5)
    evening = andromeda(tmp_path / "ledger.db", 4, lots)
    play(evening, lots, lambda: evening.table.order() is not None)
    order = evening.table.order()
    assert order is not None
    wanted = GAME.wanted(evening.sight.state)
    assert wanted is not None
    stranger = next(colour for colour in wanted.under if colour != wanted.seat and wanted.under[colour])

    evening.slide(stranger)

    assert evening.lines()[-1]["do"] == "draw" or evening.lines()[-2]["do"] == "draw"
    assert evening.sight.undoable is not None
    assert evening.undo("misread").question.kind == "unsure"
    evening.answer(stranger)
    assert evening.sight.questions == ()
    evening.ledger.close()


def test_two_out_are_cast_by_the_table(tmp_path: Path) -> None:
    """Andromeda: two stations at once become one line with the lot in it, so that a replay needs none."""
    lots = Random(8)
    evening = andromeda(tmp_path / "ledger.db", 4, lots)
    play(evening, lots, lambda: len(offered(evening)) > 1)
    evening.table.heard(evening.event(Kind.PAIR))

    evening.answer(evening.question.offered[0][0])

    line = next(told.line for told in evening.sight.recent if told.ring is not None)
    assert line["do"] == "double_exit"
    evening.ledger.close()
