"""The board as a picture: seven planets, Earth and both tracks."""

from __future__ import annotations

import re
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
PLAIN_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


@dataclass(frozen=True)
class PlanetLook:
    """How a planet is drawn: its symbol, and its colour on this copy's board if that is a plain one."""

    symbol: str
    tint: str


def planet_look(planet: Planet) -> PlanetLook:
    """Return how *planet* is drawn. A board may choose another symbol and a colour."""
    symbol = planet.symbol if planet.symbol in PLANETS else planet.id
    return PlanetLook(symbol, planet.colour if PLAIN_COLOUR.fullmatch(planet.colour) else "")


@dataclass(frozen=True)
class Slot:
    """One centre: its value and owner.

    *next* marks the centre that will be taken next, *new* a centre that was taken by the last move.
    """

    place: str
    value: int
    owner: Face | None
    next: bool
    new: bool = False


@dataclass(frozen=True)
class StationStanding:
    """A player's stations at one place.

    *moved* says that the last move came from this place or went to it. *change* is the change of the count.
    """

    face: Face
    count: int
    moved: bool = False
    change: int = 0

    @property
    def changed(self) -> str:
        """The change with its sign, or "" for 0."""
        return signed(self.change)


@dataclass(frozen=True)
class BoardPlanet:
    """One planet of the board. *free* is the number of its free centres."""

    planet: Planet
    slots: tuple[Slot, ...]
    stations: tuple[StationStanding, ...]
    last: bool
    free: int


@dataclass(frozen=True)
class Level:
    """One level of a track: its value, the players on it, and the player who has just reached it."""

    place: str
    worth: int
    on: tuple[Face, ...]
    new: str = ""


@dataclass(frozen=True)
class Worth:
    """The value of both tracks to one player."""

    colour: str
    letter: str
    name: str
    ship: int
    technology: int


@dataclass(frozen=True)
class BoardPicture:
    """The whole board. *full* is the number of full planets; the last round begins when it reaches *until*."""

    worlds: tuple[BoardPlanet, ...]
    earth: tuple[StationStanding, ...]
    ship: tuple[Level, ...]
    technology: tuple[Level, ...]
    seats: tuple[Worth, ...]
    full: int = 0
    until: int = FULL_PLANETS_TO_END


def picture(snapshot: Snapshot) -> BoardPicture:
    """Return the picture of the board in *snapshot*."""
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
    """The public sources of a player's points."""

    colour: str
    letter: str
    name: str
    centres: int
    earth: int
    technology: int


def points(state: State) -> tuple[Points, ...]:
    """Return the sources of each player's points, in seat order."""
    found = ((face, score(state, face.colour)) for face in faces(state.setting.seats).values())
    return tuple(
        Points(face.colour, face.letter, face.name, own.centres, own.earth, own.technology) for face, own in found
    )


def worths(state: State) -> tuple[Worth, ...]:
    """Return the value of both tracks to each player, in seat order."""
    return tuple(_worth(state, face) for face in faces(state.setting.seats).values())


def _worth(state: State, face: Face) -> Worth:
    player = state.players[face.colour]
    return Worth(face.colour, face.letter, face.name, HAND_LIMIT[player.ship], TECHNOLOGY_POINTS[player.technology])


def world(snapshot: Snapshot, planet: str) -> BoardPlanet:
    """Return one planet of the board."""
    return _world(snapshot.state, planet, last_move(snapshot) or LastMove({}))


def holdings(state: State) -> dict[str, int]:
    """Return the counts of all stations and markers by `colour@place`. Pages compare them to animate changes."""
    found: dict[str, int] = {}
    for colour, player in state.players.items():
        found |= {f"{colour}@{EARTH}": player.earth}
        found |= {f"{colour}@{planet}": count for planet, count in zip(PLANETS, player.planets, strict=True)}
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
    return BoardPlanet(printed, slots, standing, planet == last.planet, owners.count(None))


def _slot(place: str, value: int, owner: Face | None, best: bool, last: LastMove) -> Slot:
    new = owner is not None and last.changes.get((owner.colour, place), 0) > 0
    return Slot(place, value, owner, best, new)


def _standing(state: State, place: str, counts: dict[str, int], last: LastMove) -> tuple[StationStanding, ...]:
    known = faces(state.setting.seats)
    return tuple(
        StationStanding(known[one], count, (one, place) in last.changes, last.changes.get((one, place), 0))
        for one, count in counts.items()
    )


def _track(state: State, track: str, worth: tuple[Any, ...], last: LastMove) -> tuple[Level, ...]:
    known = faces(state.setting.seats)
    found = []
    for level in LEVELS:
        place = f"{track}/{level}"
        on = [colour for colour in state.colours if getattr(state.players[colour], track) == level]
        new = next((colour for colour in on if last.changes.get((colour, place), 0) > 0), "")
        found.append(Level(place, worth[level], tuple(known[colour] for colour in on), new))
    return tuple(found)
