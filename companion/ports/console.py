"""What the companion knows of a console: a frozen panel goes out, presses come in; the bridge has the pins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Protocol

from companion.kernel.values import dataclass


class Shape(StrEnum):
    """How the lamp shines; told apart without seeing its colour."""

    DARK = "dark"
    DIM = "dim"
    STEADY = "steady"
    BREATH = "breath"
    PULSES = "pulses"
    DOUBLE = "double"
    LONG_SHORT = "long-short"


class Led(StrEnum):
    """How the light in a seat's button shines: BLINK is somebody the table waits for."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


class Sound(StrEnum):
    """What the buzzer can say."""

    TURN = "turn"
    TICK = "tick"
    LOW = "low"
    LAST = "last"
    OVER = "over"
    UNSURE = "unsure"
    REFUSED = "refused"


@dataclass(frozen=True)
class Lamp:
    """A colour's name (a seat's, or `white` for everybody), a shape, and so many short blinks before it."""

    colour: str = "white"
    shape: Shape = Shape.DARK
    blinks: int = 0


@dataclass(frozen=True)
class Cue:
    """Something to be heard once: *mark* tells it from the last one of the same sound."""

    sound: Sound
    mark: tuple[object, ...]


@dataclass(frozen=True)
class Panel:
    """Everything a console shows at one moment; *leds* by seat."""

    lamp: Lamp = Lamp()
    leds: Mapping[str, Led] = field(default_factory=dict)
    cue: Cue | None = None


class Button(StrEnum):
    """The buttons a console may have; READY stands before each seat."""

    NEXT = "next"
    PAUSE = "pause"
    READY = "ready"


@dataclass(frozen=True)
class Pressed:
    """A button that was pressed, the one before *seat* if it is a seat's; *held*: long, on purpose."""

    button: Button
    seat: str = ""
    held: bool = False


class ConsolePort(Protocol):
    """A console at work; one thread calls it, and is stirred from any other when a button moves."""

    def show(self, panel: Panel) -> None:
        """Show lamp and lights of *panel* from now on; its cue is not sounded."""

    def sound(self, sound: Sound) -> None:
        """Sound this once, from now on."""

    def turn(self) -> tuple[Pressed, ...]:
        """Play lamps and tones as they must be now; return what was pressed since the last turn."""

    def due_s(self) -> float | None:
        """Return in how many seconds it wants the next turn, None for not before something happens."""

    def close(self) -> None:
        """Switch everything off and let the pins go."""


OpenConsole = Callable[[Callable[[], None]], ConsolePort]
"""Opens a console that calls what it is given, from any thread, whenever a button moves."""
