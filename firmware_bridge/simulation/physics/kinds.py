"""What one slide is made of: as a script tells it, or by the chances of the world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from firmware_bridge.simulation.physics.disturbances import CAUSES
from firmware_bridge.simulation.physics.world import Rates

NO_CUBES = ("lift", "shake_open", "glitch")
"""What needs no cube below."""
BEFORE = ("back", "poke", "stuck", "glitch", "lift")


TOLD = {"stuck": ("stuck", "out"), "waiting": ("out", "stuck", "poke")}
"""What is told, in order, of a kind that brings more than one verdict."""


def kinds(fault: str, rates: Rates, left: Callable[[], int], lots: Random) -> Iterator[str]:
    """Yield what happens in one slide, in order: *fault* (or the cube that it strikes), else what *rates* bring.

    *left* says how many stations are below, and is asked as the slide goes
    on.
    """
    if fault == "surplus":
        yield from ("out", "out") if left() > 1 else ("out",)
    elif fault:
        yield "out" if fault in CAUSES else fault
    else:
        yield from _by_rates(rates, left, lots)


def _by_rates(rates: Rates, left: Callable[[], int], lots: Random) -> Iterator[str]:
    stuck = False
    for kind in BEFORE:
        if lots.random() < getattr(rates, kind):
            stuck = stuck or kind == "stuck"
            if kind != "stuck":
                yield kind
    pair = lots.random() < rates.pair and left() > 1
    yield "stuck" if stuck else "pair" if pair else "out"
    if lots.random() < rates.surplus and left():
        yield "out"


def beside(lots: Random) -> Random:
    """Return lots of their own from the same seed: however many of them are drawn, *lots* stay what they are."""
    twin = Random()
    twin.setstate(lots.getstate())
    return Random(twin.getrandbits(64))
