"""A Raspberry Pi that is not there: gpiozero's mock pins and three calls of smbus2 over the rig, in handed-in time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from firmware_bridge.device.chips import USUAL
from firmware_bridge.device.codec import VERSION
from firmware_bridge.device.sensor_chip import Chip
from firmware_bridge.pi_ring.hal import PiHal
from firmware_bridge.pi_ring.pinout import Pinout
from firmware_bridge.pi_ring.startup import begin
from firmware_bridge.simulation.physics.world import IDEAL, World
from firmware_bridge.simulation.testbench import SimulatedGate

TURN_US = 50  # what one turn of the loop takes
STARTS_US = 600_000  # from the end of a program to the beginning of its next run
CLOCKS = 9  # that a call has on its wire before anybody sees that nobody answered: an address and its acknowledgement
BEGUN_US = 5_000_000  # a Pi's clock has been going for a while


class TimedPin(MockPWMPin):
    """A mock pin whose changes carry its factory's time, and whose output is seen by whoever is wired to it."""

    def _call_when_changed(self) -> None:
        super(MockPin, self)._call_when_changed(self.factory.stamp(), self._state)

    def _change_state(self, value: float) -> bool:
        changed = super()._change_state(value)
        if changed and self.function == "output":
            self.factory.switched(self.info.name, bool(value))
        return changed


class TimedPins(MockFactory):
    """Mock pins with a clock that is handed in; *stamps* make of it what the pins' own clock says."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(pin_class=TimedPin)
        self.ticks = clock
        self.stamp = clock
        self.outputs: dict[str, Callable[[bool], None]] = {}

    def switched(self, name: str, on: bool) -> None:
        """Tell what hangs on the pin."""
        if name in self.outputs:
            self.outputs[name](on)


class SimulatedBus:
    """The three calls of smbus2, to a sensor of registers."""

    def __init__(self, pi: SimulatedPi) -> None:
        self._pi = pi

    def write_byte(self, i2c_addr: int, value: int) -> None:
        """Send one byte."""
        self._pi.addressed(i2c_addr).write(value, b"", self._pi.now_us)

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Send a command byte and one more."""
        self._pi.addressed(i2c_addr).write(register, bytes([value]), self._pi.now_us)

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Send a command byte, and read so many."""
        return list(self._pi.addressed(i2c_addr).read(register, length, self._pi.now_us))


class Memory(dict):
    """What outlives a start, in this program alone."""

    keep = dict.__setitem__

    def stored(self, what: str) -> tuple[int, ...]:
        """Return what was kept, nothing if nothing was."""
        return self.get(what, ())


class SimulatedPi:
    """A ring on mock pins over a rig; its time passes in `run` alone, up to the moment that is handed in.

    Outside of its pins it is what the loop waits with, and the host's end of the cable: `receive`, `outgoing`,
    `due`, in seconds since *begun*.
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
        # When it was made it found its gain, and the card was shown to it.
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
        """Start the ring anew, with a clock that reads *counter_us*: another boot, the same pins."""
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
        """End the program, and have it start again after a while, in another *version* of the protocol."""

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
        """Return the sensor at its own address, and nobody at another."""
        if address != self.rig.sensor.address:
            raise OSError(121, "Remote I/O error")
        if not self.rig.level("sda"):
            for _ in range(CLOCKS):
                self.rig.clocked(self.now_us)
            raise OSError(121, "Remote I/O error")
        return self.rig.sensor

    def drive(self, name: str, level: bool) -> None:
        """Bring one of the rig's pins to a level, where it is wired."""
        number = self.wiring.pins.get(name)
        if number is not None:
            pin = self.pins.pin(number)
            pin.drive_high() if level else pin.drive_low()

    # what the loop waits with

    def read(self) -> bytes:
        """What the host has sent."""
        data, self._inbox = self._inbox, b""
        return data

    def write(self, data: bytes) -> int:
        """What the host gets, unless it reads nothing just now."""
        if self.now_us < self.unread_until_us:
            return 0
        self._outbox += data
        return len(data)

    def rest(self, us: int) -> None:
        """Wait for a pin or the moment that was handed in."""
        self._wanted_us = self.now_us + us
        if not self._inbox:
            self._pass(max(min(us, self._until_us - self.now_us), 1))

    def pause(self, us: int) -> None:
        """Wait for a pin."""
        self._pass(us)

    def stir(self) -> None:
        """A pin has changed: whoever waits here has seen to it already."""

    def _pass(self, us: int) -> None:
        end, due = self.now_us + us, self.rig.due_us()
        end = end if due is None or due <= self.now_us else min(end, due)
        for change in self.rig.until(end):
            self.now_us = max(self.now_us, change.at_us)
            self.drive(change.pin, change.level)
        self.now_us = end

    # the device's end of a wire in this program

    def run(self, now: float) -> None:
        """Let time pass until *now*."""
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
        """Hear the host."""
        self.run(now)
        self._inbox += b"" if self._off_until_us else data

    def outgoing(self, now: float) -> bytes:
        """Say what is to be said by now."""
        self.run(now)
        data, self._outbox = self._outbox, b""
        return data

    def due(self, now: float) -> float:
        """When there may be more to say."""
        wanted = self._off_until_us or self._wanted_us
        soonest = min(wanted, self.rig.due_us() or wanted)
        return now if self._inbox or self._outbox else max(now, self.begun + soonest / 1e6)
