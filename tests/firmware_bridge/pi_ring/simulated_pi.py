"""A simulated Raspberry Pi: gpiozero's mock pins and three calls of smbus2 on a rig; the time is an argument."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from firmware_bridge.device.codec import VERSION
from firmware_bridge.device.sensor_chips import USUAL
from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.pi_ring.gpio_address import Pinout
from firmware_bridge.pi_ring.hal import PiHal
from firmware_bridge.pi_ring.service import begin
from firmware_bridge.simulation.physics.world import IDEAL, World
from firmware_bridge.simulation.testbench import SimulatedGate

TURN_US = 50  # duration of one iteration of the loop
STARTS_US = 600_000  # from the end of a program to its next start
CLOCKS = 9  # duration of a call without an answer: an address and its missing acknowledgement
BEGUN_US = 5_000_000  # a Pi's clock doesn't start at 0


class TimedPin(MockPWMPin):
    """A mock pin whose changes have its factory's time, and whose output is passed to the connected part."""

    def _call_when_changed(self) -> None:
        super(MockPin, self)._call_when_changed(self.factory.stamp(), self._state)

    def _change_state(self, value: float) -> bool:
        changed = super()._change_state(value)
        if changed and self.function == "output":
            self.factory.switched(self.info.name, bool(value))
        return changed


class TimedPins(MockFactory):
    """Mock pins with the test's clock; *stamps* converts times as the pins' own clock would."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(pin_class=TimedPin)
        self.ticks = clock
        self.stamp = clock
        self.outputs: dict[str, Callable[[bool], None]] = {}

    def switched(self, name: str, on: bool) -> None:
        """Pass the output to the part connected to the pin."""
        if name in self.outputs:
            self.outputs[name](on)


class SimulatedBus:
    """The three calls of smbus2, on a simulated sensor."""

    def __init__(self, pi: SimulatedPi) -> None:
        self._pi = pi

    def write_byte(self, i2c_addr: int, value: int) -> None:
        """Send one byte."""
        self._pi.addressed(i2c_addr).write(value, b"", self._pi.now_us)

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Send a command byte and a data byte."""
        self._pi.addressed(i2c_addr).write(register, bytes([value]), self._pi.now_us)

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Send a command byte, and read *length* bytes."""
        return list(self._pi.addressed(i2c_addr).read(register, length, self._pi.now_us))


class Memory(dict):
    """Storage that survives the simulated Pi's restarts, but not the end of this process."""

    keep = dict.__setitem__

    def stored(self, what: str) -> tuple[int, ...]:
        """Return the stored values, or () if there are none."""
        return self.get(what, ())


class SimulatedPi:
    """A ring on mock pins over a rig; time passes only in `run`, up to its argument.

    It also implements the loop's waiting, and the host's end of the cable: `receive`, `outgoing` and `due`, in
    seconds since *begun*.
    """

    def __init__(
        self,
        wiring: Pinout | None = None,
        world: World = IDEAL,
        seed: int = 1,
        begun: float = 0.0,
        sensor: bool = True,
        emitting: bool = True,
        hung: bool = False,
        chip: type[Chip] = USUAL,
    ) -> None:
        self.rig = SimulatedGate(world, Random(seed), chip)
        self.wiring = wiring or Pinout()
        self.emitting = emitting
        self.now_us = 0
        self.begun = begun
        # A ring stores these when its gain has been found and it has been shown the black card.
        self.memory = Memory(self.rig.stored())
        self._until_us = self._wanted_us = 0
        self._boots = 0
        self._inbox = self._outbox = b""
        self.unread_until_us = self._off_until_us = 0
        self._begins: Callable[[], object] = self.start
        if not sensor:
            self.rig.sensor_gone(0)
        if hung:
            self.rig.sensor_hangs(0, CLOCKS)
        self.start()

    def start(self, counter_us: int = BEGUN_US) -> None:
        """Restart the ring with a clock at *counter_us*: another boot on the same pins."""
        ahead_us = counter_us - self.now_us
        self.pins = TimedPins(lambda: (ahead_us + self.now_us) / 1e6)
        self.pins.outputs[f"GPIO{self.wiring.lamp}"] = lambda on: self.rig.lamp(on, self.now_us)
        if self.wiring.emitters is not None:
            self.pins.outputs[f"GPIO{self.wiring.emitters}"] = self._emit
        else:
            self._emit(True)
        self._inbox = self._outbox = b""
        self._boots += 1
        self.hal = PiHal(self.pins, self.wiring, self, self.memory)
        for name in ("a", "b", "gate", "lift", "shake", "int"):
            self.drive(name, self.rig.level(name))
        names = ("simulated-pi", f"{self._boots:08x}")
        self.loop = begin(self.hal, SimulatedBus(self), self.wiring, self.memory, names, self.pause)

    def restart(self, counter_us: int = BEGUN_US, version: int = VERSION) -> None:
        """End the program, and start it again after a while, with another protocol *version*."""

        def begins() -> None:
            self.start(counter_us)
            self.loop.link.version = version

        self.hal.close()
        self._inbox = self._outbox = b""
        self._off_until_us = self.now_us + STARTS_US
        self._begins = begins

    def _emit(self, on: bool) -> None:
        self.rig.emitters(on and self.emitting, self.now_us)

    def addressed(self, address: int) -> object:
        """Return the sensor at its own address; raise an error for any other."""
        if address != self.rig.sensor.address:
            raise OSError(121, "Remote I/O error")
        if not self.rig.level("sda"):
            for _ in range(CLOCKS):
                self.rig.clocked(self.now_us)
            raise OSError(121, "Remote I/O error")
        return self.rig.sensor

    def drive(self, name: str, level: bool) -> None:
        """Set the level of one of the rig's pins, if it is connected."""
        number = self.wiring.pins.get(name)
        if number is not None:
            pin = self.pins.pin(number)
            pin.drive_high() if level else pin.drive_low()

    # interface for the loop's waiting

    def read(self) -> bytes:
        """Return the host's data."""
        data, self._inbox = self._inbox, b""
        return data

    def write(self, data: bytes) -> int:
        """Take data for the host, unless the host isn't reading."""
        if self.now_us < self.unread_until_us:
            return 0
        self._outbox += data
        return len(data)

    def rest(self, us: int) -> None:
        """Wait for a pin, or until the end of `run`."""
        self._wanted_us = self.now_us + us
        if not self._inbox:
            self._pass(max(min(us, self._until_us - self.now_us), 1))

    def pause(self, us: int) -> None:
        """Wait for a pin."""
        self._pass(us)

    def stir(self) -> None:
        """Do nothing: a waiting loop sees the change of the pin anyway."""

    def _pass(self, us: int) -> None:
        end, due = self.now_us + us, self.rig.due_us()
        end = end if due is None or due <= self.now_us else min(end, due)
        for change in self.rig.until(end):
            self.now_us = max(self.now_us, change.at_us)
            self.drive(change.pin, change.level)
        self.now_us = end

    # interface of the device's end of a wire

    def run(self, now: float) -> None:
        """Advance the clock to *now*."""
        self._until_us = round((now - self.begun) * 1e6)
        while self.now_us < self._until_us:
            if self._off_until_us:
                self._begin_again()
            else:
                self.loop.turn()
                self._pass(TURN_US)

    def _begin_again(self) -> None:
        self._pass(max(min(self._until_us, self._off_until_us) - self.now_us, 1))
        if self.now_us >= self._off_until_us:
            self._off_until_us = 0
            self._begins()

    def receive(self, data: bytes, now: float) -> None:
        """Receive the host's data."""
        self.run(now)
        self._inbox += b"" if self._off_until_us else data

    def outgoing(self, now: float) -> bytes:
        """Return the output until now."""
        self.run(now)
        data, self._outbox = self._outbox, b""
        return data

    def due(self, now: float) -> float:
        """Return when there may be more output."""
        wanted = self._off_until_us or self._wanted_us
        soonest = min(wanted, self.rig.due_us() or wanted)
        return now if self._inbox or self._outbox else max(now, self.begun + soonest / 1e6)
