"""A running console: shows panels and sounds on its parts, and reads its buttons. Its clock is passed in."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from math import cos, pi
from typing import Any

from gpiozero import LED, RGBLED, Buzzer, DigitalInputDevice, TonalBuzzer

from companion.kernel.fault_log import logged
from companion.kernel.shown import shows
from companion.ports.console import Button, Lamp, Led, Panel, Pressed, Shape, Sound
from firmware_bridge.pi_console.config import ConsoleConfig

# Turns changes of the buttons into short and long presses. The time is passed in.

Key = tuple[Button, str]
"""A button, and its seat (empty if there is none)."""


@shows("_down")
class Presses:
    """Detects short and long presses.

    A short press counts when it ends. A long press counts as soon as it is long enough, so people do not have to guess
    how long to press.
    """

    def __init__(self, hold_s: float) -> None:
        self._hold_s = hold_s
        self._down: dict[Key, float] = {}

    def moved(self, key: Key, down: bool, at: float) -> Pressed | None:
        """Record that a button went down or up. Return the press that ends with this change, or None."""
        if down:
            self._down.setdefault(key, at)
            return None
        since = self._down.pop(key, None)
        if since is None:
            return None  # it was a long press and has already counted
        return Pressed(*key, held=at - since >= self._hold_s)

    def held(self, now: float) -> tuple[Pressed, ...]:
        """Return the presses that are now long enough to count as long. Each press is returned once."""
        ripe = [key for key, since in self._down.items() if now - since >= self._hold_s]
        for key in ripe:
            del self._down[key]
        return tuple(Pressed(*key, held=True) for key in ripe)

    def due_s(self, now: float) -> float | None:
        """Return the seconds until the next press is long enough, or None."""
        return min((max(0.0, since + self._hold_s - now) for since in self._down.values()), default=None)


# The hardware of a console: gpiozero devices on the pins of its configuration.

BOUNCE_S = 0.03
OCTAVES = 2  # around 440 Hz: 110 to 1760 Hz
Moved = Callable[[Key, bool], None]


@shows("_leds")
class Devices:
    """All wired parts, on the pins of *factory*. *moved* is called from gpiozero's threads."""

    def __init__(self, plan: ConsoleConfig, factory: Any, moved: Moved) -> None:
        with ExitStack() as closing:
            self._lamp: Any = None
            self._buzzer: Any = None
            self._leds: dict[str, Any] = {}
            self._tonal = plan.tonal
            self._now: dict[str, object] = {}
            for key, pin in plan.keys.items():
                self._listen(closing.enter_context(_button(pin, factory)), key, moved)
            for seat, pin in plan.leds.items():
                self._leds[seat] = closing.enter_context(LED(pin, pin_factory=factory))
            if plan.lamp:
                on_high = not plan.common_anode
                self._lamp = closing.enter_context(RGBLED(*plan.lamp, active_high=on_high, pin_factory=factory))
            if plan.buzzer is not None:
                self._buzzer = closing.enter_context(_buzzer(plan.buzzer, plan.tonal, factory))
            self._closing = closing.pop_all()  # all parts were opened, so they stay open until `close`

    def lamp(self, red: float, green: float, blue: float) -> None:
        """Show a colour; each value is 0 to 1."""
        if self._lamp is not None and self._new("lamp", (red, green, blue)):
            self._lamp.value = (red, green, blue)

    def led(self, seat: str, on: bool) -> None:
        """Switch the LED of a seat, if it has one."""
        if seat in self._leds and self._new(f"led {seat}", on):
            self._leds[seat].value = on

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the seats that have an LED."""
        return tuple(self._leds)

    def tone(self, hz: float) -> None:
        """Sound a tone; 0 is silence. An active buzzer has only one tone."""
        if self._buzzer is None or not self._new("tone", hz):
            return
        if not self._tonal:
            self._buzzer.value = hz > 0
        elif hz:
            self._buzzer.play(hz)
        else:
            self._buzzer.stop()

    def close(self) -> None:
        """Switch everything off, and release the pins."""
        self._closing.close()

    def _new(self, what: str, value: object) -> bool:
        """Return whether the output *what* gets a new *value*. Setting a tone again to the same value would crackle."""
        before, self._now[what] = self._now.get(what), value
        return before != value

    def _listen(self, button: Any, key: Key, moved: Moved) -> None:
        # A separate method, because closures made in the loop would all use its last key.
        button.when_activated = logged(partial(moved, key, True))
        button.when_deactivated = logged(partial(moved, key, False))


def _button(pin: int, factory: Any) -> Any:
    """Return a button to ground. gpiozero's `Button` would need a thread for long presses; `Presses` does not."""
    return DigitalInputDevice(pin, pull_up=True, bounce_time=BOUNCE_S, pin_factory=factory)


def _buzzer(pin: int, tonal: bool, factory: Any) -> Any:
    return TonalBuzzer(pin, octaves=OCTAVES, pin_factory=factory) if tonal else Buzzer(pin, pin_factory=factory)


# Blink patterns and tone sequences as data, and functions that evaluate them at a given time.

Pattern = tuple[tuple[float, int], ...]
"""Pairs of a level and its duration in milliseconds. Levels are 0 to 1 for light, and in hertz for tones."""

BLINK_MS = 250
"""Half of a blink: two blinks per second, well below the three that may cause seizures."""
GAP_MS = 500
BREATH_STEPS, BREATH_STEP_MS = 32, 125
DIM = 0.15


def _breath() -> Pattern:
    """Return a pattern that takes four seconds from dim to full brightness and back."""
    depth = (1 - DIM) / 2
    levels = (DIM + depth * (1 - cos(2 * pi * step / BREATH_STEPS)) for step in range(BREATH_STEPS))
    return tuple((round(level, 3), BREATH_STEP_MS) for level in levels)


SHAPES: Mapping[Shape, Pattern] = {
    Shape.DARK: ((0.0, 1000),),
    Shape.DIM: ((DIM, 1000),),
    Shape.STEADY: ((1.0, 4000),),
    Shape.BREATH: _breath(),
    Shape.PULSES: ((1.0, 500), (0.0, 500)),
    Shape.DOUBLE: ((1.0, BLINK_MS), (0.0, BLINK_MS), (1.0, BLINK_MS), (0.0, 1750)),
    Shape.LONG_SHORT: ((1.0, 1200), (0.0, 400), (1.0, 300), (0.0, 900)),
}
LEDS: Mapping[Led, Pattern] = {
    Led.OFF: ((0.0, 1000),),
    Led.ON: ((1.0, 1000),),
    Led.BLINK: ((1.0, 400), (0.0, 400)),
}
TONES: Mapping[Sound, Pattern] = {
    Sound.TURN: ((523.0, 120), (784.0, 180)),
    Sound.TICK: ((880.0, 80),),
    Sound.LOW: ((262.0, 350),),
    Sound.LAST: ((659.0, 40),),
    Sound.OVER: ((392.0, 140), (0.0, 80), (330.0, 170)),
    Sound.UNSURE: ((587.0, 120), (0.0, 80), (587.0, 120)),
    Sound.REFUSED: ((175.0, 180),),
}
"""The sounds. Each takes less than 400 ms. Pages use the same sounds."""


def after_blinks(blinks: int, shape: Pattern) -> Pattern:
    """Return the pattern *shape*, preceded by a number of short blinks with a dark pause before and after them."""
    if not blinks:
        return shape
    dark = (0.0, GAP_MS)
    return (dark, *((1.0, BLINK_MS), (0.0, BLINK_MS)) * blinks, dark, *shape)


def length_ms(pattern: Pattern) -> int:
    """Return the duration of one repetition.

    >>> length_ms(((1.0, 400), (0.0, 400)))
    800
    """
    return sum(ms for _, ms in pattern)


def level(pattern: Pattern, at_ms: float) -> float:
    """Return the level of the repeating *pattern* at a time.

    >>> level(((1.0, 400), (0.0, 100)), at_ms=950)
    0.0
    """
    return _place(pattern, at_ms)[0]


def change_ms(pattern: Pattern, at_ms: float) -> float | None:
    """Return the time until the next part of *pattern* begins, or None if there is only one part."""
    return _place(pattern, at_ms)[1] if len(pattern) > 1 else None


def _place(pattern: Pattern, at_ms: float) -> tuple[float, float]:
    left = at_ms % length_ms(pattern)
    for height, ms in pattern:
        if left < ms:
            return height, ms - left
        left -= ms
    raise AssertionError("a moment lies in some part of a pattern")


COLOURS: Mapping[str, tuple[float, float, float]] = {
    "red": (1.0, 0.0, 0.0),
    "blue": (0.0, 0.15, 1.0),
    "green": (0.0, 1.0, 0.1),
    "yellow": (1.0, 0.6, 0.0),
    "black": (0.6, 0.0, 0.8),
}
"""The lamp's colour for each colour of the game. Black is shown as violet. Colours that are not listed are shown as
white.
"""
WHITE = (1.0, 0.9, 0.8)
LEAST_S = 0.001
"""The shortest wait. Because of rounding, a change may seem due although the clock is slightly before it. Waits of 0
would then repeat without end.
"""
SILENCE: Pattern = ((0.0, 0),)


@shows("_moves", "_leds")
class PiConsole:
    """Buttons, LEDs, lamp and buzzer of one console; implements `ConsolePort`."""

    def __init__(
        self,
        plan: ConsoleConfig,
        factory: Any,
        now: Callable[[], float],
        stir: Callable[[], None],
        let_go: Callable[[], None] = lambda: None,
    ) -> None:
        """Open the pins of *plan* on *factory*. *let_go* is called at the end and closes the factory.

        *now* returns seconds. *stir* is called when a button changes.
        """
        self._now, self._stir, self._let_go = now, stir, let_go
        self._moves: deque[tuple[Key, bool, float]] = deque()
        self._presses = Presses(plan.hold_s)
        self._has_lamp = bool(plan.lamp)
        self._lamp, self._shape, self._lamp_since = Lamp(), SHAPES[Lamp().shape], now()
        self._leds: Mapping[str, Led] = {}
        self._tone, self._tone_since = SILENCE, now()
        self._parts = Devices(plan, factory, self._moved)

    def show(self, panel: Panel) -> None:
        """Show *panel* on the lamp and the LEDs. A pattern that is already being shown continues without a restart."""
        if panel.lamp != self._lamp:
            self._lamp, self._lamp_since = panel.lamp, self._now()
            self._shape = after_blinks(panel.lamp.blinks, SHAPES[panel.lamp.shape])
        self._leds = panel.leds
        self._play(self._now())

    def sound(self, sound: Sound) -> None:
        """Start *sound* now. It replaces the sound that is playing."""
        self._tone, self._tone_since = TONES[sound], self._now()
        self._play(self._now())

    def turn(self) -> tuple[Pressed, ...]:
        """Bring the lamp, the LEDs and the buzzer up to date, and return the buttons that were pressed."""
        now = self._now()
        self._play(now)
        return tuple(self._pressed(now))

    def due_s(self) -> float | None:
        """Return the seconds until something changes without further input, or None."""
        if self._moves:
            return 0.0
        due = min((each for each in self._changes(self._now()) if each is not None), default=None)
        return None if due is None else max(due, LEAST_S)

    def close(self) -> None:
        """Switch everything off, and release the pins."""
        self._parts.close()
        self._let_go()

    def _moved(self, key: Key, down: bool) -> None:
        self._moves.append((key, down, self._now()))
        self._stir()

    def _pressed(self, now: float) -> Iterator[Pressed]:
        while self._moves:
            pressed = self._presses.moved(*self._moves.popleft())
            if pressed is not None:
                yield pressed
        yield from self._presses.held(now)

    def _play(self, now: float) -> None:
        bright = level(self._shape, _ms(now, self._lamp_since))
        red, green, blue = COLOURS.get(self._lamp.colour, WHITE)
        self._parts.lamp(red * bright, green * bright, blue * bright)
        for seat in self._parts.seats:
            self._parts.led(seat, level(self._led(seat), _ms(now, 0.0)) > 0)
        if self._tone is not SILENCE:
            self._sing(_ms(now, self._tone_since))

    def _sing(self, at_ms: float) -> None:
        if at_ms < length_ms(self._tone):
            self._parts.tone(level(self._tone, at_ms))
        else:
            self._tone = SILENCE
            self._parts.tone(0)

    def _led(self, seat: str) -> Pattern:
        return LEDS[self._leds.get(seat, Led.OFF)]

    def _changes(self, now: float) -> Iterator[float | None]:
        if self._has_lamp:  # without a lamp, its patterns need no wake-ups
            yield _s(change_ms(self._shape, _ms(now, self._lamp_since)))
        for seat in self._parts.seats:
            yield _s(change_ms(self._led(seat), _ms(now, 0.0)))
        if self._tone is not SILENCE:
            # A silence is appended, because `change_ms` returns None for a pattern of one part, but a single tone ends
            # too.
            yield _s(change_ms((*self._tone, (0.0, 1)), _ms(now, self._tone_since)))
        yield self._presses.due_s(now)


def _ms(now: float, since: float) -> float:
    return (now - since) * 1000


def _s(ms: float | None) -> float | None:
    return None if ms is None else ms / 1000
