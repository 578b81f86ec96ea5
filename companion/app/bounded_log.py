"""The service's log. Its size is limited, so that a repeated error does not fill the card that stores the games."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import TextIO

from companion.kernel.shown import shows

BURST = 200_000
AN_HOUR = 100_000


@shows("_dropped")
class BoundedLog(logging.Handler):
    """Write log records to *stream*: at most `BURST` characters at once, and at most `AN_HOUR` characters per hour.

    It counts the records that it drops.
    """

    def __init__(self, stream: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._stream = stream
        self._now = now
        self._room: float = BURST
        self._as_of = now()
        self._dropped = 0
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write *record*, after the number of records dropped before it. If the limit is reached, drop it instead."""
        text = self._said_before() + self.format(record) + "\n"
        now = self._now()
        self._room = min(BURST, self._room + (now - self._as_of) * AN_HOUR / 3600)
        self._as_of = now
        if len(text) > self._room:
            self._dropped += 1
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._dropped += 1  # nobody reads the stream, or its disk is full; this error cannot be reported
            return
        self._room -= len(text)
        self._dropped = 0

    def _said_before(self) -> str:
        if not self._dropped:
            return ""
        return f"{self._dropped} earlier entries left out: the log has a limit.\n"


def bound_the_log() -> None:
    """Send all further log records to standard error, limited in size."""
    root = logging.getLogger()
    if not any(isinstance(each, BoundedLog) for each in root.handlers):
        root.addHandler(BoundedLog(sys.stderr))
