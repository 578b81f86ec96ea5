"""Locks that allow a ledger only one owner, even if it is opened through different paths.

The operating system releases these locks when the process ends.
"""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from threading import Lock

from companion.kernel.private_file import private
from companion.kernel.shown import shows
from companion.ledger.errors import LedgerFault, LedgerInUse

_NOTHING_CAN_BE_WRITTEN = (errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO)
_NOT_BY_US = (errno.EACCES, errno.EPERM, errno.EROFS)
_owned: set[tuple[int, int]] = set()
"""Device and inode of each ledger that this process owns."""
_owning = Lock()


@shows("_file", "_inode")
class LedgerLock:
    """Hold a ledger until `release` or the end of the process: both its name and the file itself are locked.

    A lock on the name alone is not enough: with a hard link, a symbolic link or a deleted lock file a second writer
    could open the ledger. A lock on the file alone is not enough either: while another file is moved to that name,
    there is no file to lock.
    """

    def __init__(self, ledger: Path) -> None:
        """Take the locks.

        Raises `LedgerInUse` if somebody holds them, and `LedgerFault` if no ledger can be stored there.
        """
        self._ledger = Path(os.path.realpath(ledger))
        self._file: int | None = None
        self._inode: tuple[int, int] | None = None
        self._name = _lock_file(self._ledger.with_name(self._ledger.name + ".lock"))
        try:
            _lock(self._name, ledger)
            self.hold()
        except BaseException:
            self.release()
            raise

    def hold(self) -> None:
        """Lock the file that the ledger's name refers to now, if it exists and is not locked yet."""
        inode = _inode(self._ledger)
        if inode is None or inode == self._inode:
            return
        with _owning:
            # Check this before opening the file, because closing a second descriptor of it would release the locks that
            # SQLite holds.
            if inode in _owned:
                raise _in_use(self._ledger)
            descriptor = _opened(self._ledger)
            try:
                _lock(descriptor, self._ledger)
            except LedgerInUse:
                _close(descriptor)
                raise
            self._let_go()
            self._file, self._inode = descriptor, inode
            _owned.add(inode)

    def release(self) -> None:
        """Release the ledger. Its connections must be closed before."""
        with _owning:
            self._let_go()
        # Do not delete the lock file, or two processes could each lock a different file of that name.
        _close(self._name)
        self._name = None

    def _let_go(self) -> None:
        _close(self._file)
        self._file = None
        if self._inode is not None:
            _owned.discard(self._inode)
            self._inode = None


def _in_use(ledger: Path) -> LedgerInUse:
    return LedgerInUse(f"Another companion is using {ledger}. Only one may write at a time.")


def _lock(descriptor: int | None, ledger: Path) -> None:
    if descriptor is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _in_use(ledger) from None


def _close(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _opened(path: Path) -> int | None:
    """Open the ledger to lock it. Return None if it is neither readable nor writable; then a lock is not needed."""
    for way in (os.O_RDWR, os.O_RDONLY):
        try:
            return os.open(path, way | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            if error.errno not in (*_NOT_BY_US, errno.EIO):
                raise LedgerFault(f"{path} can't be opened: {error.strerror}.") from error
    return None


def _lock_file(path: Path) -> int | None:
    """Open the lock file. Return None if nothing can be written there; then no other process can write either."""
    try:
        return private(path, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        if error.errno in _NOTHING_CAN_BE_WRITTEN:
            return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC) if path.exists() else None
        raise LedgerFault(f"There's no room for a ledger at {path.parent}: {error.strerror}.") from error
