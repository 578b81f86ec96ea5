"""Trouble on a line: bytes are corrupted, lost or duplicated, portions of them arrive late, the line stalls or breaks.

Random choices are made from a seed, byte by byte, so the same bytes are hit however a line splits them into portions:

>>> line = Damage(0.2, Random(7), ["lose"])
>>> whole = line.passed(b"0123456789")
>>> again = Damage(0.2, Random(7), ["lose"])
>>> again.passed(b"0123") + again.passed(b"456789") == whole
True

This module imports only the standard library.
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
LATE_S = 0.3  # the longest delay of a delayed portion, and the time of a stall


def share(rate: float | str) -> float:
    """Return a share: a number from 0 to 1, or a text such as `0.2%`. Otherwise raise ValueError with a sentence.

    >>> share("0.2%"), share("0.5"), share(0.5)
    (0.002, 0.5, 0.5)
    """
    try:
        found = float(rate[:-1]) / 100 if isinstance(rate, str) and rate.endswith("%") else float(rate)
    except (TypeError, ValueError):
        raise ValueError(f"{rate!r} is no share: write 0.002 or 0.2%.") from None
    if not 0 <= found <= 1:
        raise ValueError(f"A rate is a share from 0 to 1, or from 0% to 100%, not {rate}.")
    return found


class Damage:
    """Damages a share *rate* of the bytes, each in one of the ways *how* (`BYTES`). *lots* decides at random."""

    def __init__(self, rate: float, lots: Random, how: Sequence[str] = BYTES) -> None:
        self._rate = rate
        self._lots = lots
        self._how = how
        self._spared = self._run()
        self.damaged = 0

    def __repr__(self) -> str:
        return f"<Damage damaged={self.damaged} rate={self._rate:g}>"

    @classmethod
    def none(cls) -> Damage:
        """Return a line that damages nothing."""
        return cls(0.0, Random(0))

    @property
    def word(self) -> str:
        """The kinds of damage, as one trouble: `spoil+lose`."""
        return "+".join(self._how)

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
        self.hits = 0  # bytes and portions affected so far
        self.note: Callable[[str], object] = lambda text: None
        self._held_until = float("-inf")
        self._waiting: deque[tuple[float, bytes]] = deque()

    def __repr__(self) -> str:
        return f"<Way hits={self.hits} waiting={len(self._waiting)}>"

    @property
    def due(self) -> float:
        """The time at which data comes out next, or infinity."""
        return max(self._waiting[0][0], self._held_until) if self._waiting else float("inf")

    def seed(self, seed: str) -> None:
        """Restart the random choices with *seed*."""
        self._lots.seed(seed)

    def damage(self, rate: float, how: Sequence[str]) -> None:
        """From now on, damage a share *rate* of the bytes, each in one of the ways *how*."""
        self._damage = Damage(rate, self._lots, how)

    def delay(self, rate: float, longest_s: float = LATE_S) -> None:
        """From now on, delay a share *rate* of the portions by *longest_s* seconds at most."""
        self._late, self._late_s = rate, longest_s

    def hold(self, until: float) -> None:
        """Hold all data back until the time *until*."""
        self._held_until = until

    def calm(self, word: str = "") -> None:
        """End the trouble *word*, or all troubles. Portions that are already delayed stay delayed."""
        if word in ("", DELAY):
            self._late = 0.0
        if word in ("", STALL):
            self._held_until = float("-inf")
        if word not in (DELAY, STALL, BREAK):
            self._damage = Damage.none()

    def put(self, data: bytes, now: float) -> None:
        """Accept *data* at one end."""
        before = self._damage.damaged
        left = self._damage.passed(data)
        if damaged := self._damage.damaged - before:
            self._hit(damaged, self._damage.word, data, f"arrives as {_text(left)}")
        if left:
            if now < self._held_until:
                self._hit(1, STALL, left, f"waits {(self._held_until - now) * 1000:.0f} ms")
            earliest = self._waiting[-1][0] if self._waiting else now
            self._waiting.append((max(earliest, now + self._delay(left)), left))

    def take(self, now: float) -> bytes:
        """Return what arrives at the other end."""
        out = b""
        while self._waiting and self.due <= now:
            out += self._waiting.popleft()[1]
        return out

    def _delay(self, data: bytes) -> float:
        if not self._late or self._lots.random() >= self._late:
            return 0.0
        late_s = self._lots.uniform(0, self._late_s)
        self._hit(1, DELAY, data, f"is {late_s * 1000:.0f} ms late")
        return late_s

    def _hit(self, number: int, word: str, data: bytes, what: str) -> None:
        self.hits += number
        self.note(f"{word}: {_text(data)} {what}")


def _text(data: bytes) -> str:
    """Return *data* as a text that a capture writes as those bytes."""
    return data.decode("utf-8", "surrogateescape")


class Line:
    """Both directions of a line, and their troubles. *lots* has the random generator of each direction."""

    def __init__(self, lots: tuple[Random, Random]) -> None:
        self.down, self.up = Way(lots[0]), Way(lots[1])
        self.broken = False
        self.breaks = 0
        self.lost = 0  # number of wires that a break has closed

    def __repr__(self) -> str:
        return f"<Line hits={self.hits} broken={self.broken}>"

    @classmethod
    def seeded(cls, seed: object) -> Line:
        """Return a line whose two directions make independent random choices from one *seed*."""
        line = cls((Random(), Random()))
        line.seed(seed)
        return line

    def seed(self, seed: object) -> None:
        """Restart the random choices with *seed*, independently for each direction."""
        self.down.seed(f"{seed} {TO_DEVICE}")
        self.up.seed(f"{seed} {TO_HOST}")

    def report(self, note: Callable[[str], object]) -> None:
        """Call *note* with a line for each portion that is hit from now on.

        >>> line = Line.seeded(1)
        >>> line.report(print)
        >>> line.begin("double", 0.0, rate=1.0, ways="to-host")
        >>> line.up.put(b"ab", 0.0)
        to-host double: ab arrives as aabb
        """
        self.down.note = lambda text: note(f"{TO_DEVICE} {text}")
        self.up.note = lambda text: note(f"{TO_HOST} {text}")

    @property
    def hits(self) -> int:
        """The number of bytes, portions and wires affected so far."""
        return self.down.hits + self.up.hits + self.lost

    @property
    def due(self) -> float:
        """The time at which data comes out next in either direction, or infinity."""
        return min(self.down.due, self.up.due)

    def begin(
        self, word: str, now: float, rate: float | str | None = None, seconds: float | None = None, ways: str = BOTH
    ) -> None:
        """Begin the trouble *word*, one of `WORDS`, or several of `BYTES` joined by `+` (`spoil+lose`).

        *rate* is the share of the bytes that are hit (required), or of the portions that are delayed (default: all), in
        a form that `share` accepts. *seconds* is the longest delay or the length of a stall. Raise ValueError with a
        sentence for anything else.
        """
        words = word.split("+")
        if not (set(words) <= set(BYTES) or word in WORDS):
            raise ValueError(f"{word!r} is no trouble: choose from {', '.join(WORDS)}.")
        _check(word, rate, seconds, ways)
        part = 1.0 if rate is None else share(rate)
        if word == BREAK:
            self.broken = True
            self.breaks += 1
        for way in self._of(ways):
            if word == DELAY:
                way.delay(part, seconds or LATE_S)
            elif word == STALL:
                way.hold(now + (seconds or LATE_S))
            elif word != BREAK:
                way.damage(part, words)

    def calm(self, word: str = "") -> None:
        """End the trouble *word*, or all troubles. A connection that is already lost must be opened again."""
        self.broken = self.broken and word not in ("", BREAK)
        self.down.calm(word)
        self.up.calm(word)

    def _of(self, ways: str) -> tuple[Way, ...]:
        return {BOTH: (self.down, self.up), TO_DEVICE: (self.down,), TO_HOST: (self.up,)}[ways]


def _check(word: str, rate: float | str | None, seconds: float | None, ways: str) -> None:
    """Raise ValueError with a sentence if the trouble *word* lacks an argument, or doesn't take one that is given."""
    if ways not in WAYS:
        raise ValueError(f"{ways!r} is no way of a line: choose from {', '.join(WAYS)}.")
    if word == BREAK and ways != BOTH:
        raise ValueError("A break has no ways: the connection is lost.")
    if rate is None and word not in (DELAY, STALL, BREAK):
        raise ValueError(f'The trouble {word!r} needs a rate, the share of the bytes that it hits: 0.05 or "5%".')
    if rate is not None and word in (STALL, BREAK):
        raise ValueError(f"The trouble {word!r} has no rate: it hits everything.")
    if seconds is not None and word not in (DELAY, STALL):
        raise ValueError(f"The trouble {word!r} has no time: only {DELAY!r} and {STALL!r} do.")
    if seconds is not None and not 0 < seconds < float("inf"):
        raise ValueError(f"A time is more than 0 ms, not {seconds * 1000:g} ms.")


class Block:
    """One trouble on *line* that lasts from now to the end of a `with` block. *hits* counts its hits in that time."""

    def __init__(self, line: Line, word: str) -> None:
        self._line = line
        self._word = word
        self._before = line.hits
        self._after: int | None = None

    def __repr__(self) -> str:
        return f"<Block {self._word} hits={self.hits} over={self._after is not None}>"

    def __enter__(self) -> Block:
        """Enter the block; the trouble has already begun. Raise ValueError if it is over."""
        if self._after is not None:
            raise ValueError("This trouble is over: begin another one.")
        return self

    def __exit__(self, *raised: object) -> None:
        """End the trouble."""
        self._after = self._line.hits
        self._line.calm(self._word)

    @property
    def hits(self) -> int:
        """The number of damaged bytes, late or stalled portions, and broken wires."""
        return (self._line.hits if self._after is None else self._after) - self._before


class TroubleWire:
    """Wraps any *wire*, and passes its data through *line*, with its troubles.

    After `close`, reads and writes raise `WireLost`, whatever *wire* does then.

    *now* is the clock. For the first `unread_s` seconds the host reads nothing, and *pause* is called to
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
        self._breaks = line.breaks  # a break after this number closes the wire, even if nobody uses it meanwhile
        self._lost = False
        self._closed = False

    def __repr__(self) -> str:
        return f"<TroubleWire name={self.name!r} hits={self.hits} closed={self._closed}>"

    @property
    def hits(self) -> int:
        """The number of bytes, portions and wires affected so far."""
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
        __tracebackhide__ = True
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"write takes bytes, not {data!r}.")
        self._send()  # raises if the wire is lost or closed: its data must not wait in the line for the next wire
        self.line.down.put(bytes(data), self._now())
        self._send()

    def close(self) -> None:
        """Close the connection. Safe to call twice."""
        self._closed = True
        self._wire.close()

    def cut(self) -> bool:
        """Close the connection if a break has lost it, and return whether one has."""
        if lost := self._lost or self.line.broken or self._breaks != self.line.breaks:
            self._wire.close()
        return lost

    def _send(self) -> None:
        if self.cut():
            self.line.lost += not self._lost
            self._lost = True
            raise WireLost(Sentence(GONE, port=self.name, why="the line was broken on request"))
        if self._closed:
            raise WireLost(f"The wire to {self.name} is closed.")
        if data := self.line.down.take(self._now()):
            self._wire.write(data)
