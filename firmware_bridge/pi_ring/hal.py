"""The `Hal` of a ring on a Raspberry Pi: the pins, whose changes are timed, and the sensor's bus."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress

from companion.kernel.fault_log import logged
from companion.kernel.shown import shows
from firmware_bridge.device.hal import Hal
from firmware_bridge.device.sensor_driver import Bus
from firmware_bridge.pi_ring.gpio_address import Pinout
from firmware_bridge.pi_ring.interfaces import GpioPin, LastingMemory, Outside, Pins, SmBus

NEAR_S = 1.0

PAUSE_US = 1_000
DIM_HZ = 500  # PWM frequency of the light, fast enough for eyes
LOUD = 0.5
SHRILLEST_HZ = 10_000  # the kernel's limit for tones in software
Edge = tuple[int, str, bool]


class Watched:
    """One input pin. Each change of its level is reported with its time."""

    def __init__(
        self, pin: GpioPin, pull: str, clock: Callable[[], float], callback: Callable[[float, bool], None]
    ) -> None:
        self._pin = pin
        self._clock = clock
        self._callback = callback
        self._stamps = Timestamps()
        pin.function = "input"
        pin.pull = pull
        self._guarded = logged(self._changed)  # gpiozero holds only a weak reference to it
        pin.when_changed = self._guarded

    @property
    def high(self) -> bool:
        """The pin's level now."""
        return bool(self._pin.state)

    def let_go(self) -> None:
        """Stop reporting changes."""
        self._pin.when_changed = None

    def _changed(self, stamp: float, level: int) -> None:
        self._callback(self._stamps.at(stamp, self._clock()), bool(level))


@shows("_fresh", "_edges", "_jolts")
class PiHal(Hal):
    """The hardware of a ring on *pins*, connected according to *wiring*.

    gpiozero runs callbacks in threads of its own; they only queue the changes. Edges carry the kernel's timestamps, so
    a delay in Python does not matter.
    """

    def __init__(self, pins: Pins, wiring: Pinout, outside: Outside, memory: LastingMemory) -> None:
        self._pins = pins
        self._outside = outside
        self._memory = memory
        self._edges: deque[Edge] = deque()
        self._jolts: deque[int] = deque()
        self._fresh = -1
        self._beams = {"A": self._watched(wiring.a, "A"), "B": self._watched(wiring.b, "B")}
        self._sensor = Watched(pins.pin(wiring.interrupt), "up", pins.ticks, self._frame)
        self._gate = self._switch(wiring.gate)
        self._lift = self._switch(wiring.lift)
        shake = wiring.shake
        self._shake = None if shake is None else Watched(pins.pin(shake), "up", pins.ticks, self._jolt)
        self._lamp = self._output(wiring.lamp, True)
        self._emitters = None if wiring.emitters is None else self._output(wiring.emitters, True)
        self._light = [self._dimmed(pin) for pin in wiring.light]
        self._beeper = None if wiring.beeper is None else self._output(wiring.beeper, False)

    def shine(self, on: bool) -> None:
        """Switch the infrared emitters on or off, if they can be switched."""
        if self._emitters is not None:
            self._emitters.state = on

    def close(self) -> None:
        """Switch everything off, and release the pins."""
        for watched in (*self._beams.values(), self._sensor, self._gate, self._lift, self._shake):
            if watched is not None:
                watched.let_go()
        self.tone(0)
        for pin in (self._lamp, self._emitters, *self._light):
            if pin is not None:
                pin.state = 0
        self._pins.close()

    def ticks(self) -> int:
        """Return the counter of microseconds."""
        return self._counter(self._pins.ticks())

    def blocked(self) -> bool:
        """Return whether a beam is blocked now."""
        return self._beams["A"].high or self._beams["B"].high

    def fresh(self) -> int:
        """Return when the sensor signalled a complete frame, or -1 if it has not done so since `stale`."""
        return self._fresh

    def stale(self) -> None:
        """Discard the sensor's signal."""
        self._fresh = -1

    def pause(self) -> None:
        """Wait for a millisecond, or until a pin changes."""
        self._outside.pause(PAUSE_US)

    def edges(self) -> list[tuple[str, bool, int]]:
        """Return all edges of the beams since the last call, oldest first, as tuples (beam, blocked, counter)."""
        # Take only as many edges as there are now: gpiozero's threads may append more meanwhile.
        found = [self._edges.popleft() for _ in range(len(self._edges))]
        # The counter is read after the edges. Otherwise the age of a newer edge would be negative and wrap, and the
        # newest edge would come first.
        now = self.ticks()
        # Sorted by age, because the counter may wrap between two edges.
        found.sort(key=lambda edge: -((now - edge[0]) & self.mask))
        return [(beam, blocked, at) for at, beam, blocked in found]

    def level(self, beam: str) -> bool:
        """Return whether *beam* is blocked now."""
        return self._beams[beam].high

    def gate_open(self) -> int:
        """Return 1 if the gate is open, or 0 if it is closed, or -1 if there is no switch."""
        return -1 if self._gate is None else int(self._gate.high)

    def lifted(self) -> int:
        """Return 1 if the ring is lifted, or 0 if it is on the table, or -1 if there is no switch."""
        return -1 if self._lift is None else int(self._lift.high)

    def jolts(self) -> list[int]:
        """Return the times of the jolts since the last call."""
        return [self._jolts.popleft() for _ in range(len(self._jolts))]

    def lamp(self, on: bool) -> None:
        """Switch the white LED next to the sensor."""
        self._lamp.state = on

    def light(self, red: int, green: int, blue: int) -> None:
        """Set the colour of the ring's light; each value is 0 to 255."""
        for pin, bright in zip(self._light, (red, green, blue), strict=False):
            pin.state = bright / 255

    def tone(self, hz: int) -> None:
        """Sound a tone of *hz*, at most `SHRILLEST_HZ`; 0 is silence."""
        if self._beeper is not None:
            self._beeper.frequency = min(hz, SHRILLEST_HZ) or None
            self._beeper.state = LOUD if hz else 0

    def read(self) -> bytes:
        """Return the bytes that have arrived from the host, without waiting."""
        return self._outside.read()

    def write(self, data: bytes) -> int:
        """Send *data* to the host, without waiting; return how many bytes were accepted."""
        return self._outside.write(data)

    def rest(self, us: int) -> None:
        """Wait for *us* microseconds, or until something happens."""
        if not (self._edges or self._jolts):
            self._outside.rest(us)

    def keep(self, what: str, numbers: tuple[int, ...]) -> None:
        """Store *numbers* (a reference or the sensor's gain) so that they survive restarts."""
        self._memory.keep(what, numbers)

    def _watched(self, number: int, beam: str) -> Watched:
        return Watched(
            self._pins.pin(number), "floating", self._pins.ticks, lambda at, high: self._edge(beam, at, high)
        )

    def _switch(self, number: int | None) -> Watched | None:
        if number is None:
            return None
        return Watched(self._pins.pin(number), "up", self._pins.ticks, lambda at, high: self._outside.stir())

    def _output(self, number: int, on: bool) -> GpioPin:
        pin = self._pins.pin(number)
        pin.function = "output"
        pin.state = on
        return pin

    def _dimmed(self, number: int) -> GpioPin:
        pin = self._output(number, False)
        pin.frequency = DIM_HZ
        return pin

    def _counter(self, seconds: float) -> int:
        return round(seconds * 1e6) & self.mask

    def _edge(self, beam: str, at: float, blocked: bool) -> None:
        self._edges.append((self._counter(at), beam, blocked))
        self._outside.stir()

    def _frame(self, at: float, high: bool) -> None:
        if not high:
            self._fresh = self._counter(at)
            self._outside.stir()

    def _jolt(self, at: float, high: bool) -> None:
        if not high:
            self._jolts.append(self._counter(at))
            self._outside.stir()


@shows("_apart_s")
class Timestamps:
    """Converts the kernel's timestamps to our clock.

    Most kernels use the monotonic clock for timestamps. Older kernels use the wall clock; for them, the smallest delay
    seen so far is taken as the difference between the two clocks.
    """

    def __init__(self) -> None:
        self._apart_s: float | None = None

    def at(self, stamp: float, now: float) -> float:
        """Convert *stamp* to our clock. The change was reported at *now*, so the result is never later than that."""
        late = now - stamp
        if self._apart_s is None and abs(late) < NEAR_S:
            return min(stamp, now)
        if self._apart_s is None or not self._apart_s <= late < self._apart_s + NEAR_S:
            self._apart_s = late  # the smallest delay so far, or the wall clock was set
        return stamp + self._apart_s


class PiBus(Bus):
    """The sensor on *smbus*. *wait* waits for a number of microseconds."""

    def __init__(self, smbus: SmBus, wait: Callable[[int], None]) -> None:
        self._smbus = smbus
        self._wait = wait

    def free(self) -> None:
        """Read once and ignore the result.

        If the sensor was interrupted in the middle of a byte, this clocks out the rest.

        The bus belongs to the kernel. To pulse the clock line by hand, we would have to take the pins from the kernel.
        They would come back as plain inputs, so there would be no bus until a reboot.
        """
        with suppress(OSError):
            self._smbus.read_i2c_block_data(self.address, self.identity, 1)

    def set(self, command: int, value: int) -> None:
        """Write one byte."""
        self._smbus.write_byte_data(self.address, command, value)

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Fill *buffer*."""
        buffer[:] = bytes(self._smbus.read_i2c_block_data(self.address, command, len(buffer)))

    def command(self, command: int) -> None:
        """Send the command byte alone."""
        self._smbus.write_byte(self.address, command)

    def wait_us(self, us: int) -> None:
        """Wait for *us* microseconds."""
        self._wait(us)
