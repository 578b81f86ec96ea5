"""The state of a game of Die Kosmische Hanse: frozen values, and the queries that the rules use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.games.hanse.cards import CARDS, DECK, DIRECTIONS, HAND_LIMIT, LABELS, TECHNOLOGIES, Choices, tallied
from companion.games.hanse.goods import ALL_GOODS, Cargo
from companion.games.hanse.places import ORBITS, PLANETS, planet_of
from companion.kernel.errors import Refused
from companion.kernel.said import said, said_n
from companion.kernel.values import replace
from companion.model.game import Seat

ACTIONS, FLIGHTS, INTERVENTIONS = 2, 1, 2
"""The number of planet actions, flights and interventions of each turn."""
NAMES = tuple(TECHNOLOGIES)


class Phase(StrEnum):
    """The phase of the game. The values are the names in records.

    `evolve` of setup, turns, planet_actions and interventions sets the next one.
    """

    GOODS = "goods"
    CHOICE = "choice"
    PLANET = "planet"
    TURN = "turn"
    FLIP = "flip"
    ANSWER = "answer"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Setting:
    """The constant part of the state: the seats, the younger player, and whether discards refill an empty draw pile."""

    seats: tuple[Seat, ...]
    younger: str
    reshuffle: bool = True

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours in seat order."""
        return tuple(seat.colour for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Player:
    """One player.

    *named* counts the known *discards* by name. *technologies* counts the technologies in play, in the order of
    `NAMES`.
    """

    megagalax: int = 0
    place: str | None = None
    hand: int = HAND_LIMIT
    draw_pile: int = DECK - HAND_LIMIT
    discards: int = 0
    named: Mapping[str, int] | None = None
    technologies: tuple[int, ...] = (0,) * len(NAMES)
    containers: tuple[Cargo, ...] = ((),)

    def technology(self, name: str) -> int:
        """Return the number of copies of the technology *name* in play, without the Start card."""
        return self.technologies[NAMES.index(name)]

    @property
    def technology_cards(self) -> int:
        """The number of technology cards in play, including the Start card."""
        return 1 + sum(self.technologies)

    @property
    def replenishments(self) -> int:
        """The number of Replenishments in play, including the one on the Start card."""
        return 1 + self.technology("replenishment")

    @property
    def known(self) -> Mapping[str, int]:
        """The number of known discards by name."""
        return self.named or {}

    @property
    def cards(self) -> int:
        """The number of cards in hand, in the draw pile and among the discards."""
        return self.hand + self.draw_pile + self.discards

    @property
    def empty_container(self) -> int | None:
        """The number of the first empty container, or None if all are full."""
        return next((number for number, cargo in enumerate(self.containers) if not cargo), None)

    def seen(self, card: str) -> int:
        """Count the copies of *card* that are in play or known to be discarded."""
        return (self.technology(card) if card in NAMES else 0) + self.known.get(card, 0)

    def may_hold(self, card: str) -> bool:
        """Return whether *card* could be in the hand, which is not recorded."""
        return self.hand > 0 and self.seen(card) < CARDS[card]

    def holding(self, container: int, cargo: Cargo) -> Player:
        """Return the player with *cargo* in *container*."""
        return replace(self, containers=(*self.containers[:container], cargo, *self.containers[container + 1 :]))

    def discarding(self, cards: tuple[str | None, ...]) -> Player:
        """Return the player with *cards* moved from the hand to the discards."""
        named = dict(self.known)
        for card, count in tallied(cards).items():
            named[card] = named.get(card, 0) + count
        return replace(self, hand=self.hand - len(cards), discards=self.discards + len(cards), named=named)

    def drawing(self, count: int) -> Player:
        """Return the player with *count* more cards in hand. A negative *count* puts cards into the draw pile."""
        return replace(self, hand=self.hand + count).from_pile(count)

    def from_pile(self, count: int) -> Player:
        """Return the player with *count* cards fewer in the draw pile.

        If it has too few cards, the discards are added to it.
        """
        if count <= self.draw_pile:
            return replace(self, draw_pile=self.draw_pile - count)
        return replace(self, draw_pile=self.draw_pile + self.discards - count, discards=0, named=None)

    def with_technology(self, card: str, more: int) -> Player:
        """Return the player with *more* copies of a technology in play; a negative number removes some.

        A new container is empty and comes last. The last empty one is removed first, and the container on the Start
        card never.
        """
        at = NAMES.index(card)
        counts = (*self.technologies[:at], self.technologies[at] + more, *self.technologies[at + 1 :])
        containers = self.containers + ((),) * (more if card == "container" else 0)
        for _ in range(-more if card == "container" else 0):
            last = max(number for number, cargo in enumerate(containers) if number and not cargo)
            containers = (*containers[:last], *containers[last + 1 :])
        return replace(self, technologies=counts, containers=containers)


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """What is left of a turn. *energy* is the energy of the open flight, or None without one.

    *stations_used* counts uses of Space Stations. *jumped* lists the hyperjumps made. *begun* says whether anything
    else was done.
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

    def granted(self, what: str) -> OpenTurn:
        """Return the turn with one more `action`, `flight` or flight through the `tunnel` (see `GRANTS`)."""
        match what:
            case "action":
                return replace(self, actions=self.actions + 1)
            case "flight":
                return replace(self, flights=self.flights + 1)
            case "tunnel":
                return replace(self, tunnels=self.tunnels + 1)
            case _:
                raise AssertionError(f"a turn has no {what}")


@dataclass(frozen=True, slots=True)
class Flipping:
    """Goods cards that were just unloaded at a planet and not yet turned over."""

    planet: str
    cards: Cargo


@dataclass(frozen=True, slots=True)
class Played:
    """An intervention that waits for the opponent's answer."""

    player: str
    card: str
    choices: Choices


@dataclass(frozen=True, slots=True)
class State:
    """The state of a whole game between two commands."""

    setting: Setting
    players: Mapping[str, Player]
    goods: tuple[Cargo, ...] = ((),) * len(PLANETS)
    phase: Phase = Phase.GOODS
    starter: str | None = None
    turn: OpenTurn | None = None
    played: Played | None = None
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
        """Return the goods at *planet*."""
        return self.goods[PLANETS.index(planet)]

    def put(self, planet: str, cargo: Cargo) -> State:
        """Return the state with *cargo* as the goods at *planet*."""
        at = PLANETS.index(planet)
        return replace(self, goods=(*self.goods[:at], cargo, *self.goods[at + 1 :]))

    def with_player(self, colour: str, player: Player) -> State:
        """Return the state with *player* in place of the player of *colour*."""
        return replace(self, players={**self.players, colour: player})

    def moved(self, colour: str, to: str) -> State:
        """Return the state with the ship of *colour* at *to*."""
        return self.with_player(colour, replace(self.players[colour], place=to))


def initial(setting: Setting) -> State:
    """Return the state before the goods are set out."""
    return State(setting, dict.fromkeys(setting.colours, Player()))


def name_of(state: State, colour: str) -> str:
    """Return the name of the player of *colour*."""
    return next(seat.name for seat in state.setting.seats if seat.colour == colour)


def other(state: State, colour: str) -> str:
    """Return the colour of the opponent of *colour*."""
    first, second = state.colours
    return second if colour == first else first


def turn_of(state: State) -> OpenTurn:
    """Return the current turn."""
    assert state.turn is not None, "turns follow the preparation"
    return state.turn


def place_of(state: State, colour: str) -> str:
    """Return the place of the ship of *colour*."""
    place = state.players[colour].place
    assert place is not None, "ships stand somewhere once the game has begun"
    return place


def waited_for(state: State) -> tuple[str, ...]:
    """Return the colours that must act now, in seat order."""
    match state.phase:
        case Phase.GOODS:
            return state.colours
        case Phase.CHOICE:
            return (state.setting.younger,)
        case Phase.PLANET:
            return tuple(colour for colour in state.colours if colour != state.starter)
        case Phase.TURN | Phase.FLIP:
            return (turn_of(state).player,)
        case Phase.ANSWER:
            return (other(state, turn_of(state).player),)
        case Phase.FINISHED:
            return ()


def check_held(state: State, colour: str, cards: Iterable[str | None]) -> None:
    """Raise `Refused` if *cards* can't all be in the hand of *colour*, given those in play and known discards."""
    player, asked = state.players[colour], tuple(cards)
    if len(asked) > player.hand:
        name = name_of(state, colour)
        raise Refused(said_n("%(name)s holds %(num)s card.", "%(name)s holds %(num)s cards.", player.hand, name=name))
    for card, count in tallied(asked).items():
        check_copies(state, colour, card, count)


def check_copies(state: State, colour: str, card: str, more: int) -> None:
    """Raise `Refused` if *more* copies of *card* are more than the deck of *colour* has."""
    if state.players[colour].seen(card) + more > CARDS[card]:
        raise Refused(said("%(name)s has no more %(card)s.", name=name_of(state, colour), card=LABELS[card]))


def goods_in_game(state: State) -> int:
    """Count the goods cards at planets, in containers, and among those being turned over."""
    held = sum(len(cargo) for player in state.players.values() for cargo in player.containers)
    turning = len(state.flipping.cards) if state.flipping else 0
    return sum(map(len, state.goods)) + held + turning


def goods_out(state: State) -> int:
    """Count the goods cards that have left the game. The count is 0 until all are set out."""
    return 0 if state.phase is Phase.GOODS else ALL_GOODS - goods_in_game(state)


def stations_left(state: State) -> int:
    """Return how many planet actions the player in turn may still take from an orbit."""
    turn = turn_of(state)
    return max(0, state.players[turn.player].technology("space_station") - turn.stations_used)


def jumps_left(state: State) -> tuple[str, ...]:
    """Return the hyperjumps that are still possible in this turn."""
    turn = turn_of(state)
    if turn.begun:
        return ()
    player = state.players[turn.player]
    held = (each for each in DIRECTIONS if player.technology(DIRECTIONS[each]))
    return tuple(each for each in held if each not in turn.jumped)


def works_at(state: State) -> str | None:
    """Return the planet where the player in turn may take a planet action, or None.

    It is the planet of the ship. If the ship is in an orbit, it is the planet of that orbit, if a Space Station is
    unused.
    """
    place = place_of(state, turn_of(state).player)
    if place in ORBITS and not stations_left(state):
        return None
    return planet_of(place)
