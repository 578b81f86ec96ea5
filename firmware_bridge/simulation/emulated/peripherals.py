"""The peripherals of an emulated board: the rig's sensor, switches and beams, and the board's light and beeper."""

from __future__ import annotations

from collections.abc import Callable
from errno import EIO

from companion.kernel.shown import shows
from firmware_bridge.device.sensor_driver import FRAME_BYTES
from firmware_bridge.simulation.emulated.child_process import BoardQuestion
from firmware_bridge.simulation.testbench import SimulatedGate

SCL, LAMP, EMITTERS = 5, 7, 8
LETTERS = {"a": "a", "b": "b", "gate": "g", "lift": "l", "shake": "s", "int": "i", "sda": "d"}
Answer = tuple[int, bytes]
Hand = Callable[[str, int], int]
"""Carries out a request of the board's own `custom.py` at a given time. Returns the number of the answer."""

NOBODY: Answer = (-EIO, b"")
DONE: Answer = (0, b"")


@shows("frames", "tone_hz")
class Peripherals:
    """Answers the questions of a board about its pins and its bus."""

    def __init__(self, rig: SimulatedGate, hand: Hand) -> None:
        self.frames = 0
        self.light = (0, 0, 0)
        self.tone_hz = 0
        self._rig = rig
        self._hand = hand

    def answer(self, question: BoardQuestion, at_us: int) -> Answer:
        """Answer *question*: return the result (negative for an error) and the bytes that were read."""
        match question.verb:
            case "g" | "s":
                return self._bus(question, at_us)
            case "p":
                self._set(question.one, bool(question.two), at_us)
            case "n":
                green, red, blue = question.data
                self.light = (red, green, blue)
            case "o":
                self.tone_hz = question.two
            case "h":
                return self._hand(question.data.decode(), at_us), b""
            case _:
                raise ValueError(f"no such question: {question}")
        return DONE

    def _bus(self, question: BoardQuestion, at_us: int) -> Answer:
        """Read or write the sensor. The command comes with the address, or as the first byte of the data."""
        address, command = question.one >> 8, question.one & 0xFF
        if address != self._rig.sensor.address:
            return NOBODY
        try:
            if question.verb == "g":
                self.frames += question.two == FRAME_BYTES
                return 0, self._rig.sensor.read(command, question.two, at_us)
            data = question.data if question.two else question.data[1:]
            self._rig.sensor.write(command if question.two else question.data[0], data, at_us)
        except OSError as fault:
            return -(fault.errno or EIO), b""
        return DONE

    def _set(self, pin: int, level: bool, at_us: int) -> None:
        if pin == LAMP:
            self._rig.lamp(level, at_us)
        elif pin == EMITTERS:
            self._rig.emitters(level, at_us)
        elif pin == SCL and not level:
            self._rig.clocked(at_us)
