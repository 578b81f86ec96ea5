"""The set-up: five goods cards at each planet, who moves first, and the planet where both ships start.

The header of a record names the players, the younger player, and the only option.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated, assert_never

from companion.games.hanse.goods import AT_A_PLANET, Goods, Sides, any_side
from companion.games.hanse.places import PLANETS, Planet, label_of
from companion.games.hanse.state import Phase, Setting, State, other
from companion.games.hanse.turns import TurnBegan, turn_begins
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line as Header
from companion.kernel.said import Said, pattern, said
from companion.kernel.values import dataclass, replace
from companion.model.header import HeaderFields, Ruling, colours_of, own_fields, pass_over_seed, seats_from
from companion.model.parser import Line, OneOf, Seat
from companion.model.tellings import Occurrence, Rows, Silent, Telling

PLAYERS = 2
RESHUFFLE = Ruling(
    "reshuffle",
    said("When a draw pile is empty?"),
    (("on", said("Shuffle the discards")), ("off", said("It stays empty"))),
    flag=True,
)
FIELDS = HeaderFields("hanse", (PLAYERS,), "younger", (RESHUFFLE,))


def setting_from(header: Header) -> Setting:
    """Parse *header*, or raise `Malformed`, which names the wrong field.

    Fields that all games share are ignored here, since the record checks them.
    """
    fields = own_fields(header)
    seats = seats_from(fields)
    if len(seats) != PLAYERS:
        raise Malformed(said("players: Die Kosmische Hanse is for 2 players, not %(count)s", count=len(seats)))
    colours = colours_of(seats)
    younger = fields.word(FIELDS.first, colours)
    options = fields.inner("options", {})
    reshuffle = options.flag(RESHUFFLE.name, True)
    options.nothing_else()
    pass_over_seed(fields)
    fields.nothing_else()
    return Setting(seats, younger, reshuffle)


@dataclass(frozen=True)
class LayGoods(Line, do="goods"):
    """Set out the five goods cards at a planet, given by their visible sides.

    Example: ``{"do": "goods", "planet": "p1", "cards": [{"to": "p2", "value": 3}, {"to": "p6", "value": 3},
    {"to": "p5", "value": 3}, {"to": "p5", "value": 3}, {"to": "p6", "value": 2}]}``
    """

    phase = Phase.GOODS
    planet: Planet
    cards: Sides


@dataclass(frozen=True)
class Choose(Line, do="choose"):
    """The younger player chooses to move `first` or to name the `planet`.

    Example: ``{"do": "choose", "player": "red", "take": "first"}``
    """

    phase = Phase.CHOICE
    player: Seat
    take: Annotated[str, OneOf("first", "planet")]


@dataclass(frozen=True)
class Start(Line, do="start"):
    """Name the planet where both ships start.

    Example: ``{"do": "start", "player": "red", "planet": "p2"}``
    """

    phase = Phase.PLANET
    player: Seat
    planet: Planet


@dataclass(frozen=True)
class GoodsLaid:
    """Five goods cards were set out at a planet."""

    planet: Planet
    cards: Sides


@dataclass(frozen=True)
class StarterChosen:
    """*player* moves first. The other player names the planet."""

    player: Seat


@dataclass(frozen=True)
class ShipsPlaced:
    """Both ships were put on a planet."""

    planet: Planet


Command = LayGoods | Choose | Start
Event = GoodsLaid | StarterChosen | ShipsPlaced


def decide(state: State, command: Command) -> tuple[Event | TurnBegan, ...]:
    """Return the events of *command*, or raise `Refused`. The planet of both ships begins the first turn."""
    match command:
        case LayGoods():
            return (_goods_laid(state, command),)
        case Choose():
            first = command.take == "first"
            return (StarterChosen(command.player if first else other(state, command.player)),)
        case Start():
            assert state.starter is not None, "chosen before"
            return (ShipsPlaced(command.planet), turn_begins(state, state.starter))
        case _:
            assert_never(command)


def _goods_laid(state: State, command: LayGoods) -> GoodsLaid:
    planet = label_of(command.planet)
    if state.at(command.planet):
        raise Refused(said("The goods of %(planet)s are out already.", planet=planet))
    if len(command.cards) != AT_A_PLANET:
        raise Refused(said("%(planet)s gets %(num)s goods cards.", planet=planet, num=AT_A_PLANET))
    if any(side.to == command.planet for side in command.cards):
        raise Refused(said("No card at %(planet)s shows %(planet)s. Flip it.", planet=planet))
    return GoodsLaid(command.planet, command.cards)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*."""
    match event:
        case GoodsLaid():
            laid = state.put(event.planet, tuple(Goods(side.to, side.value) for side in event.cards))
            whole = all(len(cargo) == AT_A_PLANET for cargo in laid.goods)
            return replace(laid, phase=Phase.CHOICE if whole else Phase.GOODS)
        case StarterChosen():
            return replace(state, starter=event.player, phase=Phase.PLANET)
        case ShipsPlaced():
            players = {colour: replace(player, place=event.planet) for colour, player in state.players.items()}
            return replace(state, players=players)
        case _:
            assert_never(event)


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield the choices after the goods are set out."""
    if state.phase is Phase.CHOICE:
        yield from (Choose(seat, take) for take in ("first", "planet"))
    if state.phase is Phase.PLANET:
        yield from (Start(seat, planet) for planet in PLANETS)


def at_random(state: State, lots: Random) -> LayGoods:
    """Return random goods for the next planet."""
    planet = next(each for each in PLANETS if not state.at(each))
    return LayGoods(planet, tuple(any_side(planet, lots) for _ in range(AT_A_PLANET)))


def _chosen(what: Occurrence) -> Said:
    if what.fields["take"] == "first":
        return said("%(name)s moves first", name=what.name)
    return said("%(name)s names the planet", name=what.name)


SENTENCES: Rows = {
    GoodsLaid: Telling(
        pattern("The goods of %(planet)s are out"),
        "goods",
        said("Every card shows a planet where it is wanted, and never its own."),
        "setup",
        aloud=Silent("everybody looks at the cards that were laid"),
        possible=said("Set out the goods"),
        how=said("five cards at each planet, none for the planet itself"),
    ),
    StarterChosen: Telling(
        _chosen,
        "choose",
        said("One moves first, the other names the planet."),
        "setup",
        aloud=Silent("the question after it says who moves first"),
        possible=said("Move first, or name the planet"),
        how=said("the other one gets the other"),
    ),
    ShipsPlaced: Telling(
        pattern("Both ships start on %(planet)s"),
        "start",
        said("Both ships begin on the same planet."),
        "setup",
        aloud=Silent("the first turn says that the game begins"),
        possible=said("Name a planet"),
        how=said("both ships start there"),
    ),
}
