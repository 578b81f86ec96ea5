"""Copy a ledger while it is in use."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.app.exit_codes import BadUse, Failed, unwritable
from companion.app.progress import measuring
from companion.kernel.atomic_file import replacement
from companion.kernel.private_file import make_private
from companion.ledger import PARTS, LedgerFault, copy_as_it_is, verify
from companion.ledger.storage import connect


def copy_ledger(source: Path, target: Path, called: Path | None = None) -> None:
    """Copy *source* to *target*, completely or not at all, or raise `BadUse` or `Failed`.

    *called* is the name to use in error messages if *target* is a temporary file.
    """
    try:
        with replacement(target) as half:
            make_private(half)
            with measuring("Copying", "pages") as measure:
                copy_as_it_is(source, half, measure if measure.shown else None)
    except OSError as fault:
        raise unwritable(called or target, fault) from None
    except (LedgerFault, sqlite3.Error) as fault:
        raise Failed(f"{source} can't be copied to {called or target}: {fault}") from None


def copied_aside(ledger: Path, target: Path) -> bool:
    """Copy *ledger* to *target*. Merge the log of *ledger* into its main file, so that this file can be replaced.

    The caller must own the ledger. If the ledger is damaged or cannot be copied, change nothing and return False.
    """
    try:
        if verify(ledger).findings:
            return False
        copy_ledger(ledger, target)
        if not _in_one_file(ledger):
            return False
    except (LedgerFault, BadUse, Failed, sqlite3.Error):
        return False
    for part in PARTS[1:]:
        ledger.with_name(ledger.name + part).unlink(missing_ok=True)
    return True


def _in_one_file(ledger: Path) -> bool:
    """Move the contents of the write-ahead log into *ledger*.

    A log that remained would be applied to the new ledger.
    """
    with closing(connect(ledger)) as connection:
        (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy
