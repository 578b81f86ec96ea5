"""What a game's clock has run since its newest row, kept beside the ledger: who restarts loses a second at most."""

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
    """The clock of a *game* of a *ledger* as it ran on after *row*: *game_ms* in all."""

    ledger: str
    row: int
    game: int
    game_ms: int


@shows("_descriptor")
class PulseFile:
    """The file beside a ledger, written over in place every second while a clock runs, and never waited for.

    So it costs a card next to nothing. What a power cut leaves of it may be older, or torn and then
    nothing: the beat in the ledger is behind it.
    """

    def __init__(self, ledger: Path) -> None:
        self._path = _beside(ledger)
        self._descriptor: int | None = None

    def write(self, pulse: Pulse) -> None:
        """Put *pulse* in the place of the one before; where that cannot be, nothing is lost but a few seconds."""
        text = f"{pulse.ledger:32} {pulse.row:020} {pulse.game:020} {pulse.game_ms:020}"
        try:
            if self._descriptor is None:
                self._descriptor = private(self._path, os.O_WRONLY | os.O_CREAT)
            os.pwrite(self._descriptor, f"{text} {_check(text)}\n".encode(), 0)
        except OSError:
            self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None


def pulse_beside(ledger: Path) -> Pulse | None:
    """Return what is kept beside *ledger*, None where nothing is, or nothing that is whole."""
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
