"""A copy of a ledger, made while the ledger is in use."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from companion.app.exit_codes import Failed
from companion.kernel.atomic_file import replacement
from companion.kernel.private_file import make_private


def copy_ledger(source: Path, target: Path) -> None:
    """Put a copy of *source* at *target*, whole or not at all, or raise `Failed`."""
    try:
        with replacement(target) as half:
            make_private(half)
            _copy(source, half)
    except (OSError, sqlite3.Error) as fault:
        raise Failed(f"{source} cannot be copied to {target}: {fault}") from None


def _copy(source: Path, half: Path) -> None:
    """Copy by SQLite's own backup, which sees one moment of a ledger that is being written."""
    origin = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)
    try:
        copy = sqlite3.connect(half)
        try:
            origin.backup(copy)
        finally:
            copy.close()
    finally:
        origin.close()
