"""What a table showed before a power cut, compared with the disk after it: lost, repeated or changed data."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from companion.app.data_folder import LEDGER, SERVICE, TOKEN
from companion.games.registry import GAMES
from companion.ledger import Ledger, LedgerFault, Verdict, verify
from companion.model.game import Viewer
from companion.model.snapshot import DAMAGE
from companion.records import replay
from companion.session.live_game import LiveGame
from companion.session.table import Table

Line = Mapping[str, Any]
Row = tuple[Any, ...]

HAND = "tablet"
"""The source (`via`) of a script's lines in a record."""
WHOLE = {"pin": r"(\d{6}|\d{8})\n[0-9a-f]{32}\n", "secret": r"[0-9a-f]{64}", TOKEN: r"[\w-]{43}"}
OBJECTS = ("seats.json", "sessions.json", SERVICE)


@dataclass
class Shown:
    """What a client has learned from the table: after any cut, all of it must be stored, and nothing twice."""

    version: int = 0
    state: Line = field(default_factory=dict)
    records: dict[int, list[Line]] = field(default_factory=dict)
    """Each game's record as it was last read."""
    game: int | None = None
    """The live game, or None if it is not known for sure."""
    pending: Line | None = None
    """The line requested of that game since its record was read."""
    answered: bool = False
    """Whether the request was answered; if so, the line must be there, otherwise it may be."""
    rows: list[Row] = field(default_factory=list)
    """The ledger's rows after the last cut."""
    files: dict[str, str] = field(default_factory=dict)
    """The content of private files by name."""
    open_files: set[str] = field(default_factory=set)
    """Names of files that were being changed when the power failed."""
    calibrations: list[str] = field(default_factory=list)
    backups: list[str] = field(default_factory=list)
    instead: Shown | None = None
    """The other acceptable state, while a restore replaces the ledger."""
    aside: Sequence[Row] = ()
    """The rows that must be in a ledger that was set aside."""

    def saw(self, state: Line, game: int | None, record: list[Line]) -> None:
        """Record the state of the table at one moment, with the *record* of its live *game*."""
        self.state, self.version = state, max(self.version, state["version"])
        self.game, self.pending, self.answered = game, None, False
        if game is not None:
            self.records[game] = record

    def settle(self, left: Left) -> None:
        """Take the state found after a cut as the new known state, so that a loss is reported only once."""
        if left.faults:
            self.become(Shown())
        elif left.is_other and self.instead is not None:
            self.become(self.instead)
        self.rows, self.pending, self.answered, self.instead = list(left.rows), None, False, None
        self.records = dict(left.records)
        self.files = {name: text for name, text in self.files.items() if name not in self.open_files}
        self.open_files.clear()

    def become(self, other: Shown) -> None:
        """Take over the knowledge of *other*."""
        vars(self).update(vars(other))


@dataclass(frozen=True)
class Left:
    """The findings after a cut: a sentence for each fault, and the numbers to add up."""

    faults: Sequence[str]
    rows: Sequence[Row] = ()
    records: Mapping[int, list[Line]] = field(default_factory=dict)
    passages: Sequence[tuple[str, int]] = ()
    """Boot and sequence number of every passage of a ring."""
    is_other: bool = False
    """Whether the state is the one in `Shown.instead`."""
    halves: int = 0
    """The number of unfinished temporary files, which nobody reads."""


def looked_at(folder: Path, shown: Shown) -> Left:
    """Compare the content of *folder* after a cut with *shown*."""
    left = _looked_at(folder, shown)
    if shown.instead is None or not left.faults:
        return left
    other = _looked_at(folder, shown.instead)
    return left if other.faults else replace(other, is_other=True)


def _looked_at(folder: Path, shown: Shown) -> Left:
    data = folder / "data"
    faults = [*_private(data, shown), *_backups(folder / "backups", shown), *_aside(data, shown)]
    halves = sum(1 for path in folder.rglob(".*") if path.is_file())
    if (data / LEDGER).exists():
        found = _ledger(data / LEDGER, shown)
        return replace(found, faults=[*faults, *found.faults], halves=halves)
    if shown.version or shown.rows:
        faults.append("lost: the ledger is gone")
    return Left(faults, halves=halves)


def _aside(data: Path, shown: Shown) -> Iterator[str]:
    kept = [rows_of(path) for path in data.glob("ledger-*.sqlite")]
    if shown.aside and not any(list(shown.aside) == rows[: len(shown.aside)] for rows in kept):
        yield f"lost: no ledger was set aside that holds all of the one before; {len(kept)} were"


def rows_of(ledger: Path) -> list[Row]:
    """Return all rows, oldest first."""
    with closing(sqlite3.connect(ledger)) as opened:
        return opened.execute("SELECT * FROM row ORDER BY id").fetchall()


def passages_of(ledger: Path) -> list[tuple[str, int]]:
    """Return boot and sequence number of every stored passage."""
    with closing(sqlite3.connect(ledger)) as opened:
        return opened.execute("SELECT boot, seq FROM row WHERE kind = 'ring' AND word = 'out'").fetchall()


def _private(data: Path, shown: Shown) -> Iterator[str]:
    for name, form in WHOLE.items():
        path = data / name
        if path.exists() and not re.fullmatch(form, path.read_text(encoding="utf-8", errors="replace")):
            yield f"half: {name} holds {path.read_bytes()[:60]!r}"
    for name in OBJECTS:
        path = data / name
        if path.exists() and not _is_object(path):
            yield f"half: {name} holds {path.read_bytes()[:60]!r}"
    for name, text in shown.files.items():
        path = data / name
        found = path.read_text(encoding="utf-8", errors="replace") if path.exists() else None
        if found != text and name not in shown.open_files:
            yield f"lost: {name} was shown, and {'is gone' if found is None else 'is another'}"


def _is_object(path: Path) -> bool:
    try:
        return isinstance(json.loads(path.read_text(encoding="utf-8")), dict)
    except ValueError:
        return False


def _backups(folder: Path, shown: Shown) -> Iterator[str]:
    there = {path.name for path in folder.glob("[!.]*")} if folder.is_dir() else set()
    yield from (f"lost: the backup {name} was told of, and is gone" for name in shown.backups if name not in there)
    for name in sorted(there):
        if not name.endswith(("-wal", "-shm", "-journal")):
            yield from (f"half: backup {name}: {why}" for why in _unsound(folder / name))


def _unsound(ledger: Path) -> Iterator[str]:
    try:
        with closing(sqlite3.connect(ledger)) as opened:
            yield from (why for (why,) in opened.execute("PRAGMA integrity_check") if why != "ok")
            opened.execute("SELECT count(*) FROM row").fetchone()
    except sqlite3.Error as fault:
        yield str(fault)


def _ledger(path: Path, shown: Shown) -> Left:
    try:
        opened = Ledger.open(path)
    except LedgerFault as fault:
        return Left([f"unreadable: {fault}"])
    try:
        table = Table(LiveGame(opened, GAMES, time.monotonic, Random(1)))
        records = {
            entry.id: list(table.archive.record(entry.id)) for entry in table.archive.games() if not entry.damage
        }
        faults = [*_alarms(table, verify(path)), *_games(records, shown), *_same(table, shown)]
    finally:
        opened.close()
    rows, passages = rows_of(path), passages_of(path)
    faults += [*_rows(rows, shown), *(f"unreadable: {why}" for why in _unsound(path))]
    faults += [f"doubled: {len(passages) - len(set(passages))} passages"] * (len(passages) != len(set(passages)))
    return Left(faults, rows, records, passages)


def _alarms(table: Table, verdict: Verdict) -> Iterator[str]:
    yield from (f"alarm: {why}" for why in table.archive.amiss())
    yield from (f"alarm: {found.sentence}" for found in verdict.findings)
    if verdict.end_unchecked:
        yield f"alarm: {verdict.end_unchecked}"
    yield from (f"alarm: {notice.text}" for notice in table.snapshot.notices if notice.kind in DAMAGE)


def _rows(rows: Sequence[Row], shown: Shown) -> Iterator[str]:
    before = shown.rows
    if list(rows[: len(before)]) != list(before):
        yield "lost: rows that were there after the last cut are gone or others"
    if (rows and rows[-1][0] < shown.version) or (not rows and shown.version):
        yield f"lost: version {shown.version} was shown, the last row is {rows[-1][0] if rows else 'none'}"
    kept = sum(1 for row in rows if "calibration" in row and "kept" in row)
    if kept < len(shown.calibrations):
        yield f"lost: {len(shown.calibrations)} calibrations were kept, {kept} are"


def _as_begun(header: Line) -> Line:
    """Return a record's header without the fields that change while a game is played."""
    begun = {name: value for name, value in header.items() if name not in ("id", "started", "ended")}
    sealed = begun.get("sealed")
    return begun if sealed is None else {**begun, "sealed": {**sealed, "words": [], "drawn": 0}}


def _games(records: Mapping[int, list[Line]], shown: Shown) -> Iterator[str]:
    for game, known in shown.records.items():
        record = records.get(game, [])
        if [_as_begun(known[0]), *known[1:]] != [*map(_as_begun, record[:1]), *record[1 : len(known)]]:
            yield f"lost: the record of game {game} does not begin as it was shown"
        elif game == shown.game:
            yield from _since(shown, [line for line in record[len(known) :] if line["via"] == HAND])


def _since(shown: Shown, new: Sequence[Line]) -> Iterator[str]:
    """Compare the *new* lines entered since the record was read: only the requested line may be there, at most once."""
    asked = shown.pending
    if asked is None or not all(_is(line, asked) for line in new):
        yield from (f"doubled: nobody asked for {line}" for line in new)
    elif shown.answered and not new:
        yield f"lost: {asked} was done"
    elif asked["do"] != "undo" and len(new) > 1:  # an undo also takes back automatic lines
        yield f"doubled: {asked} was asked for once"


def _is(line: Line, asked: Line) -> bool:
    return all(line.get(name) == value for name, value in asked.items())


def _same(table: Table, shown: Shown) -> Iterator[str]:
    seen = table.snapshot
    if seen.game_id is None or seen.game is None:
        return
    view = seen.game.view(seen.state, Viewer())
    told = replay(GAMES, enumerate(table.archive.record(), 1))
    if told.game.view(told.state, Viewer()) != view:
        yield "other: the game on the table is not what its record tells"
    if seen.version == shown.state.get("version") and {name: shown.state.get(name) for name in view} != view:
        yield "other: the game on the table is not the one that was shown"
