"""The rim of a Raspberry Pi Pico: its pins, its counter, its USB, its watchdog and its memory."""

import gc
from time import ticks_diff

from machine import PWM, WDT, Pin, bitstream, idle, reset
from micropython import heap_lock, heap_unlock
from wire.hal import Hal

from ring import crashes, flash, pins
from ring.edges import Edges
from ring.ticks import ticks_us
from ring.usb import Usb

WS2812B_NS = (400, 850, 800, 450)
LOUD = 1 << 15  # half of the time on
TURNS = 32  # since the last clearing up: a turn leaves 1.5 kB, one that tells a passage 8 kB
MOST_JOLTS = 8
PROMPT = "prompt"  # a file that asks the next start for the prompt


class Pico(Hal):
    """The board's rim; its *watchdog* runs already."""

    def __init__(self, edges: Edges, usb: Usb, watchdog: WDT) -> None:
        self._edges = edges
        self._usb = usb
        self._watchdog = watchdog
        self._begun = ticks_us()
        self._lasted = 0  # seconds, until it is a minute: nobody asks for more
        self._fresh = -1
        # Made beforehand: a hard interrupt may allocate nothing.
        self._jolts = [0] * MOST_JOLTS
        self._jolted = 0
        self._stirred = False
        self._turns = 0
        self._lamp = Pin(pins.LAMP, Pin.OUT, value=1)
        self._light = Pin(pins.PIXEL, Pin.OUT, value=0)
        self._piezo: PWM | None = None
        self._sensor = Pin(pins.INT, Pin.IN, Pin.PULL_UP)
        self._gate = Pin(pins.GATE, Pin.IN, Pin.PULL_UP)
        self._lift = Pin(pins.LIFT, Pin.IN, Pin.PULL_UP)
        self._shake = Pin(pins.SHAKE, Pin.IN, Pin.PULL_UP)
        self._sensor.irq(self._frame, Pin.IRQ_FALLING, hard=True)
        self._shake.irq(self._jolt, Pin.IRQ_FALLING, hard=True)
        for pin in (self._gate, self._lift):
            pin.irq(self._stir, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)
        self._woken = self._is_woken  # made once: a bound method is allocated each time

    def _frame(self, pin: Pin) -> None:
        self._fresh = ticks_us()

    def _jolt(self, pin: Pin) -> None:
        if self._jolted < MOST_JOLTS:
            self._jolts[self._jolted] = ticks_us()
            self._jolted += 1

    def _stir(self, pin: Pin) -> None:
        self._stirred = True

    def ticks(self) -> int:
        """Return the counter; allocates nothing."""
        return ticks_us()

    def blocked(self) -> bool:
        """Tell whether a beam is blocked now; allocates nothing."""
        return self._edges.blocked()

    def level(self, beam: str) -> bool:
        """Tell whether *beam* is blocked now."""
        return self._edges.level(beam)

    def fresh(self) -> int:
        """Return when the sensor said that a frame is whole, -1 if it did not since `stale`; allocates nothing."""
        return self._fresh

    def stale(self) -> None:
        """Forget what the sensor said; allocates nothing."""
        self._fresh = -1

    def pause(self) -> None:
        """Wait for the next interrupt, a millisecond at most; allocates nothing."""
        idle()

    def lock(self) -> None:
        """Begin to hold that nothing is allocated."""
        heap_lock()

    def unlock(self) -> None:
        """End it."""
        heap_unlock()

    def edges(self) -> list[tuple[str, bool, int]]:
        """Return all edges of the beams since the last call, in order: beam, blocked, counter."""
        return self._edges.taken()

    def gate_open(self) -> int:
        """Return 1 when the gate is open, 0 when it is closed."""
        return self._gate.value()

    def lifted(self) -> int:
        """Return 1 when the ring is lifted, 0 when it stands."""
        return self._lift.value()

    def jolts(self) -> list[int]:
        """Return when the ring was jolted since the last call."""
        found = self._jolts[: self._jolted]
        self._jolted = 0
        return found

    def lamp(self, on: bool) -> None:
        """Switch the white LED beside the sensor."""
        self._lamp.value(on)

    def light(self, red: int, green: int, blue: int) -> None:
        """Show a colour to the table, 0 to 255 each; the pixel wants green first."""
        bitstream(self._light, 0, WS2812B_NS, bytes((green, red, blue)))

    def tone(self, hz: int) -> None:
        """Sound a tone, 0 for silence."""
        if self._piezo:
            self._piezo.deinit()
            self._piezo = None
        if hz:
            self._piezo = PWM(Pin(pins.PIEZO))
            self._piezo.freq(hz)
            self._piezo.duty_u16(LOUD)

    def read(self) -> bytes:
        """Return what has come from the host, without waiting."""
        return self._usb.read()

    def write(self, data: bytes) -> int:
        """Hand *data* to the host; return how many of the bytes were taken, without waiting."""
        return self._usb.write(data)

    def rest(self, us: int) -> None:
        """Wait until something happens outside, so many microseconds at most."""
        self._usb.rest(us, self._woken)
        self._stirred = False

    def _is_woken(self) -> bool:
        # The levels alone would hide a cube that is gone already.
        return self._stirred or self._fresh >= 0 or self._jolted > 0 or self._edges.wait() or self._edges.blocked()

    def alive(self) -> None:
        """Feed the watchdog, and note how long this run has lasted."""
        self._watchdog.feed()
        self._turns += 1
        if self._lasted < crashes.MINUTE_S:
            seconds = ticks_diff(ticks_us(), self._begun) // 1_000_000
            if seconds != self._lasted:
                self._lasted = seconds
                crashes.lasted(seconds)

    def tidy(self) -> None:
        """Clear the memory up once enough has gathered; to ask how much would take as long as to do it."""
        if self._turns > TURNS:
            gc.collect()
            self._turns = 0

    def keep(self, what: str, numbers: tuple[int, ...]) -> None:
        """Keep a reference or the sensor's gain over the next start."""
        flash.keep(what, numbers)

    def leave(self) -> None:
        """Start again, for the prompt."""
        with open(PROMPT, "w") as file:
            file.write("asked for\n")
        reset()
