"""The state of a game of the wreck: frozen values, and the queries that the rules use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from companion.games.wreck.cards import (
    GENERAL,
    MISSION_CARDS,
    RESEARCHERS,
    TELEPORTERS,
    VACCINE,
    Card,
    OpenTechnology,
    Species,
)
from companion.games.wreck.dice import CONTAMINATION, DICE, NO_DICE, Dice, changed, showing
from companion.games.wreck.options import Options
from companion.games.wreck.rooms import AIRLOCK, NOT_FOR_TWO, ROOMS, Cell, side_by_side
from companion.kernel.values import replace
from companion.model.game import Seat

ROUNDS = 7
THRESHOLDS = {2: 8, 3: 7, 4: 6}
"""The number of KP that ends the game, by number of players (rules: check control points)."""
VACCINES = 10
SUPPLY, SPECIES, PLACE = "supply", "species", "place"
"""Places for researchers outside of the ship: the supply, the species card, and a place that only some species have."""
PLACES = (SUPPLY, SPECIES, PLACE)


class Phase(StrEnum):
    """The phase of a round. The values are the names in records."""

    SETUP = "setup"
    OFFERS = "offers"
    TURNS = "turns"
    CLEANUP = "cleanup"
    FINISHED = "finished"


BETWEEN = (Phase.SETUP, Phase.CLEANUP)
"""The phases between rounds, in which a mission is opened and the dice are rolled."""


@dataclass(frozen=True)
class Setting:
    """The constant part of the state: seats and species, the first starting player, options, layout, technologies."""

    seats: tuple[Seat, ...]
    species: tuple[Species, ...]
    first: str
    options: Options
    layout: tuple[Cell, ...]
    technologies: tuple[OpenTechnology, ...]

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The players' colours in seat order."""
        return tuple(seat.colour for seat in self.seats)

    @cached_property
    def at(self) -> Mapping[str, int]:
        """The index of each colour in seat order."""
        return {colour: at for at, colour in enumerate(self.colours)}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The players' names by colour."""
        return {seat.colour: seat.name for seat in self.seats}

    @property
    def dice(self) -> int:
        """The number of dice in the game."""
        return DICE[len(self.seats)]

    @property
    def threshold(self) -> int:
        """The number of KP that ends the game."""
        return THRESHOLDS[len(self.seats)]

    def species_of(self, colour: str) -> Species:
        """Return the species of *colour*."""
        return self.species[self.at[colour]]


@dataclass(frozen=True, slots=True)
class Fulfilled:
    """A mission that a player has fulfilled: its id (`g1` to `g7` or `personal`), its name and its KP."""

    mission: str
    name: str
    kp: int


@dataclass(frozen=True)
class Player:
    """A player's possessions outside of the ship.

    *order* is the order card of this round, or 0 if the player has none yet.

    *personal* says that the player has a personal mission. *fulfilled* and *exchanged* say that a mission was fulfilled
    or swapped in this round. *kp* are permanent KP from cards.
    """

    supply: int
    species: int
    place: int = 0
    teleporters: int = TELEPORTERS - 1
    vaccines: int = 0
    order: int = 0
    dice: Dice = NO_DICE
    room_action: bool = False
    personal: bool = True
    fulfilled: bool = False
    exchanged: bool = False
    missions: tuple[Fulfilled, ...] = ()
    kp: int = 0

    @property
    def contamination(self) -> int:
        """The number of dice that show contamination."""
        return showing(self.dice, CONTAMINATION)


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """An open offer: the player who made it, its order card and dice, and the player who must answer."""

    by: str
    order: int
    dice: Dice
    asked: str

    @property
    def forced(self) -> bool:
        """Whether the offer has come back to the player who made it. That player must take it."""
        return self.asked == self.by


@dataclass(frozen=True, slots=True)
class General:
    """An open general mission. *card* is None if nobody has entered the mission's card."""

    id: str
    card: Card | None


@dataclass(frozen=True)
class State:
    """The state of a whole game between two commands. It has no `__slots__`, because `replace` is faster without them.

    *tiles* maps each cell of the layout to its room, or to None if it is face down. *researchers* and *teleporters* map
    each open room to a count for each seat. *offerer* makes the next offer. *fulfilling* says that a mission was
    fulfilled in this turn.
    """

    setting: Setting
    players: Mapping[str, Player]
    tiles: tuple[str | None, ...]
    researchers: Mapping[str, tuple[int, ...]]
    teleporters: Mapping[str, tuple[int, ...]]
    phase: Phase
    starter: str
    personal_pile: int
    vaccines: int
    round: int = 1
    pool: Dice = NO_DICE
    offer: OpenOffer | None = None
    offerer: str = ""
    turn: str = ""
    fulfilling: bool = False
    general: tuple[General, ...] = ()
    opened: int = 0
    used: frozenset[str] = frozenset()

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours in seat order."""
        return self.setting.colours

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.phase is Phase.FINISHED

    @property
    def open_due(self) -> bool:
        """Whether the next general mission must be opened before anything else."""
        return self.opened < (1 if self.phase is Phase.SETUP else self.round + 1)


def initial(setting: Setting) -> State:
    """Return the state before the first general mission is opened (rules: set-up)."""
    stock = [RESEARCHERS - each.aboard - each.trained for each in setting.species]
    both = zip(setting.colours, stock, setting.species, strict=True)
    return State(
        setting=setting,
        players={colour: Player(supply, species.trained) for colour, supply, species in both},
        tiles=(AIRLOCK, *(None,) * (len(setting.layout) - 1)),
        researchers={AIRLOCK: tuple(each.aboard for each in setting.species)},
        teleporters={AIRLOCK: (1,) * len(setting.seats)},
        phase=Phase.SETUP,
        starter=setting.first,
        personal_pile=MISSION_CARDS - len(GENERAL) - len(setting.seats),
        vaccines=VACCINES if any(each.id == VACCINE for each in setting.technologies) else 0,
    )


def name_of(state: State, colour: str) -> str:
    """Return the name of the player of *colour*."""
    return state.setting.names[colour]


def clockwise_from(state: State, colour: str) -> tuple[str, ...]:
    """Return all colours clockwise, beginning with *colour*."""
    at = state.setting.at[colour]
    return state.colours[at:] + state.colours[:at]


def own(state: State, colour: str, room: str) -> int:
    """Count the researchers of *colour* in *room*. The count is 0 if the room is not open."""
    counts = state.researchers.get(room)
    return 0 if counts is None else counts[state.setting.at[colour]]


def teleporters_in(state: State, colour: str, room: str) -> int:
    """Count the teleporters of *colour* in *room*. The count is 0 if the room is not open."""
    counts = state.teleporters.get(room)
    return 0 if counts is None else counts[state.setting.at[colour]]


def aboard(state: State, colour: str) -> int:
    """Count the researchers of *colour* in all rooms."""
    at = state.setting.at[colour]
    return sum(counts[at] for counts in state.researchers.values())


def standing_at(state: State, colour: str, place: str) -> int:
    """Count the researchers of *colour* at *place*: supply, species card, the species' own place, or a room."""
    match place:
        case "supply" | "species" | "place":
            count: int = getattr(state.players[colour], place)
            return count
        case room if room in state.researchers:
            return own(state, colour, room)
        case _:
            return 0  # A room that is not open has no researchers.


def cell_of(state: State, room: str) -> Cell:
    """Return the cell of an open *room*."""
    return state.setting.layout[state.tiles.index(room)]


def adjacent(state: State, one: str, other: str) -> bool:
    """Return whether two open rooms have a side in common."""
    return side_by_side(cell_of(state, one), cell_of(state, other))


def closed_cells(state: State) -> tuple[Cell, ...]:
    """Return the cells whose tiles are face down."""
    return tuple(cell for cell, tile in zip(state.setting.layout, state.tiles, strict=True) if tile is None)


def closed_rooms(state: State) -> tuple[str, ...]:
    """Return the rooms that may be on a face-down tile. Some rooms are not used by two players."""
    unused = NOT_FOR_TWO if len(state.colours) == len(NOT_FOR_TWO) else ()
    return tuple(room for room in ROOMS if room not in state.researchers and room not in unused)


def carded(state: State) -> int:
    """Count the order cards that are taken."""
    return sum(player.order > 0 for player in state.players.values())


def without_card(state: State, after: str) -> str:
    """Return the next player clockwise from *after* without an order card. It may be *after* again."""
    around = (*clockwise_from(state, after)[1:], after)
    return next(colour for colour in around if not state.players[colour].order)


# The effects of events on the state consist of these changes.


def with_player(state: State, colour: str, **changes: Any) -> State:
    """Return *state* with some fields of one player changed."""
    return replace(state, players={**state.players, colour: replace(state.players[colour], **changes)})


def with_everybody(state: State, **changes: Any) -> State:
    """Return *state* with some fields of all players changed."""
    return replace(state, players={colour: replace(player, **changes) for colour, player in state.players.items()})


def with_die(state: State, colour: str, symbol: str, by: int) -> State:
    """Return *state* with *by* more dice of *colour* that show *symbol*."""
    return with_player(state, colour, dice=changed(state.players[colour].dice, symbol, by))


def with_researchers(state: State, colour: str, by_room: Iterable[tuple[str, int]]) -> State:
    """Return *state* with the number of researchers of *colour* changed in each room in *by_room*."""
    at, researchers = state.setting.at[colour], dict(state.researchers)
    for room, by in by_room:
        researchers[room] = plus(researchers[room], at, by)
    return replace(state, researchers=researchers)


def plus(counts: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    """Return *counts* with *by* more for the seat *at*."""
    return (*counts[:at], counts[at] + by, *counts[at + 1 :])
