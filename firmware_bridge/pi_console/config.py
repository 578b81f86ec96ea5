"""The pin assignment of a console."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from companion.ports.console import Button


@dataclass(frozen=True)
class ConsoleConfig:
    """The pins of a console's parts, as BCM numbers. Missing parts are None or empty.

    *buttons* and *leds* are keyed by seat. *lamp* has the pins of red, green and blue.
    """

    factory: str = "lgpio"
    hold_s: float = 1.0
    next: int | None = None
    pause: int | None = None
    buttons: Mapping[str, int] = field(default_factory=dict)
    leds: Mapping[str, int] = field(default_factory=dict)
    buzzer: int | None = None
    tonal: bool = True
    lamp: tuple[int, ...] = ()
    common_anode: bool = False

    @property
    def keys(self) -> Mapping[tuple[Button, str], int]:
        """The pin of every button."""
        single = {Button.NEXT: self.next, Button.PAUSE: self.pause}
        seats = {(Button.READY, seat): pin for seat, pin in self.buttons.items()}
        return {(button, ""): pin for button, pin in single.items() if pin is not None} | seats

    @property
    def used(self) -> tuple[tuple[str, int], ...]:
        """The pin of every part, keyed by the part's key in the file."""
        return tuple(self._used())

    def _used(self) -> Iterator[tuple[str, int]]:
        for name, pin in (("next.button", self.next), ("pause.button", self.pause), ("buzzer.pin", self.buzzer)):
            if pin is not None:
                yield name, pin
        for name, seats in (("button", self.buttons), ("led", self.leds)):
            yield from ((f"seats.{seat}.{name}", pin) for seat, pin in seats.items())
        yield from ((f"lamp.{name}", pin) for name, pin in zip(("red", "green", "blue"), self.lamp, strict=False))
