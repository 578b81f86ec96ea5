"""The interface to a console: the companion shows a panel and receives presses; the bridge controls the pins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Protocol

from companion.kernel.values import dataclass


class Shape(StrEnum):
    """How the lamp shines. Shapes can be distinguished without seeing the colour."""

    DARK = "dark"
    DIM = "dim"
    STEADY = "steady"
    BREATH = "breath"
    PULSES = "pulses"
    DOUBLE = "double"
    LONG_SHORT = "long-short"


class Led(StrEnum):
    """How the light in a seat's button shines. BLINK means that the table waits for this player."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


class Sound(StrEnum):
    """The sounds of the buzzer."""

    TURN = "turn"
    TICK = "tick"
    LOW = "low"
    LAST = "last"
    OVER = "over"
    UNSURE = "unsure"
    REFUSED = "refused"


@dataclass(frozen=True)
class Lamp:
    """The lamp: a colour (of a seat, or `white` for everybody), a shape, and a number of short blinks before it."""

    colour: str = "white"
    shape: Shape = Shape.DARK
    blinks: int = 0


@dataclass(frozen=True)
class Cue:
    """A sound to play once. *mark* distinguishes it from the last one with the same sound."""

    sound: Sound
    mark: tuple[object, ...]


@dataclass(frozen=True)
class Panel:
    """Everything that a console shows at one moment; *leds* by seat."""

    lamp: Lamp = Lamp()
    leds: Mapping[str, Led] = field(default_factory=dict)
    cue: Cue | None = None


class Button(StrEnum):
    """The buttons of a console. There is one READY for each seat."""

    NEXT = "next"
    PAUSE = "pause"
    READY = "ready"


@dataclass(frozen=True)
class Pressed:
    """A button press. *seat* is set for the button of a seat; *held* means a long press."""

    button: Button
    seat: str = ""
    held: bool = False


class ConsolePort(Protocol):
    """An open console. One thread calls it; its callback may come from any thread when a button changes."""

    def show(self, panel: Panel) -> None:
        """Show the lamp and the lights of *panel* from now on. Its cue is not played."""

    def sound(self, sound: Sound) -> None:
        """Start playing this sound once."""

    def turn(self) -> tuple[Pressed, ...]:
        """Update lamp and tones for the present time; return the presses since the last turn."""

    def due_s(self) -> float | None:
        """Return in how many seconds the next turn is due; None means not before the next event."""

    def close(self) -> None:
        """Switch everything off and release the pins."""


OpenConsole = Callable[[Callable[[], None]], ConsolePort]
"""Opens a console. Its argument is a callback, called from any thread whenever a button changes."""
