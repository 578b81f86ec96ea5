"""A copy of a ledger, made while the ledger is in use."""

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
    """Put a copy of *source* at *target*, whole or not at all, or raise `BadUse` or `Failed`.

    The sentence names the place as the user knows it: *called*, where *target* is a file on the way there.
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


def copied_aside(ledger: Path, kept: Path) -> bool:
    """Put a copy of a *ledger* at *kept*, and leave all that belongs to it in its one file: it may be replaced then.

    Whoever asks owns it. False, and nothing changed, where it is not sound or cannot be copied.
    """
    try:
        if verify(ledger).findings:
            return False
        copy_ledger(ledger, kept)
        if not _in_one_file(ledger):
            return False
    except (LedgerFault, BadUse, Failed, sqlite3.Error):
        return False
    for part in PARTS[1:]:
        ledger.with_name(ledger.name + part).unlink(missing_ok=True)
    return True


def _in_one_file(ledger: Path) -> bool:
    """Have what is in its write-ahead log in the *ledger* itself, as another's would be taken for the new one's."""
    with closing(connect(ledger)) as connection:
        (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy
