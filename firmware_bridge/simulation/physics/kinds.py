"""The parts of one slide. They follow from the fault in a script, or are chosen at random by the rates of the world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from firmware_bridge.simulation.physics.disturbances import CAUSES
from firmware_bridge.simulation.physics.world import Rates

NO_CUBES = ("lift", "shake_open", "glitch")
"""Kinds that need no cube below the ring."""
BEFORE = ("back", "poke", "stuck", "glitch", "lift")


VERDICTS = {"stuck": ("stuck", "out"), "waiting": ("out", "stuck", "poke")}
"""The verdicts of each kind that produces more than one verdict, in order."""


def kinds(fault: str, rates: Rates, left: Callable[[], int], lots: Random) -> Iterator[str]:
    """Yield the parts of one slide, in order: *fault* (or the cube that it affects), or parts that *rates* draw.

    *left* returns how many stations are below the ring. It is called during the slide.
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


def second_generator(lots: Random) -> Random:
    """Return a second random generator from the same seed. Drawing from it does not affect *lots*."""
    twin = Random()
    twin.setstate(lots.getstate())
    return Random(twin.getrandbits(64))
