"""The spiral on the sun: seventy-one dots from the rim to the middle, and where each counter stands."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin, sqrt

from companion.games.hanse.goods import GOAL
from companion.games.hanse.state import State
from web.components.players import Face, faces

MIDDLE, RADIUS, TURNS = 100, 88, 4.25
BESIDE = 8
"""How far two counters on one dot stand apart."""


@dataclass(frozen=True)
class SpiralDot:
    """One dot: where it is, and whether it is one of the tens."""

    x: float
    y: float
    ten: bool


@dataclass(frozen=True)
class Counter:
    """A player's counter."""

    face: Face
    megagalax: int
    x: float
    y: float


def at(megagalax: int) -> tuple[float, float]:
    """Return where so many Megagalax are: equal steps along a line that winds into the middle."""
    left = sqrt(1 - megagalax / GOAL)
    angle, radius = 2 * pi * TURNS * (1 - left) - pi / 2, RADIUS * left
    return round(MIDDLE + radius * cos(angle), 1), round(MIDDLE + radius * sin(angle), 1)


DOTS = tuple(SpiralDot(*at(each), each % 10 == 0) for each in range(GOAL + 1))


WAY = " ".join(f"{dot.x},{dot.y}" for dot in DOTS)
"""The line that the dots lie on."""


def counters(state: State) -> tuple[Counter, ...]:
    """Return both counters, side by side where they share a dot."""
    known = faces(state.setting.seats)
    amounts = [player.megagalax for player in state.players.values()]
    shared = len(set(amounts)) < len(amounts)
    found = []
    for number, (colour, player) in enumerate(state.players.items()):
        x, y = at(player.megagalax)
        found.append(Counter(known[colour], player.megagalax, x + (number * 2 - 1) * BESIDE * shared, y))
    return tuple(found)
