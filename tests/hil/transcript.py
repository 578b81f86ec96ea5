"""A transcript of what went over a ring's wire during one test, with times. `companion` can replay it as a capture."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Iterable

from firmware_bridge.capture.reader import ring_header
from rungs.capture import NOTE, OPENED, RECEIVED, SENT, CaptureEntry, Pieces, written
from rungs.wire import Wire

MOST = 200  # Enough for several passages: one has about forty lines with its orders.
ORDER = re.compile(rb"\$(set|arm|lamp|under) ([^*$\n]*)\*")


class Transcript:
    """The last `MOST` lines of both directions. *now* returns the ring's time in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.begin("")

    def begin(self, test: str) -> None:
        """Begin a new transcript for *test*."""
        self._start = self._now()
        self._head = ring_header(test or "no test", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "a rung")
        self._lines: deque[str] = deque(maxlen=MOST)
        self._pieces = {mark: Pieces(mark) for mark in (RECEIVED, SENT)}

    def passed(self, mark: str, data: bytes) -> None:
        """Add *data* that went over the wire: `HEARD` from the ring, or `SAID` to it."""
        self._keep(self._pieces[mark].feed(self._at_ms, data))

    def note(self, text: str) -> None:
        """Add a remark, such as the deed that a hand was asked for."""
        self._keep([CaptureEntry(self._at_ms, NOTE, text.encode())])

    def text(self) -> str:
        """Return the transcript as the text of a capture. It may end with half a line."""
        for pieces in self._pieces.values():
            self._keep(pieces.end(self._at_ms))
        return "\n".join([self._head, *self._lines, ""])

    @property
    def _at_ms(self) -> float:
        return (self._now() - self._start) * 1000

    def _keep(self, entries: Iterable[CaptureEntry]) -> None:
        self._lines.extend(written(entry) for entry in entries)


class Overheard:
    """A wire whose bytes go into a *transcript*. *changed* collects the settings and orders that were sent."""

    def __init__(self, wire: Wire, transcript: Transcript, changed: set[str]) -> None:
        self.name = wire.name
        self.heard = b""
        self._wire = wire
        self._transcript = transcript
        self._changed = changed
        transcript.note(f"{OPENED} {wire.name}")

    def read(self, timeout_s: float) -> bytes:
        """Read bytes, and record them."""
        data = self._wire.read(timeout_s)
        self.heard += data
        self._transcript.passed(RECEIVED, data)
        return data

    def write(self, data: bytes) -> None:
        """Write *data*, and record it."""
        self._transcript.passed(SENT, data)
        self._changed |= changes(data)
        self._wire.write(data)

    def close(self) -> None:
        """Close the wire."""
        self._wire.close()


def changes(said: bytes) -> set[str]:
    """Return what the orders in *said* change: the names of settings, and the words of other orders.

    >>> sorted(changes(b"$set h=a c=1 edge=4000*00000000$arm h=a c=2 tok=5*00000000"))
    ['arm', 'edge']
    """
    found = set()
    for word, fields in ORDER.findall(said):
        keys = {pair.partition(b"=")[0].decode("latin-1") for pair in fields.split(b" ")} - {"h", "c"}
        found |= keys if word == b"set" else {word.decode()}
    return found
