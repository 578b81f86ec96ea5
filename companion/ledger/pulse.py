"""The `.clock` file of a ledger: how far a game's clock has run. A restart loses at most one second of it."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from companion.kernel.private_file import private
from companion.kernel.shown import shows

SUFFIX = ".clock"


@dataclass(frozen=True)
class Pulse:
    """A reading of a game's clock: *game_ms* in all, taken when *row* was the newest row of *ledger*."""

    ledger: str
    row: int
    game: int
    game_ms: int


@shows("_descriptor")
class PulseFile:
    """The `.clock` file of a ledger, overwritten in place every second while a clock runs, and never synced.

    Not syncing it spares the SD card. After a power cut it may be out of date or torn. A torn file is ignored, and the
    latest `beat` row in the ledger is used instead.
    """

    def __init__(self, ledger: Path) -> None:
        self._path = _beside(ledger)
        self._descriptor: int | None = None

    def write(self, pulse: Pulse) -> None:
        """Overwrite the file with *pulse*. If that fails, a restart loses only a few seconds of the clock."""
        text = f"{pulse.ledger:32} {pulse.row:020} {pulse.game:020} {pulse.game_ms:020}"
        try:
            if self._descriptor is None:
                self._descriptor = private(self._path, os.O_WRONLY | os.O_CREAT)
            os.pwrite(self._descriptor, f"{text} {_check(text)}\n".encode(), 0)
        except OSError:
            self.close()

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None


def pulse_beside(ledger: Path) -> Pulse | None:
    """Return the contents of the `.clock` file of *ledger*, or None if it is missing or torn."""
    try:
        text = _beside(ledger).read_bytes().partition(b"\n")[0].decode("ascii")
    except (OSError, UnicodeDecodeError):
        return None
    told, _, check = text.rpartition(" ")
    if check != _check(told):
        return None
    return Pulse(told[:32].strip(), *map(int, told[33:].split()))


def _beside(ledger: Path) -> Path:
    resolved = ledger.resolve()
    return resolved.with_name(resolved.name + SUFFIX)


def _check(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()
