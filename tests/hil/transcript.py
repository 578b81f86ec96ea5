"""What a ring is told over its wire, beside the transcript of the test kit: which settings and orders have changed."""

from __future__ import annotations

import re

from rungs.capture import CapturedWire, Transcript
from rungs.wire import Wire

ORDER = re.compile(rb"\$(set|arm|lamp|under) ([^*$\n]*)\*")


class Overheard(CapturedWire):
    """A wire whose bytes go into a *transcript*. *changed* collects the settings and orders that were sent."""

    def __init__(self, wire: Wire, transcript: Transcript, changed: set[str]) -> None:
        super().__init__(wire, transcript)
        self.heard = b""
        self._changed = changed

    def read(self, timeout_s: float) -> bytes:
        """Read bytes, and record them."""
        data = super().read(timeout_s)
        self.heard += data
        return data

    def write(self, data: bytes) -> None:
        """Write *data*, and record it."""
        self._changed |= changes(data)
        super().write(data)


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
