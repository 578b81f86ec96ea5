"""Decide which rows to send next to one receiver, without I/O and without a clock: all values are arguments.

The ledger itself is the outbox. Its rows never change, so the only state is one number: the newest row that the
receiver has on its disk. Only the receiver's acknowledgement changes it, never a broker's. At most `WINDOW` batches are
sent beyond it. Without progress for `AGAIN_S` seconds, one batch is sent again from there, until an acknowledgement
comes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.club.batch import Ack, AckState
from companion.kernel.shown import shows

WINDOW = 8
AGAIN_S = 5.0
HELD_S = 30.0
"""The pause after the receiver has reported that it can't take rows now, in seconds."""


@dataclass(frozen=True)
class Cursor:
    """What a receiver has stored: the rows up to *upto*, whose checksum is *digest*, and the changes of names."""

    upto: int = 0
    digest: object = None
    names: str = ""


@shows("cursor", "sent", "state")
class DueRows:
    """Decides which rows and changes of names are sent to one receiver, and when."""

    def __init__(self, cursor: Cursor, now: float = 0.0) -> None:
        """Continue at *cursor*. Here and in all methods, *now* is in seconds."""
        self.cursor = cursor
        self.sent = cursor.upto
        self.state = AckState.OK
        self._ends: list[int] = []
        """For each batch that is not acknowledged, its newest row; oldest batch first."""
        self._window = WINDOW
        self._progress = now
        self._held = now
        self._names_at: float | None = None
        self._names_sent = cursor.names

    def due(self, last: int, now: float) -> int | None:
        """Return the row after which the next batch begins, or None. *last* is the newest row of the ledger."""
        if now < self._held:
            return None
        if self._ends and now - self._progress >= AGAIN_S:
            self.sent, self._window, self._progress = self.cursor.upto, 1, now
            self._ends.clear()
        return self.sent if self.sent < last and len(self._ends) < self._window else None

    def went(self, last: int, now: float) -> None:
        """Record that a batch up to row *last* was sent."""
        if not self._ends:
            self._progress = now
        self._ends.append(last)
        self.sent = last

    def names_due(self, mark: str, now: float) -> bool:
        """Return whether the changes of names, identified by *mark*, must be sent now."""
        if mark == self.cursor.names or now < self._held:
            return False
        fresh = mark != self._names_sent or self._names_at is None or now - self._names_at >= AGAIN_S
        return fresh and len(self._ends) < self._window

    def names_went(self, mark: str, now: float) -> None:
        """Record that the changes of names identified by *mark* were sent."""
        self._names_sent, self._names_at = mark, now

    def retry(self, now: float) -> None:
        """Send everything again that is not acknowledged, because the receiver has just returned."""
        self._progress, self._held = now - AGAIN_S, now
        self._names_at = None

    def wait_s(self, now: float) -> float | None:
        """Return the seconds until something may be due even if nothing else happens, or None."""
        if now < self._held:
            return self._held - now
        waits = [self._progress] if self._ends else []
        if self._names_at is not None and self._names_sent != self.cursor.names:
            waits.append(self._names_at)
        return max(0.0, min(waits) + AGAIN_S - now) if waits else None

    def acked(self, ack: Ack, now: float) -> None:
        """Update the cursor from an acknowledgement for this ledger and epoch. The caller has compared its checksum."""
        self.state = ack.state
        if ack.state is AckState.OK and ack.upto >= self.cursor.upto:
            self.cursor = Cursor(ack.upto, ack.digest, ack.names)
            self.sent = max(self.sent, ack.upto)
            self._ends = [end for end in self._ends if end > ack.upto]
            self._window, self._progress, self._held = WINDOW, now, now
        elif ack.state is AckState.GAP:
            self.cursor = replace(self.cursor, upto=ack.upto, digest=ack.digest, names=ack.names)
            self.sent = ack.upto
            self._ends.clear()
            self._progress = now
        elif ack.state is not AckState.OK:
            self._held = now + HELD_S
            self.sent = self.cursor.upto
            self._ends.clear()
