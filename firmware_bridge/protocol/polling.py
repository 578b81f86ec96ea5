"""Requests that the host repeats until they are answered: pings, status dumps and replays of events.

They change nothing on the device, so unlike orders they need no number and no answer to each
sending.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.kernel.shown import shows
from firmware_bridge.protocol.messages import DeviceStanding, Pong

PING_S = 1.0
REMEMBERED = 8  # pings whose answers are still accepted: a pong may take seconds over a slow link
DUMP_S = 0.2

Question = tuple[str, tuple[tuple[str, object], ...]]


@shows("dump_wanted", "replay_due", "_behind_at")
class Polling:
    """The open requests of one session."""

    def __init__(self, now: float) -> None:
        self.dump_wanted = True
        self.replay_due = False
        self._dump_at = now
        self._ping_at = now
        self._pinged: dict[int, float] = {}
        self._ping = 0
        self._behind_at = -1

    def due(self, now: float) -> float:
        """Return the time in seconds of the next request."""
        if self.replay_due:
            return now
        return min(self._ping_at, self._dump_at) if self.dump_wanted else self._ping_at

    def outgoing(self, now: float, recorded: int) -> Iterator[Question]:
        """Yield the requests that are due now. *recorded* is the number of the newest committed event."""
        if self.replay_due:
            self.replay_due = False
            yield "replay", (("n", recorded + 1),)
        if self.dump_wanted and now >= self._dump_at:
            self._dump_at = now + DUMP_S
            yield "dump", ()
        if now >= self._ping_at:
            self._ping += 1
            self._ping_at = now + PING_S
            self._pinged[self._ping] = now
            self._pinged.pop(self._ping - REMEMBERED, None)
            yield "ping", (("id", self._ping),)

    def round_trip(self, pong: Pong, now: float) -> tuple[float, float] | None:
        """Return the round trip and the time at its middle, in seconds, or None if the ping is not open any more.

        Each ping has its own number, so a late answer is still a valid measurement.
        """
        asked = self._pinged.pop(pong.id, None)
        return None if asked is None else (now - asked, (now + asked) / 2)

    def compare(self, standing: DeviceStanding, highest: int) -> None:
        """Request a replay if two reports in a row name an event newer than *highest* and nothing arrived between."""
        if standing.dump:
            self.dump_wanted = False
        behind = standing.last > highest
        self.replay_due = behind and highest == self._behind_at
        self._behind_at = highest if behind and not self.replay_due else -1
