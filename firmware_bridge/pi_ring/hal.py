"""A ring's hardware on a Raspberry Pi: what its pins say and since when, what they switch, and the sensor's bus."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress

from companion.kernel.fault_log import logged
from companion.kernel.shown import shows
from firmware_bridge.device.hal import Hal
from firmware_bridge.device.tcs34725 import ADDRESS, COMMAND, ID, Bus
from firmware_bridge.pi_ring.interfaces import GpioPin, LastingMemory, Outside, Pins, SmBus
from firmware_bridge.pi_ring.pinout import Pinout

NEAR_S = 1.0

PAUSE_US = 1_000
DIM_HZ = 500  # of the lamps of the light: fast enough for eyes
LOUD = 0.5
SHRILLEST_HZ = 10_000  # the kernel's own limit for a tone by software
Edge = tuple[int, str, bool]


class Watched:
    """One pin that tells its changes, each at its own time."""

    def __init__(
        self, pin: GpioPin, pull: str, clock: Callable[[], float], heard: Callable[[float, bool], None]
    ) -> None:
        self._pin = pin
        self._clock = clock
        self._heard = heard
        self._stamps = Timestamps()
        pin.function = "input"
        pin.pull = pull
        self._guarded = logged(self._changed)  # gpiozero holds it weakly
        pin.when_changed = self._guarded

    @property
    def high(self) -> bool:
        """The pin's level now."""
        return bool(self._pin.state)

    def let_go(self) -> None:
        """Hear no more of it."""
        self._pin.when_changed = None

    def _changed(self, stamp: float, level: int) -> None:
        self._heard(self._stamps.at(stamp, self._clock()), bool(level))


@shows("_fresh", "_edges", "_jolts")
class PiHal(Hal):
    """The rim over *pins* wired as *wiring* says.

    Changes are heard of in threads of gpiozero's; here they are only queued.
    Edges carry the time that the kernel gave them, however late Python comes.
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
        """Switch the emitters, where they can be switched."""
        if self._emitters is not None:
            self._emitters.state = on

    def close(self) -> None:
        """Switch everything off, and let the pins go."""
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
        """Tell whether a beam is blocked now."""
        return self._beams["A"].high or self._beams["B"].high

    def fresh(self) -> int:
        """Return when the sensor said that a frame is whole, -1 if it did not since `stale`."""
        return self._fresh

    def stale(self) -> None:
        """Forget what the sensor said."""
        self._fresh = -1

    def pause(self) -> None:
        """Wait for a millisecond at most, less when a pin changes."""
        self._outside.pause(PAUSE_US)

    def edges(self) -> list[tuple[str, bool, int]]:
        """Return all edges of the beams since the last call, in order: beam, blocked, counter."""
        # As many as there are now: pins go on adding, from threads of their own.
        found = [self._edges.popleft() for _ in range(len(self._edges))]
        # Asked for after them: the age of an edge that came later than this would wrap, and the newest be told first.
        now = self.ticks()
        # By age, as the counter wraps between two edges now and then.
        found.sort(key=lambda edge: -((now - edge[0]) & self.mask))
        return [(beam, blocked, at) for at, beam, blocked in found]

    def level(self, beam: str) -> bool:
        """Tell whether *beam* is blocked now."""
        return self._beams[beam].high

    def gate_open(self) -> int:
        """Return 1 when the gate is open, 0 when it is closed, -1 without a switch."""
        return -1 if self._gate is None else int(self._gate.high)

    def lifted(self) -> int:
        """Return 1 when the ring is lifted, 0 when it stands, -1 without a switch."""
        return -1 if self._lift is None else int(self._lift.high)

    def jolts(self) -> list[int]:
        """Return when the ring was jolted since the last call."""
        return [self._jolts.popleft() for _ in range(len(self._jolts))]

    def lamp(self, on: bool) -> None:
        """Switch the white LED beside the sensor."""
        self._lamp.state = on

    def light(self, red: int, green: int, blue: int) -> None:
        """Show a colour to the table, 0 to 255 each."""
        for pin, bright in zip(self._light, (red, green, blue), strict=False):
            pin.state = bright / 255

    def tone(self, hz: int) -> None:
        """Sound a tone, 0 for silence; no shriller than the Pi can."""
        if self._beeper is not None:
            self._beeper.frequency = min(hz, SHRILLEST_HZ) or None
            self._beeper.state = LOUD if hz else 0

    def read(self) -> bytes:
        """Return what has come from the host, without waiting."""
        return self._outside.read()

    def write(self, data: bytes) -> int:
        """Hand *data* to the host; return how many of the bytes were taken, without waiting."""
        return self._outside.write(data)

    def rest(self, us: int) -> None:
        """Wait until something happens outside, so many microseconds at most."""
        if not (self._edges or self._jolts):
            self._outside.rest(us)

    def keep(self, what: str, numbers: tuple[int, ...]) -> None:
        """Keep a reference or the sensor's gain over the next start."""
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
    """Brings stamps to our clock.

    Most kernels stamp edges with the clock that we have, older ones with that
    on the wall. Then the stamp that came soonest says how far they are apart.
    """

    def __init__(self) -> None:
        self._apart_s: float | None = None

    def at(self, stamp: float, now: float) -> float:
        """Return when it was in our clock, given that it is heard of at *now*; never later than that."""
        late = now - stamp
        if self._apart_s is None and abs(late) < NEAR_S:
            return min(stamp, now)
        if self._apart_s is None or not self._apart_s <= late < self._apart_s + NEAR_S:
            self._apart_s = late  # the soonest so far, or somebody has set the clock on the wall
        return stamp + self._apart_s


class PiBus(Bus):
    """The sensor's address on *smbus*; *wait* waits for so many microseconds."""

    def __init__(self, smbus: SmBus, wait: Callable[[int], None]) -> None:
        self._smbus = smbus
        self._wait = wait

    def free(self) -> None:
        """Ask once in vain: a call clocks its address and a stop, which ends the byte that a sensor may wait for.

        The bus is the kernel's. To clock by hand one would take its pins away,
        and a kernel gives them back as plain inputs: no bus until a restart.
        """
        with suppress(OSError):
            self._smbus.read_i2c_block_data(ADDRESS, COMMAND | ID, 1)

    def set(self, command: int, value: int) -> None:
        """Write one byte."""
        self._smbus.write_byte_data(ADDRESS, command, value)

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Fill *buffer*."""
        buffer[:] = bytes(self._smbus.read_i2c_block_data(ADDRESS, command, len(buffer)))

    def command(self, command: int) -> None:
        """Send the command byte alone."""
        self._smbus.write_byte(ADDRESS, command)

    def wait_us(self, us: int) -> None:
        """Wait."""
        self._wait(us)
