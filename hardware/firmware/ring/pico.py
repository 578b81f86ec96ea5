"""The hardware abstraction of a Raspberry Pi Pico: its pins, counter, USB, watchdog and memory."""

import gc
from time import ticks_diff

from machine import PWM, WDT, Pin, bitstream, idle, reset
from micropython import heap_lock, heap_unlock
from wire.hal import Hal

from ring import crashes, flash, pico_pins
from ring.edges import Edges
from ring.ticks import ticks_us
from ring.usb import Usb

WS2812B_NS = (400, 850, 800, 450)
LOUD = 1 << 15  # half of the time on
LOWEST_HZ = 20  # lower tones are inaudible, and the counter of the RP2040 can't be much slower
TURNS = 32  # between two collections: a turn leaves 1.5 kB of garbage, one that reports a passage 8 kB
MOST_JOLTS = 8
PROMPT = "prompt"  # if this file exists, the next start goes to the REPL


class Pico(Hal):
    """The hardware of a Pico; *watchdog* is already running."""

    def __init__(self, edges: Edges, usb: Usb, watchdog: WDT) -> None:
        self._edges = edges
        self._usb = usb
        self._watchdog = watchdog
        self._begun = ticks_us()
        self._lasted = 0  # seconds of this run, counted up to one minute
        self._fresh = -1
        # Allocated here, because a hard interrupt must not allocate.
        self._jolts = [0] * MOST_JOLTS
        self._jolted = 0
        self._stirred = False
        self._turns = 0
        self._lamp = Pin(pico_pins.LAMP, Pin.OUT, value=1)
        self._light = Pin(pico_pins.PIXEL, Pin.OUT, value=0)
        self._piezo: PWM | None = None
        self._sensor = Pin(pico_pins.INT, Pin.IN, Pin.PULL_UP)
        self._gate = Pin(pico_pins.GATE, Pin.IN, Pin.PULL_UP)
        self._lift = Pin(pico_pins.LIFT, Pin.IN, Pin.PULL_UP)
        self._shake = Pin(pico_pins.SHAKE, Pin.IN, Pin.PULL_UP)
        self._sensor.irq(self._frame, Pin.IRQ_FALLING, hard=True)
        self._shake.irq(self._jolt, Pin.IRQ_FALLING, hard=True)
        for pin in (self._gate, self._lift):
            pin.irq(self._stir, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)
        self._woken = self._is_woken  # each access to a bound method allocates a new one

    def _frame(self, pin: Pin) -> None:
        self._fresh = ticks_us()

    def _jolt(self, pin: Pin) -> None:
        if self._jolted < MOST_JOLTS:
            self._jolts[self._jolted] = ticks_us()
            self._jolted += 1

    def _stir(self, pin: Pin) -> None:
        self._stirred = True

    def ticks(self) -> int:
        """Return the counter in microseconds; does not allocate."""
        return ticks_us()

    def blocked(self) -> bool:
        """Return whether a beam is blocked now; does not allocate."""
        return self._edges.blocked()

    def level(self, beam: str) -> bool:
        """Return whether *beam* is blocked now."""
        return self._edges.level(beam)

    def fresh(self) -> int:
        """Return when the sensor signalled a complete frame, or -1 if it has not since `stale`; does not allocate."""
        return self._fresh

    def stale(self) -> None:
        """Discard the sensor's signal; does not allocate."""
        self._fresh = -1

    def pause(self) -> None:
        """Wait for the next interrupt, at most a millisecond; does not allocate."""
        idle()

    def lock(self) -> None:
        """Forbid allocation until `unlock`."""
        heap_lock()

    def unlock(self) -> None:
        """Allow allocation again."""
        heap_unlock()

    def edges(self) -> list[tuple[str, bool, int]]:
        """Return all edges of the beams since the last call, oldest first, as tuples (beam, blocked, counter)."""
        return self._edges.taken()

    def gate_open(self) -> int:
        """Return 1 if the gate is open, or 0 if it is closed."""
        return self._gate.value()

    def lifted(self) -> int:
        """Return 1 if the ring is lifted, or 0 if it is on the table."""
        return self._lift.value()

    def jolts(self) -> list[int]:
        """Return the times of the jolts since the last call, eight at most."""
        found = self._jolts[: self._jolted]
        self._jolted = 0
        return found

    def lamp(self, on: bool) -> None:
        """Switch the white LED next to the sensor."""
        self._lamp.value(on)

    def light(self, red: int, green: int, blue: int) -> None:
        """Set the colour of the ring's light, 0 to 255 each; the pixel takes green first."""
        bitstream(self._light, 0, WS2812B_NS, bytes((green, red, blue)))

    def tone(self, hz: int) -> None:
        """Sound a tone; 0 is silence."""
        if self._piezo:
            self._piezo.deinit()
            self._piezo = None
        if hz:
            self._piezo = PWM(Pin(pico_pins.PIEZO))
            self._piezo.freq(max(hz, LOWEST_HZ))
            self._piezo.duty_u16(LOUD)

    def read(self) -> bytes:
        """Return the bytes that have arrived from the host, without waiting."""
        return self._usb.read()

    def write(self, data: bytes) -> int:
        """Send *data* to the host, without waiting; return how many bytes were accepted."""
        return self._usb.write(data)

    def rest(self, us: int) -> None:
        """Wait for *us* microseconds at most, less if bytes arrive, a beam is blocked or a switch or sensor changes."""
        self._usb.rest(us, self._woken)
        self._stirred = False

    def _is_woken(self) -> bool:
        # A cube may have passed already, so check for stored edges as well as for blocked beams.
        return self._stirred or self._fresh >= 0 or self._jolted > 0 or self._edges.wait() or self._edges.blocked()

    def alive(self) -> None:
        """Feed the watchdog, and record how long this run has lasted."""
        self._watchdog.feed()
        self._turns += 1
        if self._lasted < crashes.MINUTE_S:
            seconds = ticks_diff(ticks_us(), self._begun) // 1_000_000
            if seconds != self._lasted:
                self._lasted = seconds
                crashes.lasted(seconds)

    def tidy(self) -> None:
        """Collect garbage after every 32 turns; measuring the garbage first would take as long as collecting it."""
        if self._turns > TURNS:
            gc.collect()
            self._turns = 0

    def keep(self, what: str, numbers: tuple[int, ...]) -> None:
        """Store a reference or the sensor's gain for later starts."""
        flash.keep(what, numbers)

    def leave(self) -> None:
        """Restart into the REPL."""
        with open(PROMPT, "w") as file:
            file.write("asked for\n")
        reset()
