"""A running console: shows panels and sounds on its parts, and reads its buttons. Its clock is passed in."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.kernel.shown import shows
from companion.ports.console import Lamp, Led, Panel, Pressed, Sound
from firmware_bridge.pi_console.config import ConsoleConfig
from firmware_bridge.pi_console.devices import Devices
from firmware_bridge.pi_console.patterns import LEDS, SHAPES, TONES, Pattern, after_blinks, change_ms, length_ms, level
from firmware_bridge.pi_console.presses import Key, Presses

COLOURS: Mapping[str, tuple[float, float, float]] = {
    "red": (1.0, 0.0, 0.0),
    "blue": (0.0, 0.15, 1.0),
    "green": (0.0, 1.0, 0.1),
    "yellow": (1.0, 0.6, 0.0),
    "black": (0.6, 0.0, 0.8),
}
"""The lamp's colour for each colour of the game. Black is shown as violet. Others are white."""
WHITE = (1.0, 0.9, 0.8)
LEAST_S = 0.001
"""The shortest wait. Rounding may put a change just ahead of the clock, and a wait of 0 would then repeat forever."""
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
        """Take the pins of *plan* from *factory*. *let_go* closes the factory at the end.

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
        """Show lamp and LEDs of *panel*. A pattern that is shown already continues where it is."""
        if panel.lamp != self._lamp:
            self._lamp, self._lamp_since = panel.lamp, self._now()
            self._shape = after_blinks(panel.lamp.blinks, SHAPES[panel.lamp.shape])
        self._leds = panel.leds
        self._play(self._now())

    def sound(self, sound: Sound) -> None:
        """Start *sound* now; it replaces the present one."""
        self._tone, self._tone_since = TONES[sound], self._now()
        self._play(self._now())

    def turn(self) -> tuple[Pressed, ...]:
        """Update the parts to the present time; return the buttons that were pressed."""
        now = self._now()
        self._play(now)
        return tuple(self._pressed(now))

    def due_s(self) -> float | None:
        """Return the seconds until something changes by itself, or None."""
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
        if self._has_lamp:  # without a lamp, no wake-ups for its patterns
            yield _s(change_ms(self._shape, _ms(now, self._lamp_since)))
        for seat in self._parts.seats:
            yield _s(change_ms(self._led(seat), _ms(now, 0.0)))
        if self._tone is not SILENCE:
            # A tone of one part ends too. With a silence appended, `change_ms` returns the rest of its part.
            yield _s(change_ms((*self._tone, (0.0, 1)), _ms(now, self._tone_since)))
        yield self._presses.due_s(now)


def _ms(now: float, since: float) -> float:
    return (now - since) * 1000


def _s(ms: float | None) -> float | None:
    return None if ms is None else ms / 1000
