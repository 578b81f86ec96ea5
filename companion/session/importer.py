"""Import records, and merge ledgers and backups, while a game is being played.

A record is imported with the same rules as a live table, and may have any length. Therefore all lines are checked
before the ledger is changed, and the rows are compressed in memory. Then they are written in pieces of up to `PIECE`
rows; between two pieces the live game can write. A usual game is one piece.
"""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from time import sleep
from typing import Any

from companion.events import packed, unpacked
from companion.events.table_events import Abandoned, EventEntry, Fate
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.values import dataclass, replace
from companion.ledger import Ledger, LedgerFault, Merged, Row, RowKind, merge
from companion.ledger.row import LATEST_WALL_MS, row_of
from companion.model.snapshot import ImportFault, Status, Who
from companion.records import Origin, game_of, opened, origin_of, reason_of
from companion.session.live_game import LiveGame
from companion.session.night import NamesAtStake, sound
from companion.session.table_settings import TableSettings
from companion.session.transaction import COMPANION, Lines, Transaction

PIECE = 2000  # in rows; a usual game has fewer, and writing this many causes no noticeable pause
GIVE_WAY_S = 0.005
"""Pause between two parts of an import, in seconds.

Without the pause this thread would take the lock again before any other thread could take it.
"""
BETWEEN = said("The companion stopped during this import, so only part of it is here.")
ELSEWHERE = said("It was abandoned before it was imported.")

Begin = Callable[[Line, Lines], Transaction]
"""A function that begins a game from its header. Its second argument returns the lines that are already compressed."""


@shows("_packs")
class PackedRows:
    """The compressed rows of a game that isn't in the ledger yet.

    They are numbered as if no other rows were written.
    """

    def __init__(self, origin: Origin) -> None:
        """Create a collection without rows. *origin* comes from the header of the record."""
        self.origin = origin
        self.amiss: ImportFault | None = None
        """An error although all lines are legal: the game does not end as its header says. It forbids a new game."""
        self._packs: list[bytes] = []
        self._digest = blake2b(digest_size=16)

    @property
    def digest(self) -> str:
        """The digest of the lines added so far."""
        return self._digest.hexdigest()

    def add_to_digest(self, bare: bytes) -> None:
        """Add *bare*, a line without its stamps, to the digest."""
        self._digest.update(bare)

    def add(self, rows: Iterable[Row]) -> None:
        """Compress *rows* and add them. If the start of the game is known, their dates are computed from it."""
        if (started := self.origin.started) is not None:
            rows = [replace(row, wall_ms=min(started + row.at_ms, LATEST_WALL_MS)) for row in rows]
        columns = [row.fields() for row in rows]
        if columns:
            self._packs.append(zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 1))

    def lines(self) -> list[EventEntry]:
        """Return the lines among the rows.

        They are needed for an undo that goes back farther than the lines in memory.
        """
        return [unpacked(row) for pack in self._packs for row in _rows_of(pack) if row.kind == RowKind.LINE]

    def pieces(self) -> Iterator[list[Row]]:
        """Yield the pieces to be written, each in one transaction.

        At the end of each piece but the last the game is marked as abandoned. After a power cut between two pieces, the
        game then says why it ends early.
        """
        for at, pack in enumerate(self._packs):
            rows = _rows_of(pack)
            before = [_between(rows[0], Fate.RESUMED)] if at else []
            after = [_between(rows[-1], Abandoned(BETWEEN))] if at < len(self._packs) - 1 else []
            yield [*before, *rows, *after]


@shows("_first", "_shift")
class Numbering:
    """Computes the final row numbers of an import. Other rows may be written between the pieces."""

    def __init__(self) -> None:
        self._first: list[int] = []
        self._shift: list[int] = []

    def numbered(self, rows: Sequence[Row], last: int) -> tuple[Row, ...]:
        """Return *rows* with new numbers, from *last* + 1 on. References to other rows are changed too."""
        at = next(at for at, row in enumerate(rows) if row.id)
        self._first.append(rows[at].id)
        self._shift.append(last + 1 + at - rows[at].id)
        return tuple([self._renumbered(row, last + 1 + at) for at, row in enumerate(rows)])

    def __getitem__(self, number: int) -> int:
        """Return the final number of row *number*."""
        return number + self._shift[bisect_right(self._first, number) - 1]

    def _renumbered(self, row: Row, number: int) -> Row:
        body, version = row.body, row.body.get("version")
        if row.kind == RowKind.CLOCK and version is not None:
            body = {**body, "version": self[version]}
        undoes = None if row.undoes is None else self[row.undoes]
        return replace(row, id=number, game=None if row.game is None else self[row.game], undoes=undoes, body=body)


def gone_through(lines: Iterable[Line], who: Who, begin: Begin, piece: int = PIECE) -> PackedRows:
    """Check the whole record and return its rows, or raise `ImportFault` at the first wrong line.

    The companion adds no lines, because those that it played are part of the record. If the record has times, steps
    begin at these times. If the game doesn't end as its header says, the error is in `amiss`.
    """
    numbered = enumerate(lines, 1)
    _, header = next(numbered, (1, None))
    if header is None:
        raise ImportFault(1, None, said("The record is empty."))
    with _named(1, header):
        rows = PackedRows(origin_of(_object(header)))
        transaction = begin(header, rows.lines)
        rows.add_to_digest(_bare_header(header))
    for index, line in numbered:
        with _named(index, line):
            _add(transaction, _object(line), who)
        rows.add_to_digest(_bare(line))
        if len(transaction.entries) >= piece:
            rows.add(transaction.flushed())
    if transaction.play.clock.game_ms:
        transaction.timed()
    transaction.close()
    try:
        _end(transaction, rows.origin.ended)
    except Malformed as fault:
        rows.amiss = ImportFault(1, header, fault.reason)
    rows.add(transaction.flushed())
    return rows


@contextmanager
def _named(index: int, line: object) -> Iterator[None]:
    """Raise `ImportFault` for an error in a line."""
    try:
        yield
    except (Malformed, Refused) as fault:
        raise ImportFault(index, line, fault.reason) from fault


def _end(transaction: Transaction, ended: str) -> None:
    """Abandon the game if its record was abandoned, or raise `Malformed` if the lines contradict *ended*."""
    finished = transaction.play.status is Status.FINISHED
    if ended and (ended == "finished") != finished:
        raise Malformed(
            said("ended says %(ended)s, but after its lines this game is over", ended=ended)
            if finished
            else said("ended says %(ended)s, but after its lines this game isn't over", ended=ended)
        )
    if ended == "abandoned":
        transaction.add(Abandoned(ELSEWHERE), COMPANION)


def record_digest(record: Iterable[Line]) -> str:
    """Return a digest of a record without names and stamps. It is equal for two records of the same game."""
    lines = iter(record)
    found = blake2b(_bare_header(next(lines)), digest_size=16)
    for line in lines:
        found.update(_bare(line))
    return found.hexdigest()


def _bare(line: Line) -> bytes:
    return _JSON(opened(line)[1]).encode() + b"\n"


def _bare_header(header: Line) -> bytes:
    name, own = game_of(header)
    players = [{**player, "name": ""} for player in own["players"]]
    return _JSON({**own, "game": name, "players": players}).encode() + b"\n"


_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def _add(transaction: Transaction, line: Line, who: Who) -> None:
    envelope, bare = opened(line)
    if envelope.at is not None:
        if envelope.via != "companion":  # lines of the companion belong to the line before; no step begins between them
            transaction.timed()
        transaction.at(envelope.at)
    by = Who(who.name, envelope.via or who.via)
    if bare.get("do") != "undo":
        return transaction.decided(transaction.play.game.parse(bare), by, envelope.note)
    return transaction.undo_one(by, reason_of(line) or "")


def _object(line: Any) -> Line:
    if not isinstance(line, Mapping):
        raise Malformed(said("A line of a record must be a JSON object."))
    return line


def _rows_of(pack: bytes) -> list[Row]:
    return [row_of(tuple(columns)) for columns in json.loads(zlib.decompress(pack))]


def _between(row: Row, event: Fate | Abandoned) -> Row:
    """Return a row to be written before or after a piece.

    No other row refers to it; its number is set with its piece.
    """
    stamps = (row.at_ms, row.step_ms, row.wall_ms)
    return packed(EventEntry(0, row.game, COMPANION.name, COMPANION.via, *stamps, event))


@dataclass(frozen=True)
class Imported:
    """The *game* that a record was imported as.

    *new* is False if the ledger already contained it; *differs* is True if its lines differ from the record's.
    """

    game: int
    new: bool = True
    differs: bool = False


@shows("_importing")
class Importer:
    """Runs one import at a time. It takes the table's lock repeatedly, each time for a short part of the work."""

    def __init__(self, live: LiveGame) -> None:
        self._live = live
        self._importing = Lock()

    def import_record(self, lines: Iterable[Line], who: Who, piece: int = 0) -> Imported:
        """Write a whole record to the ledger and return its game. If this raises `ImportFault`, nothing was written.

        *lines* are JSON objects, the header first. The game is not put on the table; use the command `Switch`. At most
        *piece* rows (0 means the usual number) are written at once. Raises `Refused` while another import runs. If the
        ledger already contains the game, nothing is changed.
        """
        with self._alone():
            begin = partial(self._begin, who)
            rows = gone_through(lines, who, begin, piece or PIECE)
            known = self._known_as(rows)
            if known is not None:
                return known
            if rows.amiss is not None:
                raise rows.amiss
            return Imported(self._append(rows, Numbering()))

    def merge_from(self, file: Path, names: bool = False, checked: bool = False) -> Merged:
        """Add the rows of the ledger or backup at *file* that are missing here.

        Raises `Refused`, which names a bad row. It adds one game at a time. If names in this ledger would change and
        *names* is False, it raises `NamesAtStake` and changes nothing. *checked* means that the caller has already
        called `sound`, which takes most of the time.
        """
        if not checked:
            sound(file, self._live.games)
        try:
            with self._alone(), closing(Ledger.read_only(file)) as other:
                if not names:
                    with self._live.lock:
                        changed = self._live.ledger.names_changed_by(other, self._live.ledger.wall_ms())
                    if changed:
                        raise NamesAtStake(changed)
                merged = self._merged(other)
        except LedgerFault as fault:
            raise Refused(said("Not everything could be imported: %(why)s", why=str(fault))) from fault
        self._live.listeners.publish()
        return merged

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._importing.acquire(blocking=False):
            raise Refused(said("Another record is being imported. Try again afterwards."))
        try:
            yield
        finally:
            self._importing.release()

    def _merged(self, other: Ledger) -> Merged:
        merged = Merged()
        for game in reversed(other.games()):
            merged += self._merged_part(other, (game,))
            sleep(GIVE_WAY_S)
        return merged + self._merged_part(other, ())

    def _merged_part(self, other: Ledger, games: tuple[int, ...]) -> Merged:
        """Merge *games*, or the rows that belong to no game if *games* is empty.

        If the game in play has new rows or changed names, it is folded again. This is done after each part, so that a
        removed name is not shown even if the next part fails.
        """
        live = self._live
        with live.lock:
            live.beat()  # the time since the clock's last row is not stored in a row yet
            before = self._rows_in_play()
            merged = merge(live.ledger, other, other.last, games, asides=not games, now_ms=live.ledger.wall_ms())
            live.ledger.adopt_names(other, live.ledger.wall_ms())
            live.names_changed += 1
            if not games:
                live.settings = TableSettings(live.ledger, live.games)
            if self._rows_in_play() != before:
                live.reload()
            live.refresh()
        return merged

    def _rows_in_play(self) -> object:
        """Return a value that changes when the rows of the game in play, or the names in them, change."""
        if self._live.play is None:
            return None
        number = self._live.play.game_id
        return self._live.ledger.newest_of(number), self._live.repository.stamp(number)[2]

    def _begin(self, who: Who, header: Line, lines: Lines) -> Transaction:
        with self._live.lock:
            return self._live.repository.begin(header, who, 0.0, imported=True, lines=lines)

    def _known_as(self, rows: PackedRows) -> Imported | None:
        """Return the game of this record if the ledger contains it, or None. A game with the same lines is preferred.

        A game that is damaged, or was imported only in part, is ignored, so that the record is imported again.
        """
        live = self._live
        found: list[Imported] = []
        with live.lock:
            for game in live.ledger.games_known_as(rows.origin.id) if rows.origin.id else ():
                if live.repository.entry(game).reason == BETWEEN:
                    continue
                with suppress(Malformed):
                    here = record_digest(live.repository.record(game))
                    found.append(Imported(game, False, here != rows.digest))
        return min(found, key=lambda each: each.differs, default=None)

    def _append(self, rows: PackedRows, numbers: Numbering) -> int:
        live = self._live
        for number, piece in enumerate(rows.pieces()):
            if number:
                sleep(GIVE_WAY_S)
            with live.lock:
                numbered = numbers.numbered(piece, live.ledger.last)
                if rows.origin.id and numbered[0].kind == RowKind.GAME:
                    numbered = (replace(numbered[0], body={**numbered[0].body, "id": rows.origin.id}), *numbered[1:])
                live.ledger.append(numbered)
                live.refresh()
                if rows.origin.started is not None:
                    live.ledger.obey_removals()  # the imported game may be older than the removal of one of its names
        live.listeners.publish()
        assert numbered[0].game is not None, "a record begins with its game"
        return numbered[0].game
