"""The two ends of the protocol under a fuzzer: they run any script, and their invariants are checked."""

from __future__ import annotations

from firmware_bridge.colour import Nominal
from firmware_bridge.device.controller import Controller, ControllerHands, colour, reference, tone
from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.device.framing import LONGEST
from firmware_bridge.device.outbox import REACH, WINDOW
from firmware_bridge.passages.passage import Passages
from firmware_bridge.protocol.connection import Connection
from firmware_bridge.protocol.messages import Event
from firmware_bridge.protocol.queues import QueuedCommand
from tests.fuzz.script import microseconds, steps

BOOT = "00000001"
IDENTITY = [("fw", "0.1.0"), ("id", "fuzzed"), ("sensor", "tcs34725"), ("sim", 0), ("can", "glmb")]
ROOM = 48
FRAME = (100, 60, 40, 220)


class Obliging(ControllerHands):
    """Parses every order completely, and does nothing."""

    def obey(self, word: str, fields: dict[str, str], now_us: int) -> str | None:
        """Return the result that a ring would."""
        if word == "look":
            reference(fields)
        elif word == "lamp":
            colour(fields)
        elif word == "beep":
            tone(fields)
        else:
            return None
        return ""


def device(data: bytes) -> None:
    """Run the script *data* on a device."""
    link = Endpoint(IDENTITY, BOOT, ROOM)
    controller, now = Controller(link, Obliging()), 0
    for kind, what in steps(data):
        if kind == "wait":
            now += microseconds(what)
            controller.tick(now)
        elif kind == "own":
            _happen(controller, what, now)
        else:
            controller.receive(what, now)
        link.outgoing(now)
        assert link.due_us(now) >= now or link.session  # in a session, an answer may already be due
        assert len(link._lines._rest) <= LONGEST
        assert len(link.store.events) <= ROOM
        assert sum(1 for event in link.store.events if event.sends and not event.got) <= WINDOW


def _happen(controller: Controller, what: bytes, now: int) -> None:
    """Apply the bytes of *what* to beams and switches, one per millisecond."""
    for number, byte in enumerate(what[:40]):
        at = now + 1_000 * number
        deed = chr(byte)
        if deed in "Aa":
            controller.edge("A", deed == "A", at)
        elif deed in "Bb":
            controller.edge("B", deed == "B", at)
        elif deed in "Gg":
            controller.gate(deed == "G", at)
        elif deed in "Ll":
            controller.lift(deed == "L", at)
        elif deed == "j":
            controller.jolt(at)
        elif deed == "f":
            controller.frame(at, FRAME)
        elif deed == "w":
            controller.refreshed(FRAME, FRAME, at)


def host(data: bytes) -> None:
    """Run the script *data* on a host; every session has the same name, so that a script can answer it."""
    link, now, events = Connection(lambda: "s"), 0.0, []
    passages, judge, numbers = Passages("fuzzed"), Nominal(), set()
    link.connected(now)
    for kind, what in steps(data):
        if kind == "wait":
            now += microseconds(what) / 1e6
        elif kind == "own":
            _deed(link, what, events, now)
        else:
            for each in link.receive(what, now):
                if isinstance(each, Event):
                    assert (each.boot, each.number, link._arrivals) not in numbers
                    numbers.add((each.boot, each.number, link._arrivals))
                    events.append(each)
                    passages.take(each, judge, {"red": 2})
        link.outgoing(now)
        link.due(now)
        assert len(link._lines._rest) <= LONGEST
        assert len(link._arrivals._waiting) < REACH


def _deed(link: Connection, what: bytes, told: list, now: float) -> None:
    """Execute actions of the host itself: record (`r`), reconnect (`p`), request things (`d`, `y`, `o`)."""
    for byte in what[:10]:
        deed = chr(byte)
        if deed == "r" and told:
            link.recorded(told[-1])
        elif deed == "p":
            link.connected(now)
        elif deed == "d":
            link.dump()
        elif deed == "y":
            link.replay()
        elif deed == "o":
            link.order(QueuedCommand("arm", (("tok", 17),)), instead_of=frozenset({"arm"}))


ENDS = {"device": device, "host": host}
