"""The newest checksum, kept beside the ledger: what was cut off at the ledger's end is noticed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from companion.kernel.private_file import private, write_private
from companion.kernel.shown import shows

SUFFIX = ".newest"
EVERY_S = 0.05


@dataclass(frozen=True)
class Newest:
    """Which row of which ledger was the newest, with its game (0 for none) and its checksum."""

    ledger: str
    number: int
    game: int
    digest: bytes


class Torn(Exception):
    """What lies beside the ledger is not what was written there."""


@shows("_descriptor", "_written")
class NewestFile:
    """The file beside a ledger, written over in place after commits.

    But for the first time it is not synced, and in a burst of commits not written after each, so that it costs next to
    nothing. So it may tell of a row before the newest, never of one that is not on the disk: the commit comes first.
    """

    def __init__(self, ledger: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._path = beside(ledger)
        self._now = now
        self._descriptor: int | None = None
        self._told: tuple[str, int, int | None, bytes] | None = None
        self._written = -EVERY_S

    def tell(self, ledger: str, number: int, game: int | None, digest: bytes) -> None:
        """Take note of the newest row, and put it in the place of the one before, soon."""
        self._told = (ledger, number, game, digest)
        if self._now() - self._written >= EVERY_S:
            self.write()

    def write(self) -> None:
        """Put what was told last in its place, if it is not there yet: always as long, with a checksum of its own."""
        if self._told is None:
            return
        ledger, number, game, digest = self._told
        text = f"{ledger:32} {number:020} {game or 0:020} {digest.hex()}"
        line = f"{text} {_check(text)}\n"
        try:
            if self._descriptor is None:
                if not self._path.exists():
                    # Waited for this once: of a new file a power cut leaves an empty one, as if it were harmed.
                    write_private(self._path, line)
                self._descriptor = private(self._path, os.O_RDWR)
            os.pwrite(self._descriptor, line.encode(), 0)
            self._told, self._written = None, self._now()
        except OSError:
            self._let_go()  # the rows are on the disk: this lags behind them, and is tried again with the next

    def close(self) -> None:
        """Write what is left and let go of the file."""
        self.write()
        self._let_go()

    def _let_go(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def beside(ledger: Path) -> Path:
    """Return where the newest checksum of *ledger* is kept: beside the file itself, whatever name led there."""
    resolved = Path(os.path.realpath(ledger))
    return resolved.with_name(resolved.name + SUFFIX)


def newest_beside(ledger: Path) -> Newest | None:
    """Return what is kept beside *ledger*, None where nothing is, or raise `Torn`."""
    try:
        text = beside(ledger).read_bytes().partition(b"\n")[0].decode("ascii")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as fault:
        raise Torn(str(fault)) from fault
    told, _, check = text.rpartition(" ")
    if check != _check(told):
        raise Torn("its own checksum doesn't match")
    return Newest(told[:32].strip(), int(told[33:53]), int(told[54:74]), bytes.fromhex(told[75:]))


def _check(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()
