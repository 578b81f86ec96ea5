"""The ring seen from above. During an attempt, each station stays at its place in the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi, sin, sqrt

from companion.games.andromeda.state import Attempt, State
from web.components.players import Face, faces
from web.games.andromeda.attempt.questions import AttemptQuestion

CUP_RADIUS = 196.0
GOLDEN = pi * (3 - sqrt(5))
LARGEST_TOKEN, TOKEN_SIDE = 1.75, 40


@dataclass(frozen=True)
class Lying:
    """A station under the ring, with its place in the picture.

    *gone* says that it has come out, *maybe* that it may have come out, *own* that it belongs to the player who draws.
    """

    face: Face
    x: float
    y: float
    turn: int
    scale: float
    gone: bool = False
    maybe: bool = False
    own: bool = False


def cup(state: State, attempt: Attempt, under: Mapping[str, int], asking: AttemptQuestion | None) -> tuple[Lying, ...]:
    """Return the stations of the attempt. Each has the same place in the picture as at the beginning of the attempt."""
    known = faces(state.setting.seats)
    lying = {colour: under.get(colour, 0) for colour in state.colours}
    began = {colour: lying[colour] + attempt.drawn.count(colour) for colour in state.colours}
    maybe = {face.colour for offer in asking.offers for face in offer.faces} if asking else set()
    order = _mixed(began)
    scale = min(LARGEST_TOKEN, 1.7 * CUP_RADIUS / TOKEN_SIDE / sqrt(max(1, len(order))))
    found = []
    for at, (colour, which) in enumerate(order):
        x, y = _spot(at, len(order), scale)
        gone = which >= lying[colour]
        may = colour in maybe and which == lying[colour] - 1
        found.append(Lying(known[colour], x, y, (at * 47) % 31 - 15, scale, gone, may, colour == attempt.player))
    return tuple(found)


def _mixed(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the stations in mixed order, so that stations of one colour are not next to each other."""
    return [(colour, at) for at in range(max(counts.values(), default=0)) for colour in counts if at < counts[colour]]


def _spot(at: int, of: int, scale: float) -> tuple[float, float]:
    """Return the coordinates of station number *at* among *of* stations.

    They are arranged like sunflower seeds, which fill a circle evenly.
    """
    reach = CUP_RADIUS - TOKEN_SIDE * scale * 0.62
    radius = reach * sqrt((at + 0.5) / of) if of > 1 else 0.0
    angle = at * GOLDEN
    return round(radius * cos(angle), 1), round(radius * sin(angle), 1)
