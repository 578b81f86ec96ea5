"""Finds and changes names in ledger files that are not in use: backups, and damaged ledgers that were set aside."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from companion.kernel.names import same_person, spellings
from companion.kernel.said import Said
from companion.ledger.errors import LedgerFault, reason
from companion.ledger.opening import closed_on_error, lay_out_or_check, opened_to_read
from companion.ledger.queries import Queries
from companion.ledger.renaming import adopt_whole, rename
from companion.ledger.soundness import mend, missing_parts
from companion.ledger.storage import connect

T = TypeVar("T")
_PIECE = 1 << 20


def holds_name(path: Path, name: str) -> bool:
    """Return whether the copy of a ledger at *path* contains a player called *name*, or raise `LedgerFault`."""

    def has(connection: sqlite3.Connection) -> bool:
        return same_person(name) in map(same_person, Queries(connection).people())

    return _with(path, opened_to_read, has)


def mentions(path: Path, name: str) -> bool:
    """Return whether the bytes of *name* occur anywhere in the file at *path*, which may have any format."""
    forms = (form for each in spellings(name) for form in (each, json.dumps(each)[1:-1]))
    wanted = {form.encode(errors="surrogatepass") for form in forms}
    longest = max(map(len, wanted))
    with path.open("rb") as file:
        before = b""
        while piece := file.read(_PIECE):
            if any(each in before + piece for each in wanted):
                return True
            before = (before + piece)[-longest:]
    return False


def rename_in_copy(path: Path, old: str, new: str | None, wall_ms: int) -> int:
    """Change a name in the ledger file at *path* as `Ledger.rename` does, and return the number of changed places.

    Raises `LedgerFault`.
    """
    return _with(path, _to_change, lambda connection: rename(connection, old, new, wall_ms))


def mend_copy(path: Path) -> tuple[Said, ...]:
    """Recreate missing triggers in a copy that will become the ledger of this companion. Return a message for each.

    Raises `LedgerFault`.
    """
    if _with(path, opened_to_read, missing_parts):
        return _with(path, connect, mend)
    return ()


def adopt_in_copy(path: Path, other: Path) -> None:
    """Apply the name changes of the ledger at *other* to the copy at *path*, or raise `LedgerFault`."""

    def adopted(connection: sqlite3.Connection) -> None:
        _with(other, opened_to_read, lambda source: adopt_whole(connection, source))

    _with(path, _to_change, adopted)


def _to_change(path: Path) -> sqlite3.Connection:
    with closed_on_error(connect(path)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        lay_out_or_check(connection)
        mend(connection)
        return connection


def _with(path: Path, opened: Callable[[Path], sqlite3.Connection], ask: Callable[[sqlite3.Connection], T]) -> T:
    try:
        with closing(opened(path)) as connection:
            return ask(connection)
    except LedgerFault as fault:
        raise type(fault)(str(fault) if str(path) in str(fault) else f"{path}: {fault}") from fault
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise LedgerFault(f"{path} can't be used as a ledger: {reason(error)}.") from error
