"""The board as a picture: six planets, orbits and gaps, both ships, and the places that a flight can reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.hanse.flight import reachable
from companion.games.hanse.places import GAPS, LABELS, ORBITS, PLANETS, label_of
from companion.games.hanse.state import Phase, State, name_of, waited_for, works_at
from companion.model.snapshot import Snapshot
from web.components.legality import why_not
from web.components.players import Face, faces
from web.games.hanse.components.cargo import GoodsPile, piles
from web.http.i18n import translated


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
    """A planet, its orbit, and the gap outside of it (None for the last planet).

    A tap on its goods for a planet sends the line of that planet in *loads*, if there is one.
    """

    id: str
    label: str
    planet: ShipPlace
    orbit: ShipPlace
    gap: ShipPlace | None
    goods: tuple[GoodsPile, ...]
    loads: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Space:
    """The whole board. *ships* describes the places of the ships for screen readers."""

    worlds: tuple[OrbitPlanet, ...]
    ships: tuple[str, ...]


def space(snapshot: Snapshot, taps: bool = True) -> Space:
    """Return the board. With *taps*, the places that the player in turn can reach can be tapped."""
    state: State = snapshot.state
    lines = _lines(state) if taps else {}
    return Space(
        tuple(_world(snapshot, number, lines, taps) for number in range(len(PLANETS))),
        tuple(f"{name_of(state, c)}: {translated(label_of(p.place))}" for c, p in state.players.items() if p.place),
    )


def _lines(state: State) -> dict[str, dict[str, Any]]:
    """Return the line that a tap on each place sends now."""
    if state.phase is Phase.PLANET:
        (seat,) = waited_for(state)
        return {planet: {"do": "start", "player": seat, "planet": planet} for planet in PLANETS}
    if state.phase is not Phase.TURN or state.turn is None:
        return {}
    return {place: {"do": "fly", "player": state.turn.player, "to": place} for place in reachable(state)}


def _world(snapshot: Snapshot, number: int, lines: Mapping[str, Any], taps: bool) -> OrbitPlanet:
    state: State = snapshot.state
    id = PLANETS[number]
    return OrbitPlanet(
        id,
        LABELS[id],
        _place(state, id, lines),
        _place(state, ORBITS[number], lines),
        _place(state, GAPS[number], lines) if number < len(GAPS) else None,
        piles(state.at(id)),
        _loads(snapshot, id) if taps else {},
    )


def _loads(snapshot: Snapshot, planet: str) -> dict[str, Mapping[str, Any]]:
    """Return the line that loads the goods of *planet*, for each destination that the player in turn may load now."""
    state: State = snapshot.state
    if state.phase is not Phase.TURN or state.turn is None or works_at(state) != planet:
        return {}
    lines = ({"do": "load", "player": state.turn.player, "to": pile.to} for pile in piles(state.at(planet)))
    return {line["to"]: line for line in lines if not why_not(snapshot, line)}


def _place(state: State, id: str, lines: Mapping[str, Any]) -> ShipPlace:
    known = faces(state.setting.seats)
    there = tuple(known[colour] for colour, player in state.players.items() if player.place == id)
    costs = reachable(state) if state.phase is Phase.TURN else {}
    return ShipPlace(id, str(translated(label_of(id))), there, costs.get(id), lines.get(id))
