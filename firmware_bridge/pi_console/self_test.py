"""Tests a console: operates each part in turn, then reports every button that is pressed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.ports.console import Button, ConsolePort, Lamp, Led, Panel, Pressed, Shape, Sound
from firmware_bridge.pi_console.config import ConsoleConfig
from firmware_bridge.pi_console.console import COLOURS

EACH_S = 1.0
Stage = tuple[str, Panel, Sound | None]
Say = Callable[[str], None]


def stages(plan: ConsoleConfig) -> Iterator[Stage]:
    """Yield a test for every part of *plan*: a sentence, the panel to show and the sound to play."""
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
    """Operate every part for a second. *now* returns the time in seconds.

    *wait* waits for at most a number of seconds.
    """
    for sentence, panel, sound in stages(plan):
        say(sentence)
        port.show(panel)
        if sound is not None:
            port.sound(sound)
        over = now() + EACH_S
        while (left := over - now()) > 0:
            report(port.turn(), say)
            due = port.due_s()
            wait(left if due is None else min(due, left))
    port.show(Panel())


def report(pressed: tuple[Pressed, ...], say: Say) -> None:
    """Report each button that was pressed."""
    for each in pressed:
        name = f"ready of {each.seat}" if each.button is Button.READY else str(each.button)
        say(f"Pressed: {name}{', held' if each.held else ''}.")


def _shade(colour: str) -> str:
    return "black, which is violet" if colour == "black" else colour
