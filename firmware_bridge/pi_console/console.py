"""A console at work: plays panels on its parts and hears its buttons, by a clock that is handed in."""

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
"""What a lamp makes of each colour of the box: nothing shines black, so that is violet; others are white."""
WHITE = (1.0, 0.9, 0.8)
LEAST_S = 0.001
"""A clock's digits may end just short of a change: whoever waited for nothing then would wait for ever."""
SILENCE: Pattern = ((0.0, 0),)


@shows("_moves", "_leds")
class PiConsole:
    """Buttons, lights, lamp and buzzer of one console; a `ConsolePort`."""

    def __init__(
        self,
        plan: ConsoleConfig,
        factory: Any,
        now: Callable[[], float],
        stir: Callable[[], None],
        let_go: Callable[[], None] = lambda: None,
    ) -> None:
        """Take the pins of *plan* from *factory*, which *let_go* closes at the end.

        *now* gives seconds, *stir* is called when a button moves.
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
        """Show lamp and lights of *panel*; what is shown already goes on where it is."""
        if panel.lamp != self._lamp:
            self._lamp, self._lamp_since = panel.lamp, self._now()
            self._shape = after_blinks(panel.lamp.blinks, SHAPES[panel.lamp.shape])
        self._leds = panel.leds
        self._play(self._now())

    def sound(self, sound: Sound) -> None:
        """Sound this now; it ends what sounds still."""
        self._tone, self._tone_since = TONES[sound], self._now()
        self._play(self._now())

    def turn(self) -> tuple[Pressed, ...]:
        """Play what must be played now, and return what was pressed."""
        now = self._now()
        self._play(now)
        return tuple(self._pressed(now))

    def due_s(self) -> float | None:
        """Return in how many seconds something changes by itself."""
        if self._moves:
            return 0.0
        due = min((each for each in self._changes(self._now()) if each is not None), default=None)
        return None if due is None else max(due, LEAST_S)

    def close(self) -> None:
        """Switch everything off, and let the pins go."""
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
        if self._has_lamp:  # without one, nobody has to wake up for a breath
            yield _s(change_ms(self._shape, _ms(now, self._lamp_since)))
        for seat in self._parts.seats:
            yield _s(change_ms(self._led(seat), _ms(now, 0.0)))
        if self._tone is not SILENCE:
            # A tone of one part ends too: what is left of its part, however many there are.
            yield _s(change_ms((*self._tone, (0.0, 1)), _ms(now, self._tone_since)))
        yield self._presses.due_s(now)


def _ms(now: float, since: float) -> float:
    return (now - since) * 1000


def _s(ms: float | None) -> float | None:
    return None if ms is None else ms / 1000
