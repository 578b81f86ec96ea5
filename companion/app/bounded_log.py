"""The service's log, bounded: whatever goes wrong again and again does not fill the card that the games are kept on."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import TextIO

from companion.kernel.shown import shows

BURST = 200_000
AN_HOUR = 100_000


@shows("_left_out")
class BoundedLog(logging.Handler):
    """Writes to *stream*: so many characters at once (`BURST`), so many an hour then; counts what it leaves out."""

    def __init__(self, stream: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._stream = stream
        self._now = now
        self._room: float = BURST
        self._as_of = now()
        self._left_out = 0
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write *record*, after a word about those that were left out before it; or leave it out."""
        text = self._said_before() + self.format(record) + "\n"
        now = self._now()
        self._room = min(BURST, self._room + (now - self._as_of) * AN_HOUR / 3600)
        self._as_of = now
        if len(text) > self._room:
            self._left_out += 1
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._left_out += 1  # nobody reads it, or its disk is full: there is nowhere else to say so
            return
        self._room -= len(text)
        self._left_out = 0

    def _said_before(self) -> str:
        if not self._left_out:
            return ""
        return f"{self._left_out} earlier entries left out: the log has a limit.\n"


def bound_the_log() -> None:
    """Have everything that is logged from here on go to standard error, bounded."""
    root = logging.getLogger()
    if not any(isinstance(each, BoundedLog) for each in root.handlers):
        root.addHandler(BoundedLog(sys.stderr))
