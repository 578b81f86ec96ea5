"""The places where a ship may be, and the energy of each flight between two places."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import Annotated

from companion.kernel.said import Said, said
from companion.model.parser import OneOf

PLANETS = ("p1", "p2", "p3", "p4", "p5", "p6")
ORBITS = ("o1", "o2", "o3", "o4", "o5", "o6")
GAPS = ("g1", "g2", "g3", "g4", "g5")
LANE = tuple(each for each in chain.from_iterable(zip_longest(ORBITS, GAPS)) if each is not None)
"""The orbits and the gaps between them, from the sun outwards. Orbits have even indices, gaps odd ones."""
PLACES = (*PLANETS, *LANE)
INNERMOST, OUTERMOST = ORBITS[0], ORBITS[-1]
Planet = Annotated[str, OneOf(*PLANETS)]
Place = Annotated[str, OneOf(*PLACES)]

LABELS = dict(zip(PLANETS, ("Coronis", "Naginther", "Vinau II", "Taghellia", "Talmazzar", "Dakhit"), strict=True))
LETTERS = {planet: label[:3] for planet, label in LABELS.items()}


def planet_of(place: str) -> str | None:
    """Return the planet of *place*, which is a planet or its orbit. Return None for a gap."""
    return None if place in GAPS else PLANETS[int(place[1]) - 1]


def label_of(place: str) -> Said | str:
    """Return the name of *place*."""
    if place in PLANETS:
        return LABELS[place]
    at = int(place[1]) - 1
    if place in ORBITS:
        return said("%(planet)s's orbit", planet=LABELS[PLANETS[at]])
    return said("between %(inner)s and %(outer)s", inner=LABELS[PLANETS[at]], outer=LABELS[PLANETS[at + 1]])


def energy(source: str, target: str) -> int | None:
    """Return the energy that a straight flight takes, or None if there is no such flight (rules: the flight).

    A launch and a landing each cost 1. Towards the sun, entering an orbit costs 1 and crossing a gap is free. Away from
    the sun, orbits and gaps cost 1 each. A flight towards the sun cannot end in a gap.

    >>> energy("p3", "p1")
    4
    """
    if source == target:
        return None
    here, there = _on_lane(source), _on_lane(target)
    if there < here and target in GAPS:
        return None
    steps = there - here if there > here else (here + 1) // 2 - there // 2
    return steps + (source in PLANETS) + (target in PLANETS)


def _on_lane(place: str) -> int:
    return LANE.index(ORBITS[PLANETS.index(place)] if place in PLANETS else place)


ENERGY: dict[str, dict[str, int]] = {
    source: {target: cost for target in PLACES if (cost := energy(source, target)) is not None} for source in PLACES
}


def reach(place: str, available: int) -> dict[str, int]:
    """Return the places that a straight flight with *available* energy can reach, each with its energy."""
    return {target: cost for target, cost in ENERGY[place].items() if cost <= available}
