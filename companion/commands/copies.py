"""`companion backup` and `restore`: copies made while the ledger is in use, put back only when it is not."""

from __future__ import annotations

import sqlite3
import time
from argparse import Namespace
from pathlib import Path

from companion.commands.exits import FINE, BadUse, Failed
from companion.commands.keeping import LEDGER
from companion.ledger import Ledger, LedgerFault


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
    source, target = Path(args.file), args.data / LEDGER
    _check(source)
    args.data.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"{LEDGER}.restoring")
    fresh.unlink(missing_ok=True)
    _copy(source, fresh)
    kept = _put_aside(target)
    fresh.replace(target)
    print(f"{source} is the ledger now." + (f" The one before it is kept as {kept}." if kept else ""))
    return FINE


def _check(source: Path) -> None:
    if not source.is_file():
        raise BadUse(f"{source} is no file")
    try:
        Ledger.read_only(source).close()
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
        half.unlink(missing_ok=True)


def _put_aside(target: Path) -> Path | None:
    """Move the ledger out of the way; refused while a service owns it."""
    if not target.exists():
        return None
    kept = target.with_name(f"ledger-{time.strftime('%Y%m%d-%H%M%S')}.sqlite")
    try:
        Ledger.open(target).close()
    except LedgerFault as fault:
        raise Failed(f"{fault} Stop the service before a restore.") from None
    _copy(target, kept)
    for file in (target, target.with_name(f"{LEDGER}-wal"), target.with_name(f"{LEDGER}-shm")):
        file.unlink(missing_ok=True)
    return kept
