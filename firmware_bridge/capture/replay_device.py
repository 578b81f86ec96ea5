"""Replays a capture as a ring: the device's end of a conversation, which sends the recorded events again.

It answers greetings, pings and orders like any device, with sessions of its own, and reports that it is simulated. It
derives the names of its boots from the capture, so they are the same in each replay, but differ from the originals. So
a ledger that already contains this replay treats all its events as duplicates, and a ledger that contains the original
game treats them as new.
"""

from __future__ import annotations

from binascii import crc32
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl

from companion.kernel.shown import shows
from firmware_bridge.capture.reader import Dated, Tape, events_of
from firmware_bridge.device.codec import compose, token, whole
from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.device.framing import LONGEST_BODY
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.protocol.messages import Event
from rungs.capture import LOST, NOTE

SILENT_ORDERS = frozenset({"under", "set", "lamp", "beep"})
FASTEST = 1_000_000.0
# Gives the host time to arm the ring in a new session. Passages before that would have no token.
SETTLE_S = 0.25
NEVER = float("inf")
STATUS_FIELDS = {"gate": ("gate", "open"), "lift": ("lift", "up")}


@dataclass(frozen=True)
class Lost:
    """The wire was lost at this time."""

    at_ms: float


Deed = Dated | Lost


def capture_settings(url: str) -> tuple[str, float, bool]:
    """Parse a `capture:` address. Return the file, the speed, and whether draws wait for arming.

    Raise InputError if it is malformed.

    >>> capture_settings("capture:game.log?speed=2")
    ('game.log', 2.0, False)
    """
    path, _, query = url.removeprefix("capture:").partition("?")
    settings = dict(parse_qsl(query, keep_blank_values=True))
    odd = settings.keys() - {"speed", "wait"} or settings.get("wait", "armed") != "armed"
    if not path or odd or (query and not settings):
        raise InputError(f"{url}: a captured ring is `capture:FILE` with `?speed=N&wait=armed`, nothing else")
    try:
        speed = float(settings.get("speed", "1"))
    except ValueError:
        speed = -1.0
    if not 0 <= speed <= FASTEST:
        raise InputError(f"{url}: speed must be a number from 0 (as fast as possible) to {FASTEST:.0f}")
    return path, speed, "wait" in settings


@shows("_armed_then", "_deeds")
class ReplayedRing:
    """Replays *tape* from the first greeting on, *speed* times as fast as recorded (0 means as fast as events are
    acknowledged).

    With *wait*, passages with a token wait until the ring is armed. Passages with the next token wait until the ring is
    armed again.
    """

    def __init__(self, tape: Tape, speed: float, now: float, wait: bool = False) -> None:
        self._tape = tape
        self._speed = speed
        self._wait = wait
        self._armed_then, self._armed_now = "0", 0
        self._deeds: deque[Deed] = deque(_deeds(tape))
        self._first_ms = self._deeds[0].at_ms if self._deeds else 0.0
        self._began = NEVER
        self._boot = next((deed.event.boot for deed in self._deeds if isinstance(deed, Dated)), "")
        self._start = now
        self._ready_at = NEVER
        self._link = self._device()

    @property
    def over(self) -> bool:
        """True if everything has been sent and acknowledged."""
        return not self._deeds and not self._link.store.events

    def receive(self, data: bytes, now: float) -> None:
        """Accept bytes from the host and carry out its orders."""
        for word, fields in self._link.receive(data, self._us(now)):
            number = whole(fields["c"])
            try:
                self._link.answer(number, self._obey(word, fields))
            except (KeyError, ValueError):
                self._link.answer(number, "malformed")
        if self._link.session and self._ready_at == NEVER:
            self._ready_at = now + SETTLE_S
            self._began = min(self._began, self._ready_at)

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to write now."""
        while self._deeds and self._may(now):
            deed = self._deeds[0]
            if isinstance(deed, Lost) or not self._report(deed.event, now):
                break
            self._deeds.popleft()
        return self._link.outgoing(self._us(now))

    def due(self, now: float) -> float:
        """Return the time at which `outgoing` will next have bytes, unless something arrives before then."""
        due = self._start + self._link.due_us(self._us(now)) / 1e6
        held = not self._deeds or self._full or self._waits_for_rest() or self._unwanted()
        return due if held else min(due, self._at(self._deeds[0]))

    def gone(self, now: float) -> bool:
        """Return whether the wire was lost at this point of the recording. Each loss is returned once."""
        lost = bool(self._deeds) and isinstance(self._deeds[0], Lost) and self._may(now)
        if lost:
            self._deeds.popleft()
        return lost

    @property
    def _full(self) -> bool:
        return not self._link.store.has_room(2)

    def _waits_for_rest(self) -> bool:
        """Return True if the next event belongs to another boot and so must wait for this boot's acknowledgements."""
        deed = self._deeds[0]
        return isinstance(deed, Dated) and deed.event.boot != self._boot and bool(self._link.store.events)

    def _may(self, now: float) -> bool:
        if now < self._at(self._deeds[0]) or self._full or self._waits_for_rest() or self._unwanted():
            return False
        if self._wait and self._speed:
            self._began += max(now - self._at(self._deeds[0]), 0.0)  # later events keep their intervals
        return True

    def _unwanted(self) -> bool:
        """Return whether the next event must wait for an arming."""
        deed = self._deeds[0]
        then = deed.event.fields.get("tok", "0") if isinstance(deed, Dated) else "0"
        if not self._wait or then == "0" or self._link.token == 0:
            return self._wait and then != "0"
        return then != self._armed_then and self._link.token == self._armed_now

    def _at(self, deed: Deed) -> float:
        """Return when *deed* is due: at its recorded time, but not before the host had time to arm the ring in a new
        session.
        """
        if self._speed == 0:
            return self._ready_at
        return max(self._began + (deed.at_ms - self._first_ms) / 1000 / self._speed, self._ready_at)

    def _report(self, event: Event, now: float) -> bool:
        """Store *event* for the host. Return False if it is from another boot, so the device must restart first."""
        if event.boot != self._boot:
            self._boot = event.boot
            self._restart(now)
            return False
        if event.fields.get("tok", "0") != "0":
            self._armed_then, self._armed_now = event.fields["tok"], self._link.token
        pairs: list[tuple[str, object]] = [(key, self._now_armed(key, value)) for key, value in event.fields.items()]
        if event.word in STATUS_FIELDS:
            name, key = STATUS_FIELDS[event.word]
            setattr(self._link, name, event.fields.get(key, "x"))
        self._link.ahead_us = max(self._link.ahead_us, event.at_us - self._us(now))
        self._link.report([(event.word, pairs)], event.at_us)
        return True

    def _now_armed(self, key: str, value: str) -> object:
        """If the field is a recorded token, return the token with which the ring is armed now."""
        return self._link.token if key == "tok" and value != "0" else value

    def _restart(self, now: float) -> None:
        self._start = now
        self._ready_at = NEVER
        self._link = self._device()

    def _device(self) -> Endpoint:
        """Return a new device endpoint. It repeats the recorded hello, but without the ability to slide cubes."""
        hello = self._tape.hellos.get(self._boot) or next(iter(self._tape.hellos.values()), None)
        abilities = (hello.abilities if hello else "").replace("s", "").replace("x", "")
        identity: list[tuple[str, object]] = [
            ("fw", hello.firmware[:12] if hello else "unknown"),
            ("id", hello.device[:16] if hello else "captured"),
            ("sensor", hello.sensor[:10] if hello else "unknown"),
            ("sim", 1),
            ("can", abilities or "x"),
        ]
        link = Endpoint(identity, f"{crc32(f'{self._tape.started} {self._boot}'.encode()):08x}")
        link.gate = "0" if "g" in abilities else "x"
        link.lift = "0" if "l" in abilities else "x"
        return link

    def _obey(self, word: str, fields: dict[str, str]) -> str:
        if word == "arm":
            self._link.token = token(fields["tok"])
        elif word == "disarm":
            self._link.token = 0
        elif word not in SILENT_ORDERS:
            return "unknown"
        return ""

    def _us(self, now: float) -> int:
        return int((now - self._start) * 1e6)


def _deeds(tape: Tape) -> Iterator[Deed]:
    """Yield the events and the losses of the wire, in order of time."""
    deeds: list[Deed] = list(events_of(tape))
    for deed in deeds:
        if isinstance(deed, Dated) and not _sayable(deed.event):
            raise InputError(f"{tape.path}: event {deed.event.number} of boot {deed.event.boot[:20]} isn't from a ring")
    for entry in tape.entries:
        if entry.mark == NOTE and entry.data.startswith(LOST.encode()):
            deeds.append(Lost(entry.at_ms))
    yield from sorted(deeds, key=lambda deed: deed.at_ms)


def _sayable(event: Event) -> bool:
    """Return True if *event* still fits in a line when its boot is renamed and its token becomes the longest one."""
    longest = {key: "9" * 9 if key == "tok" else value for key, value in event.fields.items()}
    stamp = [("b", "0" * 8), ("n", event.number), ("t", event.at_us)]
    return len(compose(event.word, [*stamp, *longest.items()])) <= LONGEST_BODY
