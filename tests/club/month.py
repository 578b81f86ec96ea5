"""`python -m tests.club.month`: a month of a club. Tables play evening after evening, and send their rows to the club.

Many people share a name, some names are changed or removed, and some tables continue from a copy of an earlier evening.
In the end the club's league must equal the league of all tables' merged ledgers, and no removed name may be in any of
the club's files.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from companion.autoplay.simulate import simulate
from companion.club.batch import names_mark
from companion.club.decisions import Decided
from companion.club.league import Result, persons, raw_results, results, standings
from companion.games.registry import GAMES
from companion.ledger import Ledger, merge
from companion.ledger.opening import opened_to_read
from companion.ledger.queries import Queries
from companion.ledger.stored import StoredRows
from companion.model.snapshot import Status
from tests.club.broker import MISSING, PATIENCE_S, PROGRAM, Broker
from tests.club.meeting import Meeting, Seat
from tests.companion.live_table import HOST, LiveTable

PEOPLE, SHARED = 200, 30
REMOVED, RENAMED = ("Removed One", "Removed Two"), 5
KINDS = ("wreck", "hanse")
WRONG_MS = 400 * 24 * 60 * 60 * 1000
"""The greatest error of a table's clock, in both directions."""


def names() -> list[str]:
    """Return the names of the people. Some names occur twice, for two people."""
    different = [f"Person {number:03}" for number in range(PEOPLE - SHARED - len(REMOVED))]
    return [*different, *different[:SHARED], *REMOVED]


class Month:
    """The tables of a club, and the number of games played at them."""

    def __init__(self, folder: Path, meeting: Meeting, tables: int, seed: int, kinds: Sequence[str]) -> None:
        self._lots, self._meeting, self._folder = Random(seed), meeting, folder
        self._people, self._kinds = names(), kinds
        self.games = 0
        self.seats = [self._table(number) for number in range(tables)]

    def _table(self, number: int) -> Seat:
        folder = self._folder / f"t{number}"
        folder.mkdir()
        wrong_ms = self._lots.randint(-WRONG_MS, WRONG_MS)
        live = LiveTable(
            folder / "ledger.sqlite", game=GAMES[self._kinds[number % len(self._kinds)]], wrong_ms=wrong_ms
        )
        seat = Seat(live, f"t{number}", self._meeting.broker)
        self._meeting.seats.append(seat)
        return seat

    def evening(self) -> None:
        """Let every table play one game."""
        for seat in self.seats:
            self._play(seat)
        self._meeting.arrived(*self.seats)

    def _play(self, seat: Seat) -> None:
        table, game = seat.table.table, seat.table.game
        play = game.random_play
        assert play is not None
        if table.snapshot.status in (Status.LIVE, Status.PAUSED):
            return  # a copy of a running game, which nobody continues
        header, *lines = simulate(game, play, min(play.players), self._lots, time.monotonic).record
        sitting = self._lots.sample(sorted(set(self._people) - set(REMOVED)), len(header["players"]))
        if self.games < len(REMOVED):
            sitting[0] = REMOVED[self.games]
        players = [{**each, "name": name} for each, name in zip(header["players"], sitting, strict=True)]
        table.open({**header, "players": players}, HOST)
        state = game.start(header)
        for line in lines:
            if game.by_itself(state, frozenset()) is None:  # otherwise the table has added this line automatically
                table.do(line, HOST)
            for event in game.decide(state, game.parse(line)):
                state = game.evolve(state, event)
        self.games += 1

    def rename(self) -> None:
        """Change some names, and remove others, at every table."""
        for seat in self.seats:
            for number in range(RENAMED):
                seat.table.table.rename(f"Person {number + 50:03}", f"New name {number}")
            for name in REMOVED:
                seat.table.table.rename(name, None)

    def settle(self) -> None:
        """Wait until the club has all changes of names."""
        for seat in self.seats:
            with closing(StoredRows(seat.table.path)) as rows:
                mark = names_mark(rows.renamings())
            while seat.link.renamed != mark:
                self._meeting.acks.get(timeout=PATIENCE_S)

    def copy(self, count: int) -> list[tuple[Seat, Path]]:
        """Copy the ledgers of some tables."""
        copies = []
        for seat in self.seats[:count]:
            target = self._folder / f"copy-{seat.address}.sqlite"
            seat.restart(lambda path, target=target: shutil.copy(path, target))
            copies.append((seat, target))
        return copies

    def restore(self, copies: Sequence[tuple[Seat, Path]]) -> list[Path]:
        """Copy the copies over the tables' ledgers. Returns copies of the replaced ledgers."""
        lost = []
        for seat, copy in copies:
            lost.append(self._folder / f"lost-{seat.address}.sqlite")
            seat.restart(lambda path, copy=copy, there=lost[-1]: (shutil.copy(path, there), shutil.copy(copy, path)))
        return lost


def whole(folder: Path, ledgers: Sequence[Path]) -> tuple[Result, ...]:
    """Return the results in all *ledgers* together, with all changes of names."""
    folder.mkdir()
    with closing(Ledger.open(folder / "ledger.sqlite")) as into:
        for path in ledgers:
            with closing(Ledger.read_only(path)) as other:
                merge(into, other, other.last)
        for path in ledgers:
            with closing(opened_to_read(path)) as connection:
                into.adopt_names(Queries(connection))
    return raw_results(folder, GAMES)


def league(found: Sequence[Result]) -> dict[str, tuple[int, int, int]]:
    """Return games, wins and points by person, which do not depend on the order of games of the same millisecond."""
    ranked = standings(results(found, Decided()))
    return {each.person: (each.games, each.wins, each.points) for each in ranked}


def played(
    folder: Path, tables: int, evenings: int, restored: int, seed: int, kinds: Sequence[str] = KINDS
) -> dict[str, Any]:
    """Play a month, and return the findings."""
    (folder / "broker").mkdir()
    broker = Broker(folder / "broker")
    try:
        with Meeting(folder, broker) as meeting:
            month = Month(folder, meeting, tables, seed, kinds)
            copies: list[tuple[Seat, Path]] = []
            lost: list[Path] = []
            for evening in range(evenings):
                if evening == max(1, evenings // 3):
                    copies = month.copy(restored)
                if evening == max(1, 2 * evenings // 3):
                    lost = month.restore(copies)
                month.evening()
            for name in REMOVED:
                meeting.decisions.agree(name, may=True)
            month.rename()
            month.evening()
            month.settle()
            ledgers = [seat.table.path for seat in month.seats]
            rows = sum(seat.table.ledger.last for seat in month.seats)
            inbox = meeting.inbox()
            forks = sum(source.forked for source in inbox.sources.values())
            sources = len(inbox.sources)
            inbox.close()
        club = raw_results(folder / "club", GAMES)
        expected = whole(folder / "whole", [*ledgers, *lost])
        files = [path.read_bytes() for path in (folder / "club").iterdir() if path.is_file()]
        return {
            "tables": tables,
            "games": month.games,
            "rows": rows,
            "people": len(persons(club)),
            "sources": sources,
            "forks": forks,
            "results": len(club),
            "league_alike": league(club) == league(expected) and len(club) == len(expected),
            "removed_in_files": sum(name.encode() in content for name in REMOVED for content in files),
        }
    finally:
        broker.close()


def main() -> int:
    """Play the month, print the findings, and return 1 if the league differs or a removed name is left."""
    parser = argparse.ArgumentParser(prog="python -m tests.club.month", description=__doc__)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--evenings", type=int, default=16)
    parser.add_argument("--restored", type=int, default=3, help="tables that go on from a copy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to make the files (default: a temporary folder)")
    asked = parser.parse_args()
    if PROGRAM is None:
        sys.exit(MISSING)
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        found = played(Path(name), asked.tables, asked.evenings, asked.restored, asked.seed)
    print(json.dumps(found))
    return 0 if found["league_alike"] and not found["removed_in_files"] else 1


if __name__ == "__main__":
    sys.exit(main())
