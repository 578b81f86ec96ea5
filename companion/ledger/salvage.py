"""Rescue a ledger that SQLite cannot read: copy every intact row to a new ledger."""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO, NamedTuple

from companion.ledger.names import is_whole
from companion.ledger.queries import spans_of
from companion.ledger.renaming import Renamings, renamings_of
from companion.ledger.row import RowKind
from companion.ledger.schema import lay_out

# This part reads the pages of a ledger's file without SQLite, to find intact rows in a file that SQLite cannot read.
# Source of the constants: "Database File Format" and "WAL-mode File Format", sqlite.org.

PAGE = 4096
"""Page size in bytes.

It is SQLite's default, which the companion never changes. The size in a damaged header may be wrong.
"""
LEAF, LEAF_HEADER = 0x0D, 8
INDEX = {0x02: (12, 4), 0x0A: (8, 0)}
"""The sizes in bytes of the page header and of the link before each entry, by page type of an index (inner, leaf)."""
LOG_HEADER, FRAME_HEADER = 32, 24
LOG_MAGIC = (0x377F0682, 0x377F0683)
WHOLE_SIZES = (0, 1, 2, 3, 4, 6, 8)
# The number of bytes of a record that are stored on its leaf. The rest is on overflow pages.
MOST_LOCAL, LEAST_LOCAL = PAGE - 35, (PAGE - 12) * 32 // 255 - 23
HALF = 0xFFFFFFFF
MOST_PAYLOAD = 1 << 22  # in bytes; far more than a line of a record may have

Value = int | float | str | bytes | None
Record = tuple[int, tuple[Value, ...]]


def records(path: Path) -> Iterator[Record]:
    """Yield the number and the columns of every record on a leaf of any table of the file at *path*.

    Damaged pages may yield wrong records, so the caller must check the contents.
    """
    with _pages_of(path) as pages:
        for number in pages.numbers():
            yield from _on_leaf(pages, number)


def entries(path: Path) -> Iterator[tuple[Value, ...]]:
    """Yield the entries of all indexes of the file at *path*, and the rows of its tables without rowid.

    SQLite stores both in the same format.
    """
    with _pages_of(path) as pages:
        for number in pages.numbers():
            yield from _in_index(pages.page(number))


@contextmanager
def _pages_of(path: Path) -> Iterator[_Pages]:
    log = path.with_name(path.name + "-wal")
    with ExitStack() as open_files:
        file = open_files.enter_context(path.open("rb"))
        yield _Pages(file, open_files.enter_context(log.open("rb")) if log.is_file() else None)


class _Pages:
    """The pages of a database as of the last commit. Newer pages come from the write-ahead log."""

    def __init__(self, file: BinaryIO, log: BinaryIO | None) -> None:
        self._file = file
        self._last = -(-file.seek(0, SEEK_END) // PAGE)
        self._log = log
        self._newer = {} if log is None else _frames(log)

    def numbers(self) -> range:
        """Return the range of all page numbers."""
        return range(1, max(self._last, *self._newer) + 1) if self._newer else range(1, self._last + 1)

    def page(self, number: int) -> bytes:
        """Return a page, padded with zero bytes if it is incomplete or missing."""
        file, at = self._file, (number - 1) * PAGE
        if self._log is not None and number in self._newer:
            file, at = self._log, self._newer[number]
        file.seek(max(0, at))
        return file.read(PAGE).ljust(PAGE, b"\0")


def _frames(log: BinaryIO) -> dict[int, int]:
    """Return the offset in *log* of the newest committed version of each page."""
    header = log.read(LOG_HEADER)
    if len(header) < LOG_HEADER or int.from_bytes(header[:4]) not in LOG_MAGIC:
        return {}
    order, salt = ">" if header[3] & 1 else "<", header[16:24]
    found: dict[int, int] = {}
    waiting: dict[int, int] = {}
    sums, at = _summed(header[:24], (0, 0), order), LOG_HEADER
    while len(frame := log.read(FRAME_HEADER + PAGE)) == FRAME_HEADER + PAGE and frame[8:16] == salt:
        sums = _summed(frame[FRAME_HEADER:], _summed(frame[:8], sums, order), order)
        if sums != struct.unpack(">2I", frame[16:24]):
            break
        waiting[int.from_bytes(frame[:4])] = at + FRAME_HEADER
        if int.from_bytes(frame[4:8]):  # this frame is a commit
            found |= waiting
            waiting = {}
        at += FRAME_HEADER + PAGE
    return found


def _summed(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & HALF
        two = (two + second + one) & HALF
    return one, two


def _on_leaf(pages: _Pages, number: int) -> Iterator[Record]:
    page, start = pages.page(number), 100 if number == 1 else 0
    if page[start] != LEAF:
        return
    for cell in _cells(page, start, LEAF_HEADER):
        with suppress(IndexError, ValueError, struct.error):
            yield _record(pages, page, cell)


def _in_index(page: bytes) -> Iterator[tuple[Value, ...]]:
    """Yield the entries on one *page* of an index.

    Entries that continue on an overflow page are skipped, because no name is that long.
    """
    header, link = INDEX.get(page[0], (0, 0))
    for cell in _cells(page, 0, header) if header else ():
        with suppress(IndexError, ValueError, struct.error):
            size, at = _whole(page, cell + link)
            yield _columns(page[at : at + size])


def _cells(page: bytes, start: int, header: int) -> tuple[int, ...]:
    """Return the offsets of the cells on *page*. *start* is the offset of the page header, which has *header* bytes."""
    many = min(int.from_bytes(page[start + 3 : start + 5]), (PAGE - start - header) // 2)
    return struct.unpack_from(f">{many}H", page, start + header)


def _record(pages: _Pages, page: bytes, cell: int) -> Record:
    """Return the record in one *cell*, or raise ValueError or IndexError if the cell is invalid."""
    size, at = _whole(page, cell)
    number, at = _whole(page, at)
    if not 0 < size < MOST_PAYLOAD or number < 1:
        raise ValueError(size)
    local = size
    if size > MOST_LOCAL:
        spread = LEAST_LOCAL + (size - LEAST_LOCAL) % (PAGE - 4)
        local = spread if spread <= MOST_LOCAL else LEAST_LOCAL
    payload = page[at : at + local]
    if len(payload) < local:
        raise ValueError(cell)
    return number, _columns(payload + _elsewhere(pages, page[at + local : at + local + 4], size - local))


def _elsewhere(pages: _Pages, link: bytes, missing: int) -> bytes:
    """Return *missing* bytes of a record from its overflow pages. *link* is the number of the first overflow page."""
    parts: list[bytes] = []
    while missing > 0:
        number = int.from_bytes(link)
        if number not in pages.numbers():
            raise ValueError(number)
        page = pages.page(number)
        parts.append(page[4 : 4 + min(missing, PAGE - 4)])
        link, missing = page[:4], missing - (PAGE - 4)
    return b"".join(parts)


def _columns(payload: bytes) -> tuple[Value, ...]:
    begin, at = _whole(payload, 0)
    kinds: list[int] = []
    while at < begin:
        kind, at = _whole(payload, at)
        kinds.append(kind)
    values: list[Value] = []
    for kind in kinds:
        size = _size(kind)
        raw = payload[at : at + size]
        if len(raw) < size:
            raise ValueError(kind)
        values.append(_value(kind, raw))
        at += size
    return tuple(values)


def _size(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    return {**dict(enumerate(WHOLE_SIZES)), 7: 8}.get(kind, 0)


def _value(kind: int, raw: bytes) -> Value:
    match kind:
        case 0:
            return None
        case 7:
            return float(struct.unpack(">d", raw)[0])
        case 8 | 9:
            return kind - 8
        case _ if kind < 12:
            return int.from_bytes(raw, signed=True)
        case _ if kind % 2:
            try:
                return raw.decode()
            except UnicodeDecodeError:
                return raw  # it is no longer valid text; return the bytes, so that the damaged row can be reported
        case _:
            return raw


def _whole(data: bytes, at: int) -> tuple[int, int]:
    """Parse the variable-length integer (one to nine bytes) at offset *at*. Return it and the offset after it."""
    number = 0
    for place in range(8):
        byte = data[at + place]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + place + 1
    return number << 8 | data[at + 8], at + 9


MOST = 1 << 40
"""No row has a number this large, but a flipped bit may produce one."""
# This row has neither JSON nor a checksum, so reading it raises `Malformed`.
_EMPTY = """INSERT OR IGNORE INTO row (id, game, kind, word, who, via, at_ms, step_ms, wall_ms, body)
    VALUES (?, ?, ?, '', '', '', 0, 0, 0, '')"""
_GAPS = """SELECT behind + 1, id - 1 FROM (SELECT id, lag(id, 1, 0) OVER (ORDER BY id) AS behind FROM row)
    WHERE id > behind + 1"""


class Saved(NamedTuple):
    """The result of a rescue.

    *rows* counts the rescued rows, *lost* are ranges of lost rows whose game is unknown, and *nameless* are games with
    lost names.
    """

    rows: int
    lost: tuple[tuple[int, int], ...]
    nameless: tuple[int, ...]


NOTHING = Saved(0, (), ())


def salvage(damaged: Path, fresh: Path, identity: str = "", last: int = 0) -> Saved:
    """Create a ledger at *fresh* from all intact rows of *damaged*. *damaged* is only read.

    *identity* and *last* come from the `.newest` file. *identity* is used if the damaged file has lost its own. *last*
    is the number of the newest row; entries of a damaged index with larger numbers are ignored. If a row is lost but an
    index still contains its number, an empty row is written, so that its game is reported as damaged.

    Raises OSError and sqlite3.Error if *fresh* cannot be written.
    """
    with closing(sqlite3.connect(fresh, isolation_level=None)) as ledger:
        lay_out(ledger)
        # Bodies that are no longer JSON are copied, too, so that the row is reported as damaged rather than as missing.
        ledger.execute("PRAGMA ignore_check_constraints = ON")
        ledger.execute("BEGIN")
        width = len(ledger.execute("PRAGMA table_info(row)").fetchall())
        marks = ", ".join("?" * width)
        ledger.executemany(f"INSERT OR IGNORE INTO row VALUES ({marks})", _rows(damaged, width))  # noqa: S608
        rows, newest = ledger.execute("SELECT count(*), coalesce(max(id), 0) FROM row").fetchone()
        if identity and rows:
            ledger.execute("INSERT OR REPLACE INTO meta VALUES ('ledger', ?)", (identity,))
        _take_over_the_rest(damaged, ledger, max(last, newest) if last else MOST)
        ledger.execute("COMMIT")
        return Saved(rows, tuple(ledger.execute(_GAPS)), tuple(_nameless(ledger)))


def _rows(damaged: Path, width: int) -> Iterator[tuple[Value, ...]]:
    for number, columns in records(damaged):
        if _is_row((number, columns), width):
            yield number, *columns[1:]


def _is_row(record: Record, width: int) -> bool:
    """Return whether *record* is a row of the ledger, judged by the number and types of its columns.

    A damaged text is read as bytes and accepted.
    """
    columns = record[1]
    texts = all(isinstance(each, str | bytes) for each in columns[2:6])
    return len(columns) == width and columns[0] is None and texts and record[0] < MOST


def _take_over_the_rest(damaged: Path, ledger: sqlite3.Connection, last: int) -> None:
    """Copy all data except rows. It is recognised by its format.

    This includes the identity, names, merges, and row numbers found only in an index.
    """
    for entry in entries(damaged):
        match entry:
            case (int() | None as game, int(number), str(kind), _, *_) if kind in list(RowKind) and 0 < number <= last:
                ledger.execute(_EMPTY, (number, game, kind))
            case ("ledger", str(identity)):
                ledger.execute("INSERT OR REPLACE INTO meta VALUES ('ledger', ?)", (identity,))
            # Without this a merged game would look like a game that was opened at this table.
            case ("merged", str(spans)) if spans_of(spans):
                ledger.execute("INSERT OR REPLACE INTO meta VALUES ('merged', ?)", (spans,))
            # Without this a merge would bring removed names back.
            case ("names", str(changes)) if renamings_of(changes) != Renamings():
                ledger.execute("INSERT OR REPLACE INTO meta VALUES ('names', ?)", (changes,))
            # Skip a damaged name, because it would prevent an intact copy of it, from a later page, from being stored.
            case (int(game), int(place), str() | None as text, bytes() | None as digest):
                if is_whole((game, place, text, digest)):
                    ledger.execute("INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?)", entry)


def _nameless(ledger: sqlite3.Connection) -> Iterator[int]:
    """Yield the games whose header refers to a lost name."""
    for game, body in ledger.execute("SELECT id, body FROM row WHERE kind = 'game'").fetchall():
        known = {place for (place,) in ledger.execute("SELECT place FROM name WHERE game = ?", (game,))}
        try:
            places = {player["name"] for player in json.loads(body)["header"]["players"]}
        except (ValueError, TypeError, KeyError):
            continue  # a damaged header is reported when its game is read
        if {place for place in places if isinstance(place, int)} - known:
            yield game
