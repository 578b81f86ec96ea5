"""The board as a picture: the sun, six planets, orbits and gaps, both ships, and the places that a flight can reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Any

from companion.games.hanse.goods import GOAL
from companion.games.hanse.places import GAPS, LABELS, ORBITS, PLANETS, label_of
from companion.games.hanse.state import Phase, State, name_of
from companion.games.hanse.view import reachable
from companion.model.snapshot import Snapshot
from web.components.players import Face, faces
from web.games.hanse.components.cargo import LETTERS, GoodsPile, piles
from web.http.i18n import translated

# The spiral on the sun: 71 dots from the rim to the middle, and the players' counters.

MIDDLE, RADIUS, TURNS = 100, 88, 4.25
BESIDE = 8
"""Distance between a dot and each of two counters that share it."""


@dataclass(frozen=True)
class SpiralDot:
    """One dot of the spiral: its coordinates, and whether its number is a multiple of ten."""

    x: float
    y: float
    ten: bool


@dataclass(frozen=True)
class Counter:
    """A player's counter on the spiral."""

    face: Face
    megagalax: int
    x: float
    y: float


def at(megagalax: int) -> tuple[float, float]:
    """Return the coordinates of *megagalax* on the spiral. Its dots are at equal distances along the line."""
    left = sqrt(1 - megagalax / GOAL)
    angle, radius = 2 * pi * TURNS * (1 - left) - pi / 2, RADIUS * left
    return round(MIDDLE + radius * cos(angle), 1), round(MIDDLE + radius * sin(angle), 1)


DOTS = tuple(SpiralDot(*at(each), each % 10 == 0) for each in range(GOAL + 1))


WAY = " ".join(f"{dot.x},{dot.y}" for dot in DOTS)
"""The line through all dots, as the points of an SVG polyline."""


def counters(state: State) -> tuple[Counter, ...]:
    """Return both counters, next to each other if they are on the same dot."""
    known = faces(state.setting.seats)
    amounts = [player.megagalax for player in state.players.values()]
    shared = len(set(amounts)) < len(amounts)
    found = []
    for number, (colour, player) in enumerate(state.players.items()):
        x, y = at(player.megagalax)
        found.append(Counter(known[colour], player.megagalax, x + (number * 2 - 1) * BESIDE * shared, y))
    return tuple(found)


@dataclass(frozen=True)
class ShipPlace:
    """A place for ships: the ships there, and the energy of a flight to it (None if the open flight can't go there).

    A tap on the place sends *line*, if it isn't None.
    """

    id: str
    label: str
    ships: tuple[Face, ...]
    energy: int | None = None
    line: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class OrbitPlanet:
    """A planet, its orbit, and the gap outside of it (None for the last planet)."""

    id: str
    label: str
    letter: str
    planet: ShipPlace
    orbit: ShipPlace
    gap: ShipPlace | None
    goods: tuple[GoodsPile, ...]
    cards: int


@dataclass(frozen=True)
class Space:
    """The whole board. *ships* describes the places of the ships for screen readers."""

    worlds: tuple[OrbitPlanet, ...]
    dots: tuple[SpiralDot, ...]
    counters: tuple[Counter, ...]
    ships: tuple[str, ...]
    way: str = WAY


def space(snapshot: Snapshot, taps: bool = True) -> Space:
    """Return the board. With *taps*, the places that the player in turn can reach can be tapped."""
    state: State = snapshot.state
    lines = _lines(state) if taps else {}
    return Space(
        tuple(_world(state, number, lines) for number in range(len(PLANETS))),
        DOTS,
        counters(state),
        tuple(f"{name_of(state, c)}: {translated(label_of(p.place))}" for c, p in state.players.items() if p.place),
    )


def _lines(state: State) -> dict[str, dict[str, Any]]:
    """Return the line that a tap on each place sends now."""
    if state.phase is Phase.PLANET:
        seat = next(colour for colour in state.colours if colour != state.starter)
        return {planet: {"do": "start", "player": seat, "planet": planet} for planet in PLANETS}
    if state.phase is not Phase.TURN or state.turn is None:
        return {}
    return {place: {"do": "fly", "player": state.turn.player, "to": place} for place in reachable(state)}


def _world(state: State, number: int, lines: Mapping[str, Any]) -> OrbitPlanet:
    id = PLANETS[number]
    return OrbitPlanet(
        id,
        LABELS[id],
        LETTERS[id],
        _place(state, id, lines),
        _place(state, ORBITS[number], lines),
        _place(state, GAPS[number], lines) if number < len(GAPS) else None,
        piles(state.at(id)),
        len(state.at(id)),
    )


def _place(state: State, id: str, lines: Mapping[str, Any]) -> ShipPlace:
    known = faces(state.setting.seats)
    there = tuple(known[colour] for colour, player in state.players.items() if player.place == id)
    costs = reachable(state) if state.phase is Phase.TURN else {}
    return ShipPlace(id, str(translated(label_of(id))), there, costs.get(id), lines.get(id))
