"""The board as a picture: seven worlds, the Earth, and both tracks, for every page that shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import PLANETS, Planet
from companion.games.andromeda.state import (
    HAND_LIMIT,
    TECHNOLOGY_POINTS,
    TOP_LEVEL,
    State,
    best_free_centre,
    centres_of,
    stations_on,
)
from companion.sight import Sight
from web.games.andromeda.faces import Face, faces

LEVELS = range(1, TOP_LEVEL + 1)


@dataclass(frozen=True)
class Slot:
    """One centre on its orbit: its value, who holds it, and whether it is the next one to be taken."""

    value: int
    owner: Face | None
    next: bool


@dataclass(frozen=True)
class Standing:
    """How many stations of a player stand somewhere."""

    face: Face
    count: int


@dataclass(frozen=True)
class World:
    """One planet of the board."""

    planet: Planet
    slots: tuple[Slot, ...]
    stations: tuple[Standing, ...]
    last: bool

    @property
    def full(self) -> bool:
        """Whether all three centres are taken."""
        return all(slot.owner for slot in self.slots)


@dataclass(frozen=True)
class Level:
    """One level of a track: what it is worth, and who stands on it."""

    worth: int
    on: tuple[Face, ...]


@dataclass(frozen=True)
class Picture:
    """The whole board."""

    worlds: tuple[World, ...]
    earth: tuple[Standing, ...]
    ship: tuple[Level, ...]
    technology: tuple[Level, ...]


def picture(sight: Sight) -> Picture:
    """Return the board of *sight* as it is drawn."""
    state: State = sight.state
    last = last_planet(sight)
    return Picture(
        worlds=tuple(_world(state, planet, last) for planet in PLANETS),
        earth=_standing(state, {colour: player.earth for colour, player in state.players.items()}),
        ship=_track(state, "ship", HAND_LIMIT),
        technology=_track(state, "technology", TECHNOLOGY_POINTS),
    )


def world(sight: Sight, planet: str) -> World:
    """Return one planet of the board."""
    return _world(sight.state, planet, "")


def last_planet(sight: Sight) -> str:
    """Return the planet of the last line that named one, empty when the last lines named none."""
    for told in sight.recent:
        if not told.undone and told.line.get("do") in ("move", "establish", "transport"):
            return str(told.line.get("planet") or "")
    return ""


def _world(state: State, planet: str, last: str) -> World:
    known = faces(state.setting.seats)
    best = best_free_centre(state, planet)
    printed = state.setting.board.planet(planet)
    owners = centres_of(state, planet)
    slots = tuple(
        Slot(value, known[owner] if owner else None, at == best)
        for at, (value, owner) in enumerate(zip(printed.centres, owners, strict=True))
    )
    return World(printed, slots, _standing(state, stations_on(state, planet)), planet == last)


def _standing(state: State, counts: dict[str, int]) -> tuple[Standing, ...]:
    known = faces(state.setting.seats)
    return tuple(Standing(known[colour], count) for colour, count in counts.items())


def _track(state: State, track: str, worth: tuple[Any, ...]) -> tuple[Level, ...]:
    known = faces(state.setting.seats)
    return tuple(
        Level(worth[level], tuple(known[c] for c in state.colours if getattr(state.players[c], track) == level))
        for level in LEVELS
    )
