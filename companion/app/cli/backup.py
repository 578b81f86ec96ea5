"""`companion backup` and `restore`: copies made while the ledger is in use, put back only when it is not."""

from __future__ import annotations

import sqlite3
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.app.cli.integrity import looked_through
from companion.app.data_folder import LEDGER, make_folder
from companion.app.exit_codes import FINE, BadUse, Failed
from companion.ledger import LedgerFault, LedgerInUse, Ownership


def run_backup(args: Namespace) -> int:
    """Write a whole, consistent copy of the ledger to *args.file*, which must not exist yet."""
    source, target = args.data / LEDGER, Path(args.file)
    if not source.is_file():
        raise BadUse(f"there is no ledger in {args.data} yet")
    if target.exists():
        raise BadUse(f"{target} exists already: name a new file")
    _copy(source, target)
    print(f"The ledger is copied to {target}.")
    return FINE


def run_restore(args: Namespace) -> int:
    """Put a copy in the ledger's place; the ledger that was there is kept beside it."""
    source = Path(args.file)
    amiss = _check(source)
    target = make_folder(args.data) / LEDGER
    fresh = target.with_name(f"{LEDGER}.restoring")
    with _owned(target):
        _copy(source, fresh)
        kept = _put_aside(target)
        fresh.replace(target)
    print(f"{source} is the ledger now." + (f" The one before it is kept as {kept}." if kept else ""))
    for why in amiss:
        print(f"CARE  {why} The rest can be played. Another backup may have it whole.")
    return FINE


def _check(source: Path) -> tuple[str, ...]:
    """Return what cannot be read of a copy that is a ledger."""
    if not source.is_file():
        raise BadUse(f"{source} is no file")
    try:
        return looked_through(source)
    except LedgerFault as fault:
        raise BadUse(str(fault)) from None


def _copy(source: Path, target: Path) -> None:
    """Copy by SQLite's own backup, which sees one moment of a ledger that is being written."""
    half = target.with_name(f".{target.name}.half")
    try:
        origin = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)
        copy = sqlite3.connect(half)
        try:
            origin.backup(copy)
        finally:
            copy.close()
            origin.close()
        half.replace(target)
    except (OSError, sqlite3.Error) as fault:
        raise Failed(f"{source} cannot be copied to {target}: {fault}") from None
    finally:
        with suppress(OSError):
            half.unlink()


@contextmanager
def _owned(target: Path) -> Iterator[None]:
    """Keep every service away from the ledger at *target*, whatever is in it."""
    try:
        ownership = Ownership(target)
    except LedgerInUse as fault:
        raise Failed(f"{fault} Stop the service before a restore.") from None
    except LedgerFault as fault:
        raise Failed(str(fault)) from None
    try:
        yield
    except OSError as fault:
        raise Failed(f"{target} cannot be replaced: {fault.strerror}") from None
    finally:
        ownership.release()


def _put_aside(target: Path) -> Path | None:
    """Move the ledger out of the way as it is: a damaged one may be all that somebody has."""
    if not target.exists():
        return None
    kept = target.with_name(f"ledger-{time.strftime('%Y%m%d-%H%M%S')}.sqlite")
    for part in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            target.with_name(target.name + part).replace(kept.with_name(kept.name + part))
    return kept
