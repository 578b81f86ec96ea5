"""The hardware of a console: gpiozero devices on the pins of its configuration."""

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
            self._closing = closing.pop_all()  # all were opened: nothing is closed before `close`

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
        """The seats that have an LED."""
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
        """Return whether *what* has changed. Setting a tone again to the same value would crackle."""
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
