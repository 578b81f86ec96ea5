"""How a game of Die Kosmische Hanse stands: frozen values, and the questions the rules ask of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.games.hanse.cards import DECK, DIRECTIONS, HAND_LIMIT, TECHNOLOGIES
from companion.games.hanse.commands import Intervene
from companion.games.hanse.goods import ALL_GOODS, Cargo
from companion.games.hanse.places import ORBITS, PLANETS, planet_of
from companion.model.game import Seat

ACTIONS, FLIGHTS, INTERVENTIONS = 2, 1, 2
"""What every turn has."""
NAMES = tuple(TECHNOLOGIES)


class Phase(StrEnum):
    """Where the game is, as records write it."""

    GOODS = "goods"
    CHOICE = "choice"
    PLANET = "planet"
    TURN = "turn"
    FLIP = "flip"
    ANSWER = "answer"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Setting:
    """What never changes in a game: who sits where, who is younger, and whether an empty draw pile is made again."""

    seats: tuple[Seat, ...]
    younger: str
    reshuffle: bool = True

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours in seat order."""
        return tuple(seat.colour for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Player:
    """One player: *named* are those *discards* that are known, *technologies* are counted in the cards' order."""

    megagalax: int = 0
    place: str | None = None
    hand: int = HAND_LIMIT
    draw_pile: int = DECK - HAND_LIMIT
    discards: int = 0
    named: Mapping[str, int] | None = None
    technologies: tuple[int, ...] = (0,) * len(NAMES)
    containers: tuple[Cargo, ...] = ((),)

    def technology(self, name: str) -> int:
        """How many of a technology lie open, the Start card left out."""
        return self.technologies[NAMES.index(name)]

    @property
    def technology_cards(self) -> int:
        """Technology cards that lie open, with the Start card."""
        return 1 + sum(self.technologies)

    @property
    def replenishments(self) -> int:
        """Replenishments in play, with the one on the Start card."""
        return 1 + self.technology("replenishment")

    @property
    def known(self) -> Mapping[str, int]:
        """The discards that are known, by name."""
        return self.named or {}

    @property
    def empty_container(self) -> int | None:
        """The first container with nothing in it."""
        return next((number for number, cargo in enumerate(self.containers) if not cargo), None)


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """What is left of a turn; *energy* is that of the open flight, None without one.

    *stations_used* are Space Stations, *jumped* the hyperjumps made in it, *begun* whether anything else was done.
    """

    number: int
    player: str
    price: int
    actions: int = ACTIONS
    flights: int = FLIGHTS
    interventions: int = INTERVENTIONS
    tunnels: int = 0
    stations_used: int = 0
    jumped: tuple[str, ...] = ()
    begun: bool = False
    energy: int | None = None


@dataclass(frozen=True, slots=True)
class Flipping:
    """Goods cards just unloaded at a planet, still with the side up that was wanted there."""

    planet: str
    cards: Cargo


@dataclass(frozen=True, slots=True)
class State:
    """A whole game between two commands."""

    setting: Setting
    players: Mapping[str, Player]
    goods: tuple[Cargo, ...] = ((),) * len(PLANETS)
    phase: Phase = Phase.GOODS
    starter: str | None = None
    turn: OpenTurn | None = None
    played: Intervene | None = None
    flipping: Flipping | None = None
    ended_by: str | None = None

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours in seat order."""
        return self.setting.colours

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.phase is Phase.FINISHED

    def at(self, planet: str) -> Cargo:
        """Return the goods that lie at *planet*."""
        return self.goods[PLANETS.index(planet)]


def initial(setting: Setting) -> State:
    """Return the table before the goods are set out."""
    return State(setting, dict.fromkeys(setting.colours, Player()))


def name_of(state: State, colour: str) -> str:
    """Return the name of the player of *colour*."""
    return next(seat.name for seat in state.setting.seats if seat.colour == colour)


def other(state: State, colour: str) -> str:
    """Return who plays against *colour*."""
    first, second = state.colours
    return second if colour == first else first


def naming(state: State) -> str:
    """Return who names the planet where both ships begin."""
    assert state.starter is not None, "asked after the choice"
    return other(state, state.starter)


def turn_of(state: State) -> OpenTurn:
    """Return the turn at hand."""
    assert state.turn is not None, "turns follow the preparation"
    return state.turn


def place_of(state: State, colour: str) -> str:
    """Return where the ship of *colour* is."""
    place = state.players[colour].place
    assert place is not None, "ships stand somewhere once the game has begun"
    return place


def waited_for(state: State) -> tuple[str, ...]:
    """Return the colours the table waits for, in seat order."""
    match state.phase:
        case Phase.GOODS:
            return state.colours
        case Phase.CHOICE:
            return (state.setting.younger,)
        case Phase.PLANET:
            return (naming(state),)
        case Phase.TURN | Phase.FLIP:
            return (turn_of(state).player,)
        case Phase.ANSWER:
            return (other(state, turn_of(state).player),)
        case Phase.FINISHED:
            return ()


def goods_in_game(state: State) -> int:
    """Count the goods cards at planets, in containers and in the midst of being turned over."""
    held = sum(len(cargo) for player in state.players.values() for cargo in player.containers)
    turning = len(state.flipping.cards) if state.flipping else 0
    return sum(map(len, state.goods)) + held + turning


def goods_out(state: State) -> int:
    """Count the goods cards that have left the game: none before all are set out."""
    return 0 if state.phase is Phase.GOODS else ALL_GOODS - goods_in_game(state)


def stations_left(state: State) -> int:
    """Return how many planet actions the player on the move may still take from an orbit."""
    turn = turn_of(state)
    return max(0, state.players[turn.player].technology("space_station") - turn.stations_used)


def jumps_left(state: State) -> tuple[str, ...]:
    """Return the hyperjumps that may still be made in this turn."""
    turn = turn_of(state)
    if turn.begun:
        return ()
    player = state.players[turn.player]
    held = (each for each in DIRECTIONS if player.technology(DIRECTIONS[each]))
    return tuple(each for each in held if each not in turn.jumped)


def works_at(state: State) -> str | None:
    """Return the planet where the player on the move may take a planet action, None where there is none.

    On the planet itself, or from its orbit with a Space Station that has not been used in this turn.
    """
    place = place_of(state, turn_of(state).player)
    if place in ORBITS and not stations_left(state):
        return None
    return planet_of(place)


def rank(state: State, colour: str) -> tuple[int, int]:
    """Return what decides who wins: Megagalax, then technology cards."""
    player = state.players[colour]
    return player.megagalax, player.technology_cards


def winners(state: State) -> tuple[str, ...]:
    """Return who has won, both after a draw, nobody while the game goes on."""
    if not state.finished:
        return ()
    best = max(rank(state, colour) for colour in state.colours)
    return tuple(colour for colour in state.colours if rank(state, colour) == best)
