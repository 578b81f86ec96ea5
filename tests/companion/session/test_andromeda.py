"""Andromeda at a table: complete random games with restarts, undo and the ring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.games.andromeda import GAME
from companion.games.andromeda.corrections import Correct
from companion.games.andromeda.game import AndromedaGame
from companion.games.andromeda.random_policy import command, header
from companion.games.andromeda.rules import Command, Event, decide
from companion.games.andromeda.state import State
from companion.kernel.errors import Refused
from companion.model.snapshot import ImportFault, Status
from companion.ports.ring import RingEventKind
from companion.records import RECORD, VERSION
from companion.session.commands import Switch
from tests.companion.live_table import HOST, LiveTable


def andromeda(path: Path, players: int, lots: Random) -> LiveTable:
    """Return a table with a new game of Andromeda with random rulings."""
    live_table = LiveTable(path, GAME)
    own = header(players, lots, True)
    live_table.table.open({"record": RECORD, "version": VERSION, "game": GAME.name, **own}, HOST)
    return live_table


def play(live_table: LiveTable, lots: Random, until: Callable[[], bool]) -> LiveTable:
    """Play random commands, and sometimes an undo."""
    while not until():
        live_table.time += 1
        if lots.random() < 0.03 and live_table.snapshot.undoable is not None:
            live_table.undo("knocked over" if live_table.snapshot.undoable.by_ring else None)
        else:
            live_table.table.do(GAME.line(command(live_table.snapshot.state, lots)), HOST)
    return live_table


def offered(live_table: LiveTable) -> list[str]:
    """Return the colours under the ring; without an attempt there are none."""
    order = live_table.table.order()
    return [] if order is None else [colour for colour, count in order.under.items() if count]


def finished(live_table: LiveTable) -> Callable[[], bool]:
    return lambda: live_table.snapshot.status is Status.FINISHED


@pytest.mark.parametrize("players", [3, *(pytest.param(players, marks=pytest.mark.long) for players in (4, 5))])
def test_a_whole_game_survives_everything(tmp_path: Path, players: int) -> None:
    """Andromeda: a game with undos and restarts ends in the same state from its rows and from its record."""
    lots = Random(players)
    live_table = andromeda(tmp_path / "ledger.db", players, lots)
    for _ in range(5):
        pause = live_table.ledger.last + 40
        play(live_table, lots, lambda until=pause: live_table.ledger.last > until or finished(live_table)())  # type: ignore[misc]
        before = live_table.snapshot
        assert live_table.restart().running == before
    play(live_table, lots, finished(live_table))
    end = live_table.view

    number = live_table.table.importer.import_record(live_table.table.archive.record(), HOST).game
    live_table.table.execute(Switch(number), HOST)

    assert live_table.view == end
    assert live_table.restart().view == end
    live_table.ledger.close()


class Indifferent(AndromedaGame):
    """The rules as they were before they required a reason for corrections."""

    @staticmethod
    def decide(state: State, command: Command) -> tuple[Event, ...]:
        return decide(state, replace(command, reason="any") if isinstance(command, Correct) else command)


def test_a_ledger_that_holds_a_blank_reason_is_read(tmp_path: Path) -> None:
    """Corrections: an old blank reason in a ledger is still read, but a new one is refused, even in an import."""
    live_table = andromeda(tmp_path / "ledger.db", 3, Random(4))
    play(live_table, Random(4), lambda: len(live_table.snapshot.recent) > 9)
    blank = {"do": "correct", "player": "red", "reason": " ", "ship": 2}
    live_table.restart(Indifferent()).table.do(blank, HOST)
    kept, record = live_table.view, list(live_table.table.archive.record())

    live_table.restart(GAME)

    assert (live_table.view, list(live_table.table.archive.record())) == (kept, record)
    with pytest.raises(Refused, match="Give a reason for the correction"):
        live_table.table.do(blank, HOST)
    with pytest.raises(ImportFault, match=f"line {len(record)}: Give a reason for the correction"):
        live_table.table.importer.import_record(record, HOST)
    live_table.ledger.close()


def test_a_whole_game_can_be_taken_back(tmp_path: Path) -> None:
    """Andromeda: undoing a complete game line by line gives the initial state."""
    lots = Random(11)
    live_table = andromeda(tmp_path / "ledger.db", 3, lots)
    start = live_table.view
    play(live_table, lots, finished(live_table))

    while live_table.snapshot.undoable is not None:
        live_table.undo()

    assert live_table.view == start
    assert live_table.snapshot.status is Status.LIVE
    live_table.ledger.close()


def test_the_ring_draws_in_an_attempt(tmp_path: Path) -> None:
    """Andromeda: an attempt arms the ring with the stations on the planet, and its draws follow the rules."""
    lots = Random(5)
    live_table = andromeda(tmp_path / "ledger.db", 4, lots)
    play(live_table, lots, lambda: live_table.table.order() is not None)
    order = live_table.table.order()
    assert order is not None
    wanted = GAME.ring.wanted(live_table.snapshot.state)
    assert wanted is not None
    stranger = next(colour for colour in wanted.under if colour != wanted.seat and wanted.under[colour])

    live_table.slide(stranger)

    assert live_table.lines()[-1]["do"] == "draw" or live_table.lines()[-2]["do"] == "draw"
    assert live_table.snapshot.undoable is not None
    assert live_table.undo("misread").question.kind == "unsure"
    live_table.answer(stranger)
    assert live_table.snapshot.questions == ()
    live_table.ledger.close()


def test_two_out_are_cast_by_the_table(tmp_path: Path) -> None:
    """Andromeda: two stations at once become one line that includes the random choice."""
    lots = Random(8)
    live_table = andromeda(tmp_path / "ledger.db", 4, lots)
    play(live_table, lots, lambda: len(offered(live_table)) > 1)
    live_table.table.heard(live_table.event(RingEventKind.PAIR))

    live_table.answer(live_table.question.offered[0][0])

    line = next(entry.line for entry in live_table.snapshot.recent if entry.ring is not None)
    assert line["do"] == "double_exit"
    live_table.ledger.close()
