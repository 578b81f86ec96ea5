"""The state of a game of Andromeda: frozen values, and the queries that the rules use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.games.andromeda.board import PLANETS, Board
from companion.games.andromeda.options import Options
from companion.kernel.values import replace
from companion.model.game import Seat

Card = str | None
"""A card laid for trading: a planet's id, a kind of credit, or None for a planet card that wasn't named."""
KINDS = ("silver", "gold", "platinum", "diamond")
CREDIT_POINTS = {"silver": 2, "gold": 3, "platinum": 4, "diamond": 5}
CREDIT_SUPPLY = {"silver": 6, "gold": 4, "platinum": 4, "diamond": 2}
EARNED_BY = {4: "silver", 5: "gold", 6: "platinum", 7: "diamond"}
"""The credit that a true set earns, by its number of cards (rules: bonus credit cards)."""

PLANET_CARDS, CARDS_OF_A_PLANET, FIRST_HAND = 84, 12, 9
HAND_LIMIT = (0, 9, 10, 11, 13)
TECHNOLOGY_POINTS = (0, 0, 1, 3, 6)
COST = {"ship": (0, 3, 4, 6), "technology": (0, 3, 4, 5)}
"""The price of the step to the next level in cards, by track. The index is the level before the step."""
TOP_LEVEL = 4
STARTER_ACTIONS, OTHER_ACTIONS = 3, 2
LEAST_SET, LARGEST_SET = 3, 7
FULL_PLANETS_TO_END = 3


@dataclass(frozen=True, slots=True)
class Stock:
    """The number of stations of a colour that start on Earth and on each planet.

    Each of the set-up *cards* places one more station.
    """

    earth: int
    planet: int
    cards: int


STOCK = {3: Stock(4, 2, 6), 4: Stock(4, 1, 9), 5: Stock(4, 1, 6)}


class Phase(StrEnum):
    """The phase of a round. The values are the names in records."""

    SETUP = "setup"
    CARDS = "cards"
    TRANSPORT = "transport"
    TRADING = "trading"
    ACTIONS = "actions"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Setting:
    """The constant part of the state: the seats, the first starting player, the options and the board."""

    seats: tuple[Seat, ...]
    first: str
    options: Options
    board: Board
    colours: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The players' colours in seat order. They are stored, because rendering a page reads them 46 times."""

    def __post_init__(self) -> None:
        """Store the colours of *seats*."""
        object.__setattr__(self, "colours", tuple(seat.colour for seat in self.seats))

    @property
    def stock(self) -> Stock:
        """The set-up for this number of players."""
        return STOCK[len(self.seats)]


@dataclass(frozen=True, slots=True)
class Player:
    """One player's stations, cards and levels.

    *hand* is the number of planet cards and credits in hand. *unplaced* is the number of stations that the set-up cards
    still place.
    """

    earth: int
    planets: tuple[int, ...]
    unplaced: int
    hand: int = 0
    credits: tuple[int, ...] = (0, 0, 0, 0)
    ship: int = 1
    technology: int = 1
    transport: int = 2

    @property
    def planet_cards(self) -> int:
        """The number of planet cards in hand."""
        return self.hand - sum(self.credits)

    @property
    def hand_limit(self) -> int:
        """The largest number of cards in hand, which depends on the level of the ship."""
        return HAND_LIMIT[self.ship]

    def on(self, planet: str) -> int:
        """Return the number of stations on *planet*, without those on its centres."""
        return self.planets[PLANETS.index(planet)]

    def credit(self, kind: str) -> int:
        """Return the number of credits of *kind* in hand."""
        return self.credits[KINDS.index(kind)]


@dataclass(frozen=True, slots=True)
class Trading:
    """The trading phase: each player's set on the table.

    *partner* must decide to keep or leave the new set; "" means that nobody must.
    """

    sets: Mapping[str, tuple[Card, ...]]
    excused: frozenset[str] = frozenset()
    partner: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt with the ring. *cards* is the size of the played set if it is a true set, and 0 if it has jokers.

    *stations* is the number of stations under the ring at the beginning, and *own* the number of the player's stations
    among them. *took* is the value of the centre that was won, or 0.
    """

    player: str
    planet: str
    draws: int
    draws_left: int
    cards: int
    bonus: bool
    drawn: tuple[str, ...] = ()
    stations: int = 0
    own: int = 0
    took: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """The state of a whole game between two commands. *tried* are the finished attempts, oldest first."""

    setting: Setting
    players: Mapping[str, Player]
    centres: tuple[tuple[str | None, ...], ...]
    phase: Phase
    round: int
    starter: str
    supply: int
    credits: tuple[int, ...]
    discards: int = 0
    turn: str = ""
    actions_left: int = 0
    transported: frozenset[str] = frozenset()
    trading: Trading | None = None
    attempt: Attempt | None = None
    tried: tuple[Attempt, ...] = ()

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours in seat order."""
        return self.setting.colours

    @property
    def options(self) -> Options:
        """The options of this table."""
        return self.setting.options

    @property
    def finished(self) -> bool:
        """Whether the last round is over."""
        return self.phase is Phase.FINISHED

    @property
    def last_round(self) -> bool:
        """Whether the game ends with this round (rules: end and score)."""
        return self.finished or full_planets(self) >= FULL_PLANETS_TO_END


def initial(setting: Setting) -> State:
    """Return the state before the first set-up card is turned over (rules: preparation)."""
    stock = setting.stock
    player = Player(stock.earth, (stock.planet,) * len(PLANETS), stock.cards)
    return State(
        setting=setting,
        players=dict.fromkeys(setting.colours, player),
        centres=((None, None, None),) * len(PLANETS),
        phase=Phase.SETUP,
        round=1,
        starter=setting.first,
        supply=PLANET_CARDS,
        credits=tuple(CREDIT_SUPPLY.values()),
    )


def name_of(state: State, colour: str) -> str:
    """Return the name of the player of *colour*."""
    return state.setting.seats[state.setting.colours.index(colour)].name


def label_of(state: State, planet: str) -> str:
    """Return the players' label for *planet*."""
    return state.setting.board.planet(planet).label


def counted(number: int, thing: str) -> str:
    """Return *number* with *thing* in the singular or plural: "1 card", "2 cards"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def clockwise_from(state: State, colour: str) -> tuple[str, ...]:
    """Return all colours clockwise, beginning with *colour*."""
    at = state.colours.index(colour)
    return state.colours[at:] + state.colours[:at]


def left_of(state: State, colour: str) -> str:
    """Return the colour to the left of *colour*, which is the next colour clockwise."""
    return clockwise_from(state, colour)[1]


def stations_on(state: State, planet: str) -> dict[str, int]:
    """Count the stations on *planet* by colour, in seat order, without those on its centres."""
    at = PLANETS.index(planet)
    return {colour: player.planets[at] for colour, player in state.players.items()}


def centres_of(state: State, planet: str) -> tuple[str | None, ...]:
    """Return the owner of each centre of *planet*, in printed order. None stands for a free centre."""
    return state.centres[PLANETS.index(planet)]


def best_free_centre(state: State, planet: str) -> int | None:
    """Return the slot of the most valuable free centre (the first if several are equal), or None if all are taken."""
    values = state.setting.board.planet(planet).centres
    free = [slot for slot, owner in enumerate(centres_of(state, planet)) if owner is None]
    return max(free, key=values.__getitem__, default=None)  # of equals `max` returns the first


def full_planets(state: State) -> int:
    """Count the planets whose three centres are taken."""
    return len([owners for owners in state.centres if None not in owners])


def on_centres(state: State, colour: str) -> int:
    """Count the centres that *colour* holds."""
    return sum(owners.count(colour) for owners in state.centres)


def drawn(supply: int, discards: int, wanted: int) -> tuple[int, int]:
    """Return the sizes of supply and discards after *wanted* cards were drawn.

    An empty supply is refilled from the discards.

    >>> drawn(supply=10, discards=5, wanted=4)
    (6, 5)
    >>> drawn(supply=2, discards=5, wanted=4)
    (3, 0)
    """
    if wanted <= supply:
        return supply - wanted, discards
    return supply + discards - wanted, 0


def with_player(state: State, colour: str, **changes: object) -> State:
    """Return *state* with some fields of one player changed."""
    player = replace(state.players[colour], **changes)  # type: ignore[arg-type]  # field names are the caller's
    return replace(state, players={**state.players, colour: player})


def from_earth(state: State, colour: str, planet: str, stations: int) -> State:
    """Return *state* with *stations* of *colour* moved from Earth to *planet*, or back if the number is negative."""
    player = state.players[colour]
    planets = changed(player.planets, PLANETS.index(planet), stations)
    return with_player(state, colour, earth=player.earth - stations, planets=planets)


def credits_moved(state: State, colour: str, kinds: tuple[str, ...], to_hand: int) -> State:
    """Return *state* with a credit of each of *kinds* moved from its pile to the hand (*to_hand* is 1) or back (-1)."""
    player = state.players[colour]
    piles, held = state.credits, player.credits
    for kind in kinds:
        piles = changed(piles, KINDS.index(kind), -to_hand)
        held = changed(held, KINDS.index(kind), to_hand)
    moved = with_player(state, colour, credits=held, hand=player.hand + to_hand * len(kinds))
    return replace(moved, credits=piles)


def changed(counts: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    """Return *counts* with *by* added to the count at *at*."""
    return (*counts[:at], counts[at] + by, *counts[at + 1 :])
