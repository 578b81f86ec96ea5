"""The board as a picture: seven worlds, the Earth, and both tracks, for every page that shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import PLANETS, Planet
from companion.games.andromeda.scoring import score
from companion.games.andromeda.state import (
    FULL_PLANETS_TO_END,
    HAND_LIMIT,
    TECHNOLOGY_POINTS,
    TOP_LEVEL,
    State,
    best_free_centre,
    centres_of,
    full_planets,
    stations_on,
)
from companion.model.snapshot import Snapshot
from web.components.players import Face, faces
from web.games.andromeda.components.last_move import EARTH, LastMove, last_move, signed

LEVELS = range(1, TOP_LEVEL + 1)


@dataclass(frozen=True)
class Slot:
    """One centre on its orbit: its value, who holds it; the *next* to be taken, or *new* by the last move."""

    place: str
    value: int
    owner: Face | None
    next: bool
    new: bool = False


@dataclass(frozen=True)
class StationStanding:
    """How many stations of a player stand somewhere; *moved*: the last move came or went here, by *change*."""

    face: Face
    count: int
    moved: bool = False
    change: int = 0

    @property
    def changed(self) -> str:
        """The change with its sign, empty where there is none to tell."""
        return signed(self.change)


@dataclass(frozen=True)
class BoardPlanet:
    """One planet of the board."""

    planet: Planet
    slots: tuple[Slot, ...]
    stations: tuple[StationStanding, ...]
    last: bool

    @property
    def taken(self) -> int:
        """How many of its centres are taken."""
        return sum(slot.owner is not None for slot in self.slots)

    @property
    def full(self) -> bool:
        """Whether all its centres are taken."""
        return self.taken == len(self.slots)

    @property
    def nearly(self) -> bool:
        """Whether one centre is left."""
        return self.taken == len(self.slots) - 1


@dataclass(frozen=True)
class Level:
    """One level of a track: what it is worth, who stands on it, and who of them has just come."""

    place: str
    worth: int
    on: tuple[Face, ...]
    new: str = ""


@dataclass(frozen=True)
class Worth:
    """What both tracks are worth to one player."""

    colour: str
    letter: str
    name: str
    ship: int
    technology: int


@dataclass(frozen=True)
class BoardPicture:
    """The whole board; *full* of its worlds are, and *until* full ones bring the last round."""

    worlds: tuple[BoardPlanet, ...]
    earth: tuple[StationStanding, ...]
    ship: tuple[Level, ...]
    technology: tuple[Level, ...]
    seats: tuple[Worth, ...]
    full: int = 0
    until: int = FULL_PLANETS_TO_END


def picture(snapshot: Snapshot) -> BoardPicture:
    """Return the board of *snapshot* as it is drawn."""
    state: State = snapshot.state
    last = last_move(snapshot) or LastMove({})
    return BoardPicture(
        worlds=tuple(_world(state, planet, last) for planet in PLANETS),
        earth=_standing(state, EARTH, {colour: player.earth for colour, player in state.players.items()}, last),
        ship=_track(state, "ship", HAND_LIMIT, last),
        technology=_track(state, "technology", TECHNOLOGY_POINTS, last),
        seats=worths(state),
        full=full_planets(state),
    )


@dataclass(frozen=True)
class Points:
    """What the points of one player come from, as far as everybody sees it."""

    colour: str
    letter: str
    name: str
    centres: int
    earth: int
    technology: int


def points(state: State) -> tuple[Points, ...]:
    """Return what everybody's points come from, in seat order."""
    found = ((face, score(state, face.colour)) for face in faces(state.setting.seats).values())
    return tuple(
        Points(face.colour, face.letter, face.name, own.centres, own.earth, own.technology) for face, own in found
    )


def worths(state: State) -> tuple[Worth, ...]:
    """Return what both tracks are worth to each player, in seat order."""
    return tuple(_worth(state, face) for face in faces(state.setting.seats).values())


def _worth(state: State, face: Face) -> Worth:
    player = state.players[face.colour]
    return Worth(face.colour, face.letter, face.name, HAND_LIMIT[player.ship], TECHNOLOGY_POINTS[player.technology])


def world(snapshot: Snapshot, planet: str) -> BoardPlanet:
    """Return one planet of the board."""
    return _world(snapshot.state, planet, last_move(snapshot) or LastMove({}))


def holdings(state: State) -> dict[str, int]:
    """Return what stands where, `colour@place` with its count: a page compares it with the next one's."""
    found: dict[str, int] = {}
    for colour, player in state.players.items():
        found |= {f"{colour}@{EARTH}": player.earth}
        found |= {f"{colour}@{planet}": player.on(planet) for planet in PLANETS}
        found |= {f"{colour}@{track}/{getattr(player, track)}": 1 for track in ("ship", "technology")}
    for planet in PLANETS:
        found |= {f"{owner}@{planet}/{at}": 1 for at, owner in enumerate(centres_of(state, planet)) if owner}
    return {spot: count for spot, count in found.items() if count}


def _world(state: State, planet: str, last: LastMove) -> BoardPlanet:
    known = faces(state.setting.seats)
    best = best_free_centre(state, planet)
    printed = state.setting.board.planet(planet)
    owners = centres_of(state, planet)
    slots = tuple(
        _slot(f"{planet}/{at}", value, known.get(owner or ""), at == best, last)
        for at, (value, owner) in enumerate(zip(printed.centres, owners, strict=True))
    )
    standing = _standing(state, planet, stations_on(state, planet), last)
    return BoardPlanet(printed, slots, standing, planet == last.planet)


def _slot(place: str, value: int, owner: Face | None, best: bool, last: LastMove) -> Slot:
    new = owner is not None and (last.change(owner.colour, place) or 0) > 0
    return Slot(place, value, owner, best, new)


def _standing(state: State, place: str, counts: dict[str, int], last: LastMove) -> tuple[StationStanding, ...]:
    known = faces(state.setting.seats)
    changes = {colour: last.change(colour, place) for colour in counts}
    return tuple(
        StationStanding(known[colour], count, changes[colour] is not None, changes[colour] or 0)
        for colour, count in counts.items()
    )


def _track(state: State, track: str, worth: tuple[Any, ...], last: LastMove) -> tuple[Level, ...]:
    known = faces(state.setting.seats)
    found = []
    for level in LEVELS:
        place = f"{track}/{level}"
        on = [colour for colour in state.colours if getattr(state.players[colour], track) == level]
        new = next((colour for colour in on if (last.change(colour, place) or 0) > 0), "")
        found.append(Level(place, worth[level], tuple(known[colour] for colour in on), new))
    return tuple(found)
