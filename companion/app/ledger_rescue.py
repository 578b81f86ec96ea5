"""Start in spite of a damaged ledger: set it aside, and copy its readable rows to a new ledger."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.ledger_aside import DAMAGED, newest_backup, set_aside
from companion.kernel.atomic_file import replacement
from companion.kernel.moments import in_this_zone
from companion.kernel.private_file import make_private, write_private
from companion.kernel.said import Said, from_json, said
from companion.ledger import Ledger, LedgerDamaged, LedgerLock, extent
from companion.ledger.storage import Connect, connect
from companion.ledger.writer import Newest, Torn, newest_path, read_newest
from companion.session.table import Table

if TYPE_CHECKING:
    from companion.ledger.salvage import Saved

# The report about a damaged ledger is a file next to it. It is shown at every start until somebody deletes it.

SUFFIX, EARLIER = ".told", ".told-before"
MOST_LISTED = 5


def report(damaged: Path, why: str, saved: Saved) -> None:
    """Write the report: why a ledger was set aside as *damaged*, what was *saved* from it, and the newest backup."""
    for earlier in damaged.parent.glob(f"{DAMAGED}-*{SUFFIX}"):
        earlier.replace(earlier.with_suffix(EARLIER))  # only one report may exist, because clocks may be wrong
    note = damaged.with_suffix(SUFFIX)
    last = said("This message comes at each start until you remove %(name)s.", name=note.name)
    texts = (_set_aside(why, damaged), _saved(saved.rows), *_lost(saved), _offer(damaged.parent), last)
    write_private(note, "".join(json.dumps(each.to_json()) + "\n" for each in texts))


def newest_report(data: Path) -> tuple[Said, ...]:
    """Return the sentences of the newest report; the result is empty if no ledger was set aside."""
    return tuple(sentence for note in sorted(data.glob(f"{DAMAGED}-*{SUFFIX}")) for sentence in _sentences(note))


def _sentences(note: Path) -> tuple[Said, ...]:
    try:
        return tuple(from_json(json.loads(line)) for line in note.read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError):
        return ()  # a damaged report is ignored; the ledger that it describes still exists


def _set_aside(why: str, damaged: Path) -> Said:
    return said("The ledger was damaged: %(why)s The damaged file is now called %(name)s.", why=why, name=damaged.name)


def _saved(rows: int) -> Said:
    if not rows:
        return said("Nothing in it was readable. This ledger is new, without earlier games.")
    return said("The readable part, %(rows)s rows, is in a new ledger. Incomplete games say so.", rows=rows)


def _lost(saved: Saved) -> Iterator[Said]:
    """Yield a sentence for each loss that no game reports itself."""
    for first, last in saved.lost[:MOST_LISTED]:
        yield said("Rows %(first)s to %(last)s are lost. Nobody knows which game they were in.", first=first, last=last)
    if saved.nameless:
        games = ", ".join(map(str, saved.nameless))
        yield said("These games lost their players' names and show colours: %(games)s.", games=games)


def _offer(data: Path) -> Said:
    """Return a sentence with the newest backup and the command to use it."""
    backup = newest_backup(data)
    if backup is None:
        return said("No backup found here. If you have one: companion restore FILE")
    return said(
        "The newest backup is %(name)s, of %(day)s. To use it, stop the service and type: %(command)s",
        name=backup.name,
        day=in_this_zone(extent(backup).newest_ms / 1000),
        command=f"companion restore {backup} --data {data}",
    )


AFTER_FIRST_RUN = ("token", "pin", "captures", "service.json")
"""Names of files that exist in a data folder after the service has run there."""


def table_of(path: Path, table: Callable[[Ledger], Table], connect: Connect = connect) -> Table:
    """Return the *table* of the ledger at *path*. If the ledger is damaged, use a new ledger and show a warning.

    Temporary problems (a full or read-only card, another owner) and a ledger of a newer version raise the usual
    exceptions.
    """
    for save in (True, False):
        try:
            return _warned(_opened(path, table, connect), newest_report(path.parent))
        except LedgerDamaged as fault:
            try:
                _rescue(path, str(fault), save)
            except (OSError, sqlite3.Error) as trouble:
                return _warned(table(Ledger.in_memory(path, trouble)), [_left_alone(fault, trouble)])
    return _warned(_opened(path, table, connect), newest_report(path.parent))


def _opened(path: Path, table: Callable[[Ledger], Table], connect: Connect) -> Table:
    _check_not_emptied(path)
    ledger = Ledger.open(path, connect)
    try:
        return table(ledger)
    except BaseException:
        ledger.close()
        raise


def _check_not_emptied(path: Path) -> None:
    """Raise `LedgerDamaged` for an empty file in a folder where games were saved, because the ledger was lost."""
    log = path.with_name(path.name + "-wal")
    emptied = path.is_file() and not path.stat().st_size and not (log.is_file() and log.stat().st_size)
    if emptied and any(path.with_name(name).exists() for name in AFTER_FIRST_RUN):
        raise LedgerDamaged(f"{path}: This ledger is empty, though games were saved here.")


def _rescue(path: Path, why: str, save: bool) -> None:
    """Set the damaged ledger aside, replace it by a ledger with its readable rows, and write a report."""
    from companion.ledger.salvage import NOTHING, salvage

    ownership = LedgerLock(path)
    try:
        if save:
            with replacement(path) as fresh:
                # Do this first, while the old ledger is still at its place, because there may be no room on the disk.
                make_private(fresh)
                known, end = _known_end(path)
                saved = salvage(path, fresh, known.ledger, known.number) if known else salvage(path, fresh)
                damaged = set_aside(path, DAMAGED)
                if saved.rows and end:
                    # Copy the `.newest` file, so that missing rows at the end are detected in the new ledger too.
                    write_private(newest_path(path), end)
        else:
            saved, damaged = NOTHING, set_aside(path, DAMAGED)
            path.unlink(missing_ok=True)
    finally:
        ownership.release()
    if damaged is not None:
        report(damaged, why, saved)


def _known_end(path: Path) -> tuple[Newest | None, str]:
    """Return the contents of the `.newest` file of *path*, parsed and as text."""
    try:
        known = read_newest(path)
        return known, "" if known is None else newest_path(path).read_text(encoding="ascii")
    except (OSError, Torn):
        return None, ""


def _left_alone(fault: Exception, trouble: Exception) -> Said:
    return said(
        "The ledger is damaged (%(why)s) and can't be moved (%(trouble)s). It stays as it is.",
        why=str(fault),
        trouble=str(trouble),
    )


def _warned(table: Table, texts: Iterable[Said]) -> Table:
    for text in texts:
        table.warn(text)
    return table
