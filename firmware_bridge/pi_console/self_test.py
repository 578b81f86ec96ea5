"""A console tried out: each part in turn, then whatever is pressed, told as it happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.ports.console import Button, ConsolePort, Lamp, Led, Panel, Pressed, Shape, Sound
from firmware_bridge.pi_console.config import ConsoleConfig
from firmware_bridge.pi_console.console import COLOURS

EACH_S = 1.0
Stage = tuple[str, Panel, Sound | None]
Say = Callable[[str], None]


def stages(plan: ConsoleConfig) -> Iterator[Stage]:
    """Yield every part of *plan*, one after the other: what it does, and how it is made to."""
    if plan.lamp:
        for colour in (*COLOURS, "white"):
            yield f"The lamp shines {_shade(colour)}.", Panel(Lamp(colour, Shape.STEADY)), None
    for seat in plan.leds:
        yield f"The light of {seat} shines.", Panel(leds={seat: Led.ON}), None
    if plan.buzzer is not None:
        for sound in Sound:
            yield f"The buzzer says: {sound}.", Panel(), sound


def show_all(
    port: ConsolePort, plan: ConsoleConfig, say: Say, now: Callable[[], float], wait: Callable[[float], None]
) -> None:
    """Show every part for a second; *now* gives seconds, *wait* waits for so many at most."""
    for sentence, panel, sound in stages(plan):
        say(sentence)
        port.show(panel)
        if sound is not None:
            port.sound(sound)
        over = now() + EACH_S
        while (left := over - now()) > 0:
            tell(port.turn(), say)
            due = port.due_s()
            wait(left if due is None else min(due, left))
    port.show(Panel())


def tell(pressed: tuple[Pressed, ...], say: Say) -> None:
    """Name each button that was pressed."""
    for each in pressed:
        name = f"ready of {each.seat}" if each.button is Button.READY else str(each.button)
        say(f"Pressed: {name}{', held' if each.held else ''}.")


def _shade(colour: str) -> str:
    return "black, which is violet" if colour == "black" else colour
