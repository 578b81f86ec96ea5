"""A board with an emulated RP2040 at the simulated gate. It never runs ahead of the time that the caller passes in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any

from companion.kernel.shown import shows
from firmware_bridge.device.codec import VERSION
from firmware_bridge.simulation.chip.tools import command
from firmware_bridge.simulation.emulated.child_process import Child
from firmware_bridge.simulation.emulated.peripherals import Hand
from firmware_bridge.simulation.testbench import Change, SimulatedGate

PINS = {"a": 2, "b": 3, "sda": 4, "int": 6, "gate": 9, "lift": 10, "shake": 11}
"""The rig's pins and their numbers on the chip. A test compares them with hardware/pins.toml."""
SCL, LAMP, EMITTERS = 5, 7, 8
BEHIND_US = 50_000  # how far a live chip may fall behind the wall clock; time lost beyond that is skipped
SLICE_US = 20_000  # the chip's time between two messages, which show that its process is alive
STEP_S = 0.001  # between two polls of the chip's output
PATIENCE_S = 300.0  # the longest wait for one slice, on a busy machine
NAME = tuple(b"emulated")  # the flash chip's ID, from which the firmware derives the board's name

JsonObject = dict[str, Any]


def unwatched(change: Change) -> None:
    """Ignore *change*."""


@shows("starts", "writes", "mhz")
class ChipBoard(AbstractContextManager["ChipBoard"]):
    """MicroPython's official Pico firmware on an emulated RP2040, connected to the simulated gate *rig*.

    It boots from the flash contents in the file *image*. Unlike on an `EmulatedBoard`, computing takes time: each
    instruction takes as many cycles as on a real chip. Times are arguments, in seconds; the chip never runs ahead of
    the time that it was given. A *live* board follows the wall clock. If the machine is too slow, the board's time runs
    more slowly.
    """

    def __init__(self, rig: SimulatedGate, hand: Hand, image: Path, now: float = 0.0, live: bool = False) -> None:
        self.rig = rig
        self.starts = 1
        self.writes = 0  # sectors erased and pages written in the flash
        self.mhz = 0.0  # the chip's clock
        self.light = (0, 0, 0)
        self.watched: Callable[[Change], None] = unwatched  # called with each change of one of the rig's pins
        self.resets: list[int] = []  # the watchdog's reasons: 1 for a timeout, 2 for a reset by the program
        self._hand = hand
        self._zero = now
        self._live = live
        self._at = self._born = self._until = 0
        self._into = self._out = b""
        self._reading: bool | None = None
        self._orders: JsonObject = {}
        self._child = Child(command(image), PATIENCE_S)
        self._begin()

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        """Switch the board off."""
        self.close()

    @property
    def reading(self) -> bool:
        """Whether the host reads. While the host does not read, the chip buffers its bytes."""
        return self._reading is not False

    @reading.setter
    def reading(self, reading: bool) -> None:
        if reading != self.reading:
            self._reading = self._orders["reading"] = reading

    @property
    def at_us(self) -> int:
        """How far the chip has advanced in the rig's time, in microseconds."""
        return self._at

    @property
    def born_us(self) -> int:
        """The rig's time, in microseconds, at which the chip started."""
        return self._born

    @property
    def pid(self) -> int:
        """The ID of the process that runs the chip."""
        return self._child.pid

    def receive(self, data: bytes, now: float) -> None:
        """Accept bytes from the host."""
        self._run(self.us(now))
        self._into += data

    def outgoing(self, now: float) -> bytes:
        """Return what the chip has written up to *now*."""
        self._run(self.us(now))
        data, self._out = self._out, b""
        return data

    def due(self, now: float) -> float:
        """Return when to poll again. It cannot be predicted when the chip will write something."""
        return now + STEP_S

    def caught_up(self, now: float) -> int:
        """Run the chip up to *now*, before something changes at its gate. Return the rig's time in microseconds."""
        self._run(self.us(now))
        return self.us(now)

    def us(self, now: float) -> int:
        """Return the rig's time in microseconds at *now*."""
        return round((now - self._zero) * 1e6)

    def speak(self, version: int) -> None:
        """Have the firmware speak *version* of the protocol from its next start on."""
        self._orders["version"] = version

    def restart(self, now: float, ticks: int = 0) -> None:
        """Power-cycle the board. Only the flash survives; the microsecond counter then starts at *ticks*."""
        self._run(self.us(now))
        self._out = self._into = b""
        self._orders["power"] = ticks
        self._started(self.us(now))
        self._answer(self._at)

    def save(self, path: Path) -> None:
        """Write the contents of the flash to *path*."""
        self._orders["save"] = str(path)
        self._answer(self._at)

    def close(self) -> None:
        """Switch the board off permanently."""
        self._child.end()

    def _begin(self) -> None:
        self._question()
        pins = [[number, self.rig.level(pin), 0] for pin, number in PINS.items()]
        pins.append([SCL, True, 0])  # pulled up, and not driven otherwise
        first = {"at": 0, "minded": [SCL, LAMP, EMITTERS], "name": NAME, "version": VERSION, "ticks": 0, "pins": pins}
        self._send({**first, "until": 0})
        self._obeyed()

    def _run(self, until_us: int) -> None:
        """Run the chip up to *until_us*, and answer its questions meanwhile."""
        if self._live and until_us > self._at + BEHIND_US:
            self._zero += (until_us - self._at - BEHIND_US) / 1e6
            until_us = self._at + BEHIND_US
        while self._at < until_us:
            due = self.rig.due_us()
            ends = [until_us, self._at + SLICE_US, *([max(due, self._at + 1)] if due is not None else [])]
            self._answer(min(ends))

    def _answer(self, until_us: int) -> None:
        """Run the chip up to *until_us* at most; return when it has no more questions."""
        self._send({**self._news(until_us), **self._orders, "usb": self._into.hex()})
        self._into, self._orders = b"", {}
        self._obeyed()

    def _obeyed(self) -> None:
        """Answer the chip's questions until it asks for more time to run."""
        while (question := self._question())["q"] != "more":
            self._send({**self._news(question["until"]), **self._answer_to(question)})

    def _news(self, until_us: int) -> JsonObject:
        """Return the pin changes of the rig, and the time up to which the chip may run because no other change can
        follow.
        """
        changes = self.rig.until(self._at)
        for change in changes:
            self.watched(change)
        due = self.rig.due_us()
        self._until = until_us if due is None else min(until_us, max(due, self._at + 1))
        return {"pins": [[PINS[each.pin], each.level, each.at_us] for each in changes], "until": self._until}

    def _question(self) -> JsonObject:
        question: JsonObject = json.loads(self._child.line())
        self._at = max(int(question["at"]), self._at)
        self._out += bytes.fromhex(question["out"])
        self.writes, self.mhz = question["writes"], question["mhz"]
        return {**question, "until": self._until}

    def _send(self, message: Mapping[str, Any]) -> None:
        self._child.answer(json.dumps(message))

    def _answer_to(self, question: JsonObject) -> JsonObject:
        """Carry out the chip's *question* at the gate, and return the answer."""
        match question["q"]:
            case "read":
                return {"data": self._read(question)}
            case "write":
                self._write(question)
            case "pin":
                self._set(question["gpio"], question["level"])
            case "hand":
                return {"number": self._hand(question["words"], self._at)}
            case "light":
                value = question["value"]
                self.light = (value >> 8 & 0xFF, value >> 16 & 0xFF, value & 0xFF)
            case "reset":
                self.resets.append(question["reason"])
                self._started(self._at)
        return {}

    def _read(self, question: JsonObject) -> str | None:
        if question["address"] != self.rig.sensor.address:
            return None
        try:
            return self.rig.sensor.read(question["command"], question["count"], self._at).hex()
        except OSError:
            return None

    def _write(self, question: JsonObject) -> None:
        try:
            self.rig.sensor.write(question["command"], bytes.fromhex(question["data"]), self._at)
        except OSError:
            return  # the sensor was removed in the middle of a byte

    def _set(self, pin: int, level: bool) -> None:
        if pin == LAMP:
            self.rig.lamp(level, self._at)
        elif pin == EMITTERS:
            self.rig.emitters(level, self._at)
        elif pin == SCL and not level:
            self.rig.clocked(self._at)

    def _started(self, at_us: int) -> None:
        self.starts += 1
        self._born = at_us
        self.rig.emitters(False, at_us)
        self.rig.lamp(False, at_us)
