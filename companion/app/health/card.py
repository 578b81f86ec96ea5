"""Test the storage of the data folder: write it, read it back, and measure how long a commit takes."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median

from companion.app.health.finding import HealthFinding, care, fine, note
from companion.app.health.permissions import name_of
from companion.kernel.private_file import private

COMMITS = 9
PAGE = 4096
SLOW_MS, TOO_SLOW_MS = 100.0, 1_000.0
"""Limits for the duration of a commit, in milliseconds.

From `SLOW_MS` on, a tap feels slow. From `TOO_SLOW_MS` on, nobody can play.
"""

_KEEP = "Copy the ledger to another disk first (companion backup FILE)"
_WORDS = {
    errno.ENOSPC: "{folder} is full: nothing can be saved. The ledger is safe: "
    "leave it there, and move other files away.",
    errno.EROFS: "{folder} is now read-only: nothing can be saved. " + _KEEP + ", then restart the computer; a "
    "card that does it again is worn out.",
    errno.EIO: "The card under {folder} fails ({why}): don't trust it. " + _KEEP + ", then use a new card.",
    errno.EACCES: "This user can't write in {folder}: nothing can be saved. It belongs to {owner}: run this and "
    "the service, as that user.",
}
_WORDS |= {errno.EDQUOT: _WORDS[errno.ENOSPC], errno.EPERM: _WORDS[errno.EACCES]}
_OTHER = "{folder} can't be written ({why}): nothing can be saved. " + _KEEP + "."
_OTHERWISE = "{folder} doesn't read back what was written: the card is worn out. " + _KEEP + ", then use a new card."


class StorageCard:
    """The storage operations of the check.

    Tests of this module replace it by a full, read-only, failing or slow card.
    """

    def make(self, path: Path) -> int:
        """Open a new file at *path*."""
        return private(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)

    def commit(self, descriptor: int, page: bytes, at: int) -> None:
        """Write *page* in the same way as a commit of the ledger, and return when it is on the card."""
        os.pwrite(descriptor, page, at)
        os.fsync(descriptor)

    def read(self, descriptor: int, size: int) -> bytes:
        """Return the first *size* bytes.

        If the system allows it, they are read from the card and not from the page cache.
        """
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        return os.pread(descriptor, size, 0)

    def now(self) -> float:
        """Return a monotonic time in seconds."""
        return time.perf_counter()


CARD = StorageCard()


def probed(folder: Path, card: StorageCard = CARD) -> HealthFinding:
    """Write, sync, read back and delete a few pages in *folder*, and return the finding."""
    try:
        with _file_of_ours(folder, card) as descriptor:
            took = list(_commits(descriptor, card))
            whole = card.read(descriptor, COMMITS * PAGE) == _pages()
    except OSError as fault:
        return care("card", _why_not(fault, folder))
    if not whole:
        return care("card", _OTHERWISE.format(folder=folder))
    return _speed(folder, took)


def _why_not(fault: OSError, folder: Path) -> str:
    """Return a sentence that says what *fault* means, with advice. Following the advice never destroys data."""
    words = _WORDS.get(fault.errno or 0, _OTHER)
    return words.format(folder=folder, why=fault.strerror or fault, owner=name_of(folder.stat().st_uid))


@contextmanager
def _file_of_ours(folder: Path, card: StorageCard) -> Iterator[int]:
    path = folder / f".probe.{os.urandom(4).hex()}"
    descriptor = card.make(path)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
        with suppress(OSError):  # if the card has become read-only, that is reported anyway
            path.unlink()


def _commits(descriptor: int, card: StorageCard) -> Iterator[float]:
    """Yield the duration of each commit in milliseconds."""
    pages = _pages()
    for at in range(0, len(pages), PAGE):
        began = card.now()
        card.commit(descriptor, pages[at : at + PAGE], at)
        yield (card.now() - began) * 1000


def _pages() -> bytes:
    """Return the pages to write. They all differ, so that swapped pages are detected."""
    return b"".join(bytes([number]) * PAGE for number in range(1, COMMITS + 1))


def _speed(folder: Path, took: list[float]) -> HealthFinding:
    usual = median(took)
    measured = f"a commit takes {usual:.1f} ms ({max(took):.1f} at worst; up to {SLOW_MS:.0f} is fine)"
    if usual > SLOW_MS:
        finding = care if usual > TOO_SLOW_MS else note
        return finding("card", f"The card under {folder} is slow: {measured}. Use a faster one, of class A1 or A2.")
    return fine("card", f"{folder} reads back what was written; {measured}.")
