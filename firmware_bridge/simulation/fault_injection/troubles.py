"""Troubles on request: one word for each thing that may go wrong between host and ring, the same for every ring.

A script names them (`{"trouble": "restarted"}`), and so do the tests of every
ring. Those of the line are made on the host's side of any wire (`TroubleWire`),
those of the device by whoever simulates it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from random import Random

from companion.kernel.shown import shows
from firmware_bridge.simulation.fault_injection.line_noise import WAYS, LineNoise
from firmware_bridge.transport.streams import Wire

LATE_S = 0.3  # bytes that are delayed come so much later at most
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
"""How many versions of the protocol away such a device is."""


@shows("name")
class TroubleWire:
    """Any *wire*, with one of the troubles of a `LINE` in both directions until it is `calm`.

    Of the bytes (when *delayed*: of the portions) a share *rate* is hit, drawn from *lots*. *pause* lets time pass
    while an `unread` wire is not read, for *unread_s*.
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
        """How many bytes or portions were hit so far."""
        return self._down.hits + self._up.hits

    def calm(self) -> None:
        """End the trouble; what is late still comes late."""
        self._unread_until = float("-inf")
        self._down.calm()
        self._up.calm()

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived, as soon as anything has; nothing after *timeout_s* or when woken."""
        until = self._now() + timeout_s
        if self._now() < self._unread_until:
            self._pause(min(until, self._unread_until) - self._now())
            return b""
        self._send()
        if not (data := self._up.take(self._now())):
            heard = self._wire.read(max(min(until, self._up.due, self._down.due) - self._now(), 0.0))
            self._up.put(heard, self._now())
            data = self._up.take(self._now())
        self._send()
        return data

    def write(self, data: bytes) -> None:
        """Send what is left of *data*, when it is time."""
        self._down.put(data, self._now())
        self._send()

    def close(self) -> None:
        """Let the connection go."""
        self._wire.close()

    def _send(self) -> None:
        if data := self._down.take(self._now()):
            self._wire.write(data)


@shows("_delayed", "_waiting")
class _Way:
    """One direction of a line; what was put in comes out in its order."""

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
        """When something comes out next (inf: nothing is in it)."""
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
