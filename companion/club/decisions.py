"""The decisions of the people who run a club, in a file to which rows are only appended: `decisions.jsonl`.

Nobody edits a table's rows. Instead, a decision corrects a result, joins two names of one person, or separates two
people with the same name. The newest decision about a subject applies.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from threading import Lock
from typing import Any

from companion.club.wall import LONGEST_DELAY_S
from companion.kernel.errors import Malformed
from companion.kernel.names import name_from, same_person
from companion.kernel.private_file import write_private
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.ledger import wall_ms
from companion.ledger.renaming import marks

DECISIONS = "decisions.jsonl"
LONGEST_NAME = 80
MOST_POINTS = 10_000
NO_POINTS = said("Points are numbers, one for each seat.")
_MOST_SEATS = 8
_NAMES = ("name", "person")


@dataclass(frozen=True)
class Decided:
    """All decisions that currently apply.

    - *confirmed*: identities of games whose result somebody has confirmed or corrected.
    - *totals*: the corrected points by identity, in the order of the seats. *dropped*: games that don't count.
    - *joined*: for a name, the person that it means. *split*: the name of the person at one seat of a game.
    - *agreed*: people whose names everybody may see.
    - *forgotten*: the marks of names that tables removed.
    - *delays*: the seconds after which spectators see a table, by the table's address.
    """

    confirmed: frozenset[str] = frozenset()
    totals: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    joined: Mapping[str, str] = field(default_factory=dict)
    split: Mapping[tuple[str, int], str] = field(default_factory=dict)
    agreed: frozenset[str] = frozenset()
    delays: Mapping[str, int] = field(default_factory=dict)
    forgotten: frozenset[str] = frozenset()

    def person(self, name: str, game: str = "", place: int = -1) -> str:
        """Return the name of the person that *name* means, in general or at this place of a game.

        >>> Decided(joined={"anna": "Ana"}).person("Anna")
        'Ana'
        """
        found, seen = self.split.get((game, place), name), set[str]()
        while (key := same_person(found)) in self.joined and key not in seen:
            seen.add(key)
            found = self.joined[key]
        return found


@shows("decided")
class Decisions:
    """The decisions in a club's folder. It may be used from several threads."""

    def __init__(self, folder: Path) -> None:
        self._path, self._lock = folder / DECISIONS, Lock()
        self.decided = reduce(_after, self._rows(), Decided())

    def _rows(self) -> list[dict[str, Any]]:
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        found = []
        for line in lines:
            try:
                row = json.loads(line)
            except ValueError:
                continue  # a power cut has left this row incomplete
            found += [row] if isinstance(row, dict) else []
        return found

    def confirm(self, game: str) -> None:
        """Confirm the result of a game as the table recorded it."""
        self._append({"is": "confirmed", "game": game})

    def correct(self, game: str, totals: tuple[int, ...]) -> None:
        """Set the points of a game, in the order of its seats. Raises `Malformed`."""
        if not 1 <= len(totals) <= _MOST_SEATS or any(abs(each) > MOST_POINTS for each in totals):
            raise Malformed(NO_POINTS)
        self._append({"is": "corrected", "game": game, "totals": list(totals)})

    def drop(self, game: str) -> None:
        """Exclude a game from the results."""
        self._append({"is": "dropped", "game": game})

    def join(self, name: str, person: str) -> None:
        """Treat *name* as a name of *person*. Raises `Malformed` for invalid names."""
        name, person = name_from(name, LONGEST_NAME), name_from(person, LONGEST_NAME)
        if same_person(self.decided.person(person)) == same_person(name):
            raise Malformed(said("%(name)s is this person already.", name=name))
        self._append({"is": "joined", "name": name, "person": person})

    def split(self, game: str, place: int, person: str) -> None:
        """Treat the player at this place of a game as *person*. Raises `Malformed`."""
        self._append({"is": "split", "game": game, "place": place, "person": name_from(person, LONGEST_NAME)})

    def agree(self, person: str, may: bool) -> None:
        """Record whether everybody may see the name of *person*."""
        self._append({"is": "agreed", "person": name_from(person, LONGEST_NAME), "may": may})

    def delay(self, table: str, seconds: int) -> None:
        """Delay the view that spectators have of the table with the address *table*. Raises `Malformed`."""
        if not 0 <= seconds <= LONGEST_DELAY_S:
            raise Malformed(said("A table is shown at most %(num)s minutes later.", num=LONGEST_DELAY_S // 60))
        self._append({"is": "delayed", "table": table, "seconds": seconds})

    def forget(self, removed: Collection[str]) -> None:
        """Remove all decisions about the names with these marks, and the names themselves from the file.

        A table has removed these names. Two people with the same name are not distinguished. Later decisions about such
        a name apply again. Raises OSError.
        """
        with self._lock:
            fresh = sorted(set(removed) - self.decided.forgotten)
            if not fresh:
                return
            rows = [row for row in self._rows() if not any(_is_marked(row.get(key), fresh) for key in _NAMES)]
            rows.append({"is": "forgotten", "marks": fresh, "at_ms": wall_ms()})
            write_private(self._path, "".join(json.dumps(row) + "\n" for row in rows))
            self.decided = reduce(_after, rows, Decided())

    def _append(self, row: dict[str, Any]) -> None:
        """Store *row*, and apply it only after that. Raises OSError."""
        with self._lock:
            if not self._path.exists():
                write_private(self._path, "")
            with self._path.open("rb+") as file:
                end = file.seek(0, os.SEEK_END)
                file.seek(max(0, end - 1))
                broken = end and file.read(1) != b"\n"  # a power cut has left the last row incomplete
                file.seek(0, os.SEEK_END)
                line = json.dumps({**row, "at_ms": wall_ms()}) + "\n"
                file.write(("\n" if broken else "").encode() + line.encode())
                file.flush()
                os.fsync(file.fileno())
            self.decided = _after(self.decided, row)


def _is_marked(name: object, removed: Collection[str]) -> bool:
    return isinstance(name, str) and any(mark in removed for mark in marks(name))


def _after(before: Decided, row: Mapping[str, Any]) -> Decided:
    """Return the decisions that apply after *row*. A row that this program doesn't know changes nothing."""
    confirmed, totals, dropped = before.confirmed, before.totals, before.dropped
    joined, split, agreed, delays = before.joined, before.split, before.agreed, before.delays
    forgotten = before.forgotten
    match row:
        case {"is": "confirmed", "game": str(game)}:
            confirmed, dropped = confirmed | {game}, dropped - {game}
            totals = {each: value for each, value in totals.items() if each != game}
        case {"is": "corrected", "game": str(game), "totals": list(values)}:
            confirmed, dropped, totals = confirmed | {game}, dropped - {game}, {**totals, game: tuple(values)}
        case {"is": "dropped", "game": str(game)}:
            dropped = dropped | {game}
        case {"is": "joined", "name": str(name), "person": str(person)}:
            joined = {key: value for key, value in joined.items() if key != same_person(person)}
            joined |= {same_person(name): person}
        case {"is": "split", "game": str(game), "place": int(place), "person": str(person)}:
            split = {**split, (game, place): person}
        case {"is": "agreed", "person": str(person), "may": bool(may)}:
            agreed = agreed | {same_person(person)} if may else agreed - {same_person(person)}
        case {"is": "delayed", "table": str(table), "seconds": int(seconds)}:
            delays = {**delays, table: seconds}
        case {"is": "forgotten", "marks": list(found)}:
            forgotten = forgotten | set(map(str, found))
        case _:
            pass  # a row from a newer program
    return Decided(confirmed, totals, dropped, joined, split, agreed, delays, forgotten)
