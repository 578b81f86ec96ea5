"""One owner for a ledger: a lock of the operating system, which dies with the process that holds it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from companion.ledger.faults import LedgerInUse


class Ownership:
    """Holds the lock file beside a ledger until `release` or the end of the process."""

    def __init__(self, ledger: Path) -> None:
        """Take the lock or raise `LedgerInUse`; `OSError` when no lock file can be made."""
        self._descriptor = os.open(
            ledger.with_name(ledger.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise LedgerInUse(f"Another companion is using {ledger}. Only one may write at a time.") from None

    def release(self) -> None:
        """Let somebody else have the ledger."""
        os.close(self._descriptor)
