"""All evenings: each starts with its own card, and its scenes follow one another on one machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.pi.house import House
from tests.pi.scenes import cable, card, clocks, club, installing, network, off, pins, power, radio, service, versions

Scene = Callable[[House], str]


@dataclass(frozen=True)
class Evening:
    """Scenes that follow one another; *bare*: on a card without our package."""

    name: str
    scenes: tuple[Scene, ...]
    bare: bool = False


FIRST = Evening("install", installing.SCENES, bare=True)
EVENINGS = (
    Evening("service", service.SCENES),
    Evening("power", power.SCENES),
    Evening("cable", cable.SCENES),
    Evening("card", card.SCENES),
    Evening("clocks", clocks.SCENES),
    Evening("pins", pins.SCENES),
    Evening("off", off.SCENES),
    Evening("versions", versions.SCENES),
    Evening("club", club.SCENES),
    Evening("network", network.SCENES),
    Evening("radio", radio.SCENES),
)


def sentence(scene: Scene) -> str:
    """Return the sentence that *scene* proves, its docstring."""
    return " ".join((scene.__doc__ or scene.__name__).split())
