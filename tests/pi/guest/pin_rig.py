"""Runs in a machine: a gate at its simulated pins and a sensor on its stubbed bus; a pipe orders slides.

The gate is the tests' simulated world, in real time: edges become pulls of gpio-sim's lines, and frames are written
to i2c-stub's registers when the interrupt line falls.
"""

import json
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from smbus2 import SMBus

from firmware_bridge.device.sensor import Sensor
from firmware_bridge.device.sensor_driver import FRAME_BYTES, Bus
from firmware_bridge.device.tcs34725 import Tcs34725
from firmware_bridge.pi_ring.gpio_address import Pinout
from firmware_bridge.simulation.physics.world import IDEAL, NO_FAULTS
from firmware_bridge.simulation.testbench import SimulatedGate

LINES = next(Path("/sys/devices/platform").glob("**/sim_gpio0")).parent
BUSY_S, IDLE_S = 0.001, 0.02
IDENTITY = Tcs34725.SELECT | Tcs34725.ID
FRAME = Tcs34725.RUNNING | Tcs34725.DATA


BEGUN_NS = time.monotonic_ns()


def now_us():
    """Return the time since the start."""
    return (time.monotonic_ns() - BEGUN_NS) // 1000


class Driver(Bus):
    """Sets up the simulated sensor in the way the ring's driver sets up the stubbed one."""

    def __init__(self, gate):
        self._sensor = gate.sensor

    def set(self, command, value):
        self._sensor.write(command, bytes([value]), now_us())

    def read_into(self, command, buffer):
        buffer[:] = self._sensor.read(command, len(buffer), now_us())

    def command(self, command):
        self._sensor.write(command, b"", now_us())

    def wait_us(self, us):
        time.sleep(us / 1e6)


class Rig:
    """The gate, with the lines and registers that show its state."""

    def __init__(self, bus):
        wiring = Pinout()
        self._numbers = {**wiring.pins}
        self._pulls = {}
        self._bus = bus
        self._wishes = []
        self.gate = SimulatedGate(replace(IDEAL, rates=NO_FAULTS), Random(5))
        self.gate.emitters(True, 0)
        self.gate.lamp(True, 0)
        self.gate.load({"red": 3, "blue": 3, "green": 3})
        Sensor(Driver(self.gate), fixed=60).begin()
        bus.write_byte_data(Tcs34725.ADDRESS, IDENTITY, Tcs34725.IDS[0])
        for pin in ("a", "b", "gate", "lift", "shake", "int"):
            self.drive(pin, self.gate.level(pin))

    def wish(self, told):
        """Accept a request from another thread."""
        self._wishes.append(told)

    def live(self):
        """Run for ever."""
        while True:
            while self._wishes:
                self._grant(self._wishes.pop(0))
            for change in self.gate.until(now_us()):
                if change.pin == "int" and not change.level:
                    self._frame()
                self.drive(change.pin, change.level)
            # no more often than needed, since this machine gets little time on a busy host
            time.sleep(BUSY_S if self.gate.busy else IDLE_S)

    def drive(self, pin, level):
        """Set the level of a line."""
        number = self._numbers.get(pin)
        if number is not None:
            path = LINES / f"sim_gpio{number}" / "pull"
            path.write_text("pull-up" if level else "pull-down")

    def _grant(self, told):
        if "slide" in told:
            self.gate.slide(now_us(), told["slide"], told.get("speed_mm_s", 0.0))
        else:  # a program that claims lines sets their pulls, so they have to be restored
            for pin in ("a", "b", "gate", "lift", "shake", "int"):
                self.drive(pin, self.gate.level(pin))

    def _frame(self):
        frame = self.gate.sensor.read(FRAME, FRAME_BYTES, now_us())
        self._bus.write_i2c_block_data(Tcs34725.ADDRESS, FRAME, list(frame))
        self.gate.sensor.write(Tcs34725.CLEAR, b"", now_us())


def hear(pipe, rig):
    """Pass every request from *pipe* to the rig, for ever."""
    while True:
        with Path(pipe).open(encoding="utf-8") as words:
            for word in words:
                rig.wish(json.loads(word))


def main(pipe):
    """Run a ring's gate until it is told to end."""
    with SMBus(1) as bus:
        rig = Rig(bus)
        threading.Thread(target=hear, args=(pipe, rig), daemon=True).start()
        rig.live()


main(sys.argv[1])
