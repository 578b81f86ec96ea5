"""One owner for a ledger: a lock of the operating system, which dies with the process that holds it."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

from companion.kernel.private_file import private
from companion.ledger.errors import LedgerFault, LedgerInUse


class Ownership:
    """Holds the lock file beside a ledger until `release` or the end of the process."""

    def __init__(self, ledger: Path) -> None:
        """Take the lock, or raise `LedgerInUse`; `LedgerFault` when there is no place for it."""
        self._descriptor = _lock_file(ledger.with_name(ledger.name + ".lock"))
        if self._descriptor is None:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise LedgerInUse(f"Another companion is using {ledger}. Only one may write at a time.") from None

    def release(self) -> None:
        """Let somebody else have the ledger."""
        if self._descriptor is not None:
            # The file itself stays: were it deleted, two could each hold a lock on one of that name.
            os.close(self._descriptor)
            self._descriptor = None


def _lock_file(path: Path) -> int | None:
    """Open the lock file; None where nothing can be written, so that nobody else can write either."""
    try:
        return private(path, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        if error.errno in (errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO):
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC) if path.exists() else None
        raise LedgerFault(f"There is no place for a ledger at {path.parent}: {error.strerror}.") from error
