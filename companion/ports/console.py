"""The interface to a console: the companion shows a panel and receives presses; the bridge controls the pins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Protocol

from companion.kernel.values import dataclass


class Shape(StrEnum):
    """The pattern in which the lamp shines. Patterns can be told apart without seeing the colour."""

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
    """What the lamp shows: a number of short blinks, then a colour in a shape.

    The colour is that of a seat, or `white` for everybody.
    """

    colour: str = "white"
    shape: Shape = Shape.DARK
    blinks: int = 0


@dataclass(frozen=True)
class Cue:
    """A sound to play once. If *mark* changes, the sound must be played again, even if it is the same sound."""

    sound: Sound
    mark: tuple[object, ...]


@dataclass(frozen=True)
class Panel:
    """Everything that a console shows at one moment. *leds* maps seats to lights."""

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
    """A button press. *seat* is set if the button belongs to a seat; *held* means a long press."""

    button: Button
    seat: str = ""
    held: bool = False


class ConsolePort(Protocol):
    """An open console.

    Only one thread may call it, but it may call its callback from any thread when a button changes.
    """

    def show(self, panel: Panel) -> None:
        """Show the lamp and the lights of *panel* from now on. The sound of *panel* is not played."""

    def sound(self, sound: Sound) -> None:
        """Start playing this sound once."""

    def turn(self) -> tuple[Pressed, ...]:
        """Update the lamp and the tones for the present time; return the button presses since the last call."""

    def due_s(self) -> float | None:
        """Return the seconds until `turn` must be called again; None means not before the next event."""

    def close(self) -> None:
        """Switch everything off and release the pins."""


OpenConsole = Callable[[Callable[[], None]], ConsolePort]
"""A function that opens a console. Its argument is a callback for changes of buttons, which any thread may call."""
