"""The rim of a console: gpiozero's devices on the pins of a plan, each thinner than a line."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

from gpiozero import LED, RGBLED, Buzzer, DigitalInputDevice, TonalBuzzer

from companion.kernel.fault_log import logged
from companion.kernel.shown import shows
from firmware_bridge.pi_console.config import ConsoleConfig
from firmware_bridge.pi_console.presses import Key

BOUNCE_S = 0.03
OCTAVES = 2  # around 440 Hz: 110 to 1760
Moved = Callable[[Key, bool], None]


@shows("_leds")
class Devices:
    """Everything that is wired, on the pins of *factory*; *moved* is called in threads of gpiozero's."""

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
            self._closing = closing.pop_all()  # all is there: nothing is let go of before the end

    def lamp(self, red: float, green: float, blue: float) -> None:
        """Show a colour, 0 to 1 each."""
        if self._lamp is not None and self._new("lamp", (red, green, blue)):
            self._lamp.value = (red, green, blue)

    def led(self, seat: str, on: bool) -> None:
        """Switch the light of a seat that has one."""
        if seat in self._leds and self._new(f"led {seat}", on):
            self._leds[seat].value = on

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that have a light."""
        return tuple(self._leds)

    def tone(self, hz: float) -> None:
        """Sound a tone, 0 for silence; a buzzer with a voice of its own has only that one."""
        if self._buzzer is None or not self._new("tone", hz):
            return
        if not self._tonal:
            self._buzzer.value = hz > 0
        elif hz:
            self._buzzer.play(hz)
        else:
            self._buzzer.stop()

    def close(self) -> None:
        """Switch everything off, and let the pins go."""
        self._closing.close()

    def _new(self, what: str, value: object) -> bool:
        """Tell whether *what* is something else now: a tone that is set anew, as it was, would crackle."""
        before, self._now[what] = self._now.get(what), value
        return before != value

    def _listen(self, button: Any, key: Key, moved: Moved) -> None:
        # In a method of its own: made in the loop, all would mean its last key.
        button.when_activated = logged(partial(moved, key, True))
        button.when_deactivated = logged(partial(moved, key, False))


def _button(pin: int, factory: Any) -> Any:
    """Return a button to ground. gpiozero's `Button` has a thread to tell long presses; here the clock does."""
    return DigitalInputDevice(pin, pull_up=True, bounce_time=BOUNCE_S, pin_factory=factory)


def _buzzer(pin: int, tonal: bool, factory: Any) -> Any:
    return TonalBuzzer(pin, octaves=OCTAVES, pin_factory=factory) if tonal else Buzzer(pin, pin_factory=factory)
