"""The board as a picture: six planets, orbits and gaps, both ships, and the places that a flight can reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.hanse.flight import reachable
from companion.games.hanse.places import GAPS, LABELS, ORBITS, PLANETS, label_of
from companion.games.hanse.state import Phase, State, name_of, works_at
from companion.kernel.fields import Line
from companion.model.snapshot import Snapshot
from web.components.legality import why_not
from web.components.players import Face, faces
from web.games.hanse.components.cargo import GoodsPile, piles
from web.http.i18n import _, translated

Taps = Mapping[str, Line]
"""For each place, the line that a tap on it sends."""
Loads = Mapping[tuple[str, str], Line]
"""For a planet's goods and their destination, the line that a tap on them sends."""


@dataclass(frozen=True)
class ShipPlace:
    """A place for ships: the ships there, and the energy of a flight to it (None if the open flight can't go there).

    A tap on the place sends *line*, if it isn't None.
    """

    id: str
    label: str
    ships: tuple[Face, ...]
    energy: int | None = None
    line: Line | None = None

    @property
    def words(self) -> str:
        """The name of the button for screen readers."""
        does = self.line["do"] if self.line else ""
        if does == "fly" and self.id in PLANETS:
            return _("Land on %(planet)s", planet=self.label)
        if does == "fly":
            return _("Fly: %(place)s", place=self.label)
        return _("Start on %(planet)s", planet=self.label) if does == "start" else self.label


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
    loads: Taps


@dataclass(frozen=True)
class Space:
    """The whole board. *ships* describes the places of the ships for screen readers."""

    worlds: tuple[OrbitPlanet, ...]
    ships: tuple[str, ...]


def space(snapshot: Snapshot, taps: Taps | None = None, loads: Loads | None = None) -> Space:
    """Return the board, with the *taps* on its places and on its goods (*loads*)."""
    state: State = snapshot.state
    return Space(
        tuple(_world(state, number, taps or {}, loads or {}) for number in range(len(PLANETS))),
        tuple(f"{name_of(state, c)}: {translated(label_of(p.place))}" for c, p in state.players.items() if p.place),
    )


def flights(state: State) -> Taps:
    """Return the taps on the places that the player in turn can reach."""
    if state.phase is not Phase.TURN or state.turn is None:
        return {}
    return {place: {"do": "fly", "player": state.turn.player, "to": place} for place in reachable(state)}


def loadings(snapshot: Snapshot) -> Loads:
    """Return the taps on the goods that the player in turn may load now."""
    state: State = snapshot.state
    planet = works_at(state) if state.phase is Phase.TURN else None
    if planet is None or state.turn is None:
        return {}
    lines = ({"do": "load", "player": state.turn.player, "to": pile.to} for pile in piles(state.at(planet)))
    return {(planet, line["to"]): line for line in lines if not why_not(snapshot, line)}


def _world(state: State, number: int, taps: Taps, loads: Loads) -> OrbitPlanet:
    id = PLANETS[number]
    return OrbitPlanet(
        id,
        LABELS[id],
        _place(state, id, taps),
        _place(state, ORBITS[number], taps),
        _place(state, GAPS[number], taps) if number < len(GAPS) else None,
        piles(state.at(id)),
        {to: line for (planet, to), line in loads.items() if planet == id},
    )


def _place(state: State, id: str, taps: Taps) -> ShipPlace:
    known, line = faces(state.setting.seats), taps.get(id)
    there = tuple(known[colour] for colour, player in state.players.items() if player.place == id)
    energy = reachable(state)[id] if line and line["do"] == "fly" else None
    return ShipPlace(id, str(translated(label_of(id))), there, energy, line)
