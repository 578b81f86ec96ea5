"""Named troubles between host and ring, the same for every kind of ring.

Scripts (`{"trouble": "restarted"}`) and the tests of all rings use these names. `TroubleWire`
creates the line's troubles on the host's side of any wire; each simulated ring creates the device's
troubles itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from random import Random

from companion.kernel.shown import shows
from firmware_bridge.simulation.fault_injection.line_noise import WAYS, LineNoise
from firmware_bridge.transport.streams import Wire

LATE_S = 0.3  # the longest delay of a delayed portion
LINE: Mapping[str, str] = {
    "damaged": "a share of the bytes changes on the way, in both directions",
    "lost": "a share of the bytes never arrives, in both directions",
    "doubled": "a share of the bytes arrives twice, in both directions",
    "delayed": "a share of the portions arrives late, in both directions, and what follows waits behind it",
    "unread": "for a while the host reads nothing",
}
DEVICE: Mapping[str, str] = {
    "unplugged": "the plug is pulled, and put back after a while",
    "restarted": "the device restarts: what it kept and was armed for is gone",
    "sensor-gone": "the colour sensor answers no more",
    "sensor-back": "the colour sensor answers again, as it is after power has come back",
    "store-full": "more happens than the device has room for",
    "wrapped": "the device restarts, with its microsecond counter about to wrap",
    "older": "the device restarts with the firmware version before ours",
    "newer": "the device restarts with the firmware version after ours",
}
TROUBLES: Mapping[str, str] = {**LINE, **DEVICE}
FROM_OURS: Mapping[str, int] = {"older": -1, "newer": 1}
"""The version of the protocol that such a device speaks, relative to ours."""


@shows("name")
class TroubleWire:
    """Wraps any *wire* with one of the `LINE` troubles in both directions, until `calm` is called.

    A share *rate* of the bytes (for `delayed`: of the portions) is affected, drawn from *lots*. For
    `unread` nothing is read for *unread_s* seconds; *pause* is called to let that time pass.
    """

    def __init__(
        self,
        wire: Wire,
        word: str,
        now: Callable[[], float],
        pause: Callable[[float], object],
        lots: Random,
        rate: float = 0.002,
        unread_s: float = 0.0,
    ) -> None:
        self.name = wire.name
        self._wire = wire
        self._now = now
        self._pause = pause
        self._unread_until = now() + unread_s if word == "unread" else float("-inf")
        self._down, self._up = _Way(word, rate, lots), _Way(word, rate, lots)

    @property
    def hits(self) -> int:
        """The number of bytes or portions affected so far."""
        return self._down.hits + self._up.hits

    def calm(self) -> None:
        """End the trouble. Portions that are already delayed stay delayed."""
        self._unread_until = float("-inf")
        self._down.calm()
        self._up.calm()

    def read(self, timeout_s: float) -> bytes:
        """Return bytes as soon as any have arrived, or empty bytes after *timeout_s* or when interrupted."""
        until = self._now() + timeout_s
        if self._now() < self._unread_until:
            self._pause(min(until, self._unread_until) - self._now())
            return b""
        self._send()
        if not (data := self._up.take(self._now())):
            received = self._wire.read(max(min(until, self._up.due, self._down.due) - self._now(), 0.0))
            self._up.put(received, self._now())
            data = self._up.take(self._now())
        self._send()
        return data

    def write(self, data: bytes) -> None:
        """Send *data* after damage or delay."""
        self._down.put(data, self._now())
        self._send()

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()

    def _send(self) -> None:
        if data := self._down.take(self._now()):
            self._wire.write(data)


@shows("_delayed", "_waiting")
class _Way:
    """One direction of a line. Data comes out in the order in which it was put in."""

    def __init__(self, word: str, rate: float, lots: Random) -> None:
        self._damage = LineNoise(rate, lots, (word,)) if word in WAYS else LineNoise.none()
        self._late = rate if word == "delayed" else 0.0
        self._lots = lots
        self._delayed = 0
        self._waiting: deque[tuple[float, bytes]] = deque()

    @property
    def hits(self) -> int:
        return self._damage.damaged + self._delayed

    @property
    def due(self) -> float:
        """The time at which data comes out next, or infinity."""
        return self._waiting[0][0] if self._waiting else float("inf")

    def calm(self) -> None:
        self._damage = LineNoise.none(self._damage.damaged)
        self._late = 0.0

    def put(self, data: bytes, now: float) -> None:
        if left := self._damage.passed(data):
            earliest = self._waiting[-1][0] if self._waiting else now
            self._waiting.append((max(earliest, now + self._delay()), left))

    def take(self, now: float) -> bytes:
        out = b""
        while self._waiting and self._waiting[0][0] <= now:
            out += self._waiting.popleft()[1]
        return out

    def _delay(self) -> float:
        if not self._late or self._lots.random() >= self._late:
            return 0.0
        self._delayed += 1
        return self._lots.uniform(0, LATE_S)
