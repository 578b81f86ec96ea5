"""Trouble on a line: bytes are spoilt, lost or doubled, portions are late, the line stalls or breaks.

Everything is drawn from a seed, byte by byte, so that the same bytes are hit however a line cuts them into portions:

>>> line = Damage(0.2, Random(7), ["lose"])
>>> whole = line.passed(b"0123456789")
>>> again = Damage(0.2, Random(7), ["lose"])
>>> again.passed(b"0123") + again.passed(b"456789") == whole
True

This module imports the standard library only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from math import log1p
from random import Random

from rungs.wire import GONE, Sentence, Wire, WireLost

SPOIL, LOSE, DOUBLE, DELAY, STALL, BREAK = "spoil", "lose", "double", "delay", "stall", "break"
WORDS: Mapping[str, str] = {
    SPOIL: "a share of the bytes arrives with one bit changed",
    LOSE: "a share of the bytes never arrives",
    DOUBLE: "a share of the bytes arrives twice",
    DELAY: "a share of the portions arrives late, and what follows waits behind it",
    STALL: "for a while nothing arrives, then everything",
    BREAK: "the connection is lost",
}
BYTES = (SPOIL, LOSE, DOUBLE)
"""The troubles that hit single bytes."""
TO_DEVICE, TO_HOST, BOTH = "to-device", "to-host", "both"
WAYS = (BOTH, TO_DEVICE, TO_HOST)
RATE = 0.002
LATE_S = 0.3  # the longest delay of a delayed portion


class Damage:
    """Damages a share *rate* of the bytes, each in one of *how* (`BYTES`), drawn from *lots*."""

    def __init__(self, rate: float, lots: Random, how: Sequence[str] = BYTES) -> None:
        self._rate = rate
        self._lots = lots
        self._how = how
        self._spared = self._run()
        self.damaged = 0

    def __repr__(self) -> str:
        return f"<Damage damaged={self.damaged} rate={self._rate:g}>"

    @classmethod
    def none(cls, damaged: int = 0) -> Damage:
        """Return a line that damages nothing. *damaged* is the initial count of damaged bytes."""
        line = cls(0.0, Random(0))
        line.damaged = damaged
        return line

    def become(self, rate: float, how: Sequence[str] = BYTES) -> None:
        """Change the rate and the kinds of damage."""
        self._rate, self._how = rate, how
        self._spared = self._run()

    def passed(self, data: bytes) -> bytes:
        """Return *data* after damage."""
        if self._spared >= len(data):
            self._spared -= len(data)
            return data
        whole = bytearray()
        rest = data
        while self._spared < len(rest):
            at = int(self._spared)
            whole += rest[:at] + self._hit(rest[at])
            rest = rest[at + 1 :]
            self._spared = self._run()
        self._spared -= len(rest)
        return bytes(whole + rest)

    def _run(self) -> float:
        """Return how many bytes pass undamaged before the next damaged one."""
        if self._rate <= 0:
            return float("inf")
        if self._rate >= 1:
            return 0
        return log1p(-self._lots.random()) // log1p(-self._rate)

    def _hit(self, byte: int) -> bytes:
        self.damaged += 1
        how = self._how[self._lots.randrange(len(self._how))]
        if how == SPOIL:
            return bytes([byte ^ (1 << self._lots.randrange(8))])
        return b"" if how == LOSE else bytes([byte, byte])


class Way:
    """One direction of a line. Data comes out in the order in which it was put in. Times are arguments, in seconds."""

    def __init__(self, lots: Random) -> None:
        self._lots = lots
        self._damage = Damage.none()
        self._late = 0.0
        self._late_s = LATE_S
        self._delayed = 0
        self._held_until = float("-inf")
        self._waiting: deque[tuple[float, bytes]] = deque()

    def __repr__(self) -> str:
        return f"<Way hits={self.hits} waiting={len(self._waiting)}>"

    @property
    def hits(self) -> int:
        """The number of bytes or portions affected so far."""
        return self._damage.damaged + self._delayed

    @property
    def due(self) -> float:
        """The time at which data comes out next, or infinity."""
        return max(self._waiting[0][0], self._held_until) if self._waiting else float("inf")

    def seed(self, seed: str) -> None:
        """Draw everything from *seed* from now on."""
        self._lots.seed(seed)

    def damage(self, rate: float, how: Sequence[str]) -> None:
        """Let a share *rate* of the bytes be hit from now on, each in one of *how*."""
        so_far = self._damage.damaged
        self._damage = Damage(rate, self._lots, how)
        self._damage.damaged = so_far

    def delay(self, rate: float, longest_s: float = LATE_S) -> None:
        """Let a share *rate* of the portions be late from now on, by *longest_s* seconds at most."""
        self._late, self._late_s = rate, longest_s

    def hold(self, until: float) -> None:
        """Let nothing out before the time *until*."""
        self._held_until = until

    def calm(self) -> None:
        """End the trouble. Portions that are already delayed stay delayed."""
        self._damage = Damage.none(self._damage.damaged)
        self._late = 0.0
        self._held_until = float("-inf")

    def put(self, data: bytes, now: float) -> None:
        """Accept *data* at one end."""
        if left := self._damage.passed(data):
            earliest = self._waiting[-1][0] if self._waiting else now
            self._waiting.append((max(earliest, now + self._delay()), left))

    def take(self, now: float) -> bytes:
        """Return what arrives at the other end."""
        out = b""
        while self._waiting and self.due <= now:
            out += self._waiting.popleft()[1]
        return out

    def _delay(self) -> float:
        if not self._late or self._lots.random() >= self._late:
            return 0.0
        self._delayed += 1
        return self._lots.uniform(0, self._late_s)


class Line:
    """Both directions of a line, and the troubles on it. *lots* are those of the way to the device and to the host."""

    def __init__(self, lots: tuple[Random, Random]) -> None:
        self.down, self.up = Way(lots[0]), Way(lots[1])
        self.broken = False

    def __repr__(self) -> str:
        return f"<Line hits={self.hits} broken={self.broken}>"

    @classmethod
    def seeded(cls, seed: object) -> Line:
        """Return a line whose two directions draw from one *seed*, each by itself."""
        line = cls((Random(), Random()))
        line.seed(seed)
        return line

    def seed(self, seed: object) -> None:
        """Draw the next troubles from *seed*, each direction by itself."""
        self.down.seed(f"{seed} {TO_DEVICE}")
        self.up.seed(f"{seed} {TO_HOST}")

    @property
    def hits(self) -> int:
        """The number of bytes or portions affected so far."""
        return self.down.hits + self.up.hits

    @property
    def due(self) -> float:
        """The time at which data comes out next in either direction, or infinity."""
        return min(self.down.due, self.up.due)

    def begin(self, word: str, now: float, rate: float = RATE, seconds: float = LATE_S, ways: str = BOTH) -> None:
        """Begin the trouble *word*, one of `WORDS`, or several of `BYTES` with a `+` between (`spoil+lose`).

        *rate* is the share that is hit, *seconds* the longest delay or the time of a stall. Raise
        ValueError with a sentence for anything else.
        """
        if ways not in WAYS:
            raise ValueError(f"{ways!r} is no way of a line: choose from {', '.join(WAYS)}.")
        if not 0 <= rate <= 1:
            raise ValueError(f"A rate is a share from 0 to 1, or from 0% to 100%, not {rate:g}.")
        words = word.split("+")
        if not (set(words) <= set(BYTES) or (word in WORDS)):
            raise ValueError(f"{word!r} is no trouble: choose from {', '.join(WORDS)}.")
        self.broken = self.broken or word == BREAK
        for way in self._of(ways):
            if word == DELAY:
                way.delay(rate, seconds)
            elif word == STALL:
                way.hold(now + seconds)
            elif word != BREAK:
                way.damage(rate, words)

    def calm(self) -> None:
        """End all troubles. A connection that is lost already has to be opened again."""
        self.broken = False
        self.down.calm()
        self.up.calm()

    def _of(self, ways: str) -> tuple[Way, ...]:
        return {BOTH: (self.down, self.up), TO_DEVICE: (self.down,), TO_HOST: (self.up,)}[ways]


class TroubleWire:
    """Wraps any *wire*: what goes over it also goes over *line*, with its troubles.

    *now* is the clock. For `unread_s` seconds from now the host reads nothing, and *pause* is called to
    let that time pass.
    """

    def __init__(
        self,
        wire: Wire,
        line: Line,
        now: Callable[[], float],
        pause: Callable[[float], object] = lambda seconds: None,
        unread_s: float = 0.0,
    ) -> None:
        self.name = wire.name
        self.line = line
        self._wire = wire
        self._now = now
        self._pause = pause
        self._unread_until = now() + unread_s if unread_s else float("-inf")

    def __repr__(self) -> str:
        return f"<TroubleWire name={self.name!r} hits={self.hits}>"

    @property
    def hits(self) -> int:
        """The number of bytes or portions affected so far."""
        return self.line.hits

    def calm(self) -> None:
        """End all troubles."""
        self._unread_until = float("-inf")
        self.line.calm()

    def read(self, timeout_s: float) -> bytes:
        """Return bytes as soon as any have arrived, or empty bytes after *timeout_s* or when interrupted."""
        until = self._now() + timeout_s
        if self._now() < self._unread_until:
            self._pause(min(until, self._unread_until) - self._now())
            return b""
        self._send()
        if not (data := self.line.up.take(self._now())):
            heard = self._wire.read(max(min(until, self.line.due) - self._now(), 0.0))
            self.line.up.put(heard, self._now())
            data = self.line.up.take(self._now())
        self._send()
        return data

    def write(self, data: bytes) -> None:
        """Send *data*, with the line's troubles."""
        self.line.down.put(data, self._now())
        self._send()

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()

    def _send(self) -> None:
        if self.line.broken:
            self._wire.close()
            raise WireLost(Sentence(GONE, port=self.name, why="the line was broken on request"))
        if data := self.line.down.take(self._now()):
            self._wire.write(data)
