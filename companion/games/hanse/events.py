"""The events of Die Kosmische Hanse and their codec. `evolve` applies an event and never refuses it."""

from __future__ import annotations

from types import NoneType
from typing import Annotated, Any

from companion.games.hanse.cards import DIRECTIONS, GRANTS, HAND_LIMIT, INTERVENTIONS, TECHNOLOGIES, WITHIN
from companion.games.hanse.commands import (
    CORRECTIONS,
    EXCHANGING,
    PIPS,
    Choices,
    Container,
    Correction,
    Counts,
    Discards,
    Exchange,
    Held,
    Loading,
    Planet,
    choices_from,
    choices_line,
    correction_from,
    correction_line,
    side_from,
    side_line,
)
from companion.games.hanse.goods import ALL_GOODS, CardSide
from companion.games.hanse.places import PLACES
from companion.games.hanse.state import Player, State, other
from companion.kernel.fields import Fields
from companion.kernel.values import dataclass
from companion.model.parser import EventCodec, Flag, Form, Known, OneOf, Seat, Whole, Wholes

MOST = 999
"""Upper limit for counts. The box contains fewer of every kind of thing."""


class SidesSeen(Form):
    """The visible sides of goods cards. Example: ``[{"to": "p3", "value": 2}]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[CardSide, ...]:
        """Read the sides from field *name*."""
        return tuple(side_from(each, name) for each in fields.list(name))

    def write(self, line: dict[str, Any], name: str, value: tuple[CardSide, ...]) -> None:
        """Write the sides to field *name*."""
        line[name] = [side_line(side) for side in value]


class ChoicesMade(Form):
    """The choices that a card needed, as an object. Example: ``{"planet": "p1", "to": "p4"}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Choices:
        """Read the choices from field *name*."""
        inner = fields.inner(name)
        named = (("inner_loading", "planet"), (EXCHANGING, "mine"))
        made = choices_from(next((kind for kind, field in named if inner.has(field)), ""), inner)
        inner.nothing_else()
        return made

    def write(self, line: dict[str, Any], name: str, value: Choices) -> None:
        """Write the choices to field *name*."""
        line[name] = choices_line(value)


class WhatWasCorrected(Form):
    """A correction, as an object with the same field as in the command. Example: ``{"hand": 4}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Correction:
        """Read the correction from field *name*."""
        inner = fields.inner(name)
        of = next((each for each in CORRECTIONS if inner.has(each)), CORRECTIONS[0])
        made = correction_from(of, inner)
        inner.nothing_else()
        return made

    def write(self, line: dict[str, Any], name: str, value: Correction) -> None:
        """Write the correction to field *name*."""
        line[name] = correction_line(value)


Count = Annotated[int, Whole(0, MOST)]
HandSize = Annotated[int, Whole(0, HAND_LIMIT)]
SidesOfGoods = Annotated[tuple[CardSide, ...], SidesSeen()]


@dataclass(frozen=True)
class GoodsLaid:
    """Five goods cards were set out at a planet."""

    planet: Planet
    cards: SidesOfGoods


@dataclass(frozen=True)
class StarterChosen:
    """*player* moves first. The other player names the planet."""

    player: Seat


@dataclass(frozen=True)
class ShipsPlaced:
    """Both ships were put on a planet."""

    planet: Planet


@dataclass(frozen=True)
class TurnBegan:
    """A turn began. *price* is the cost of each technology during it."""

    player: Seat
    price: Count


@dataclass(frozen=True)
class Hyperjumped:
    """A ship jumped to the innermost (`inward`) or the outermost orbit."""

    player: Seat
    direction: Annotated[str, OneOf(*DIRECTIONS)]


@dataclass(frozen=True)
class Rolled:
    """A flight began with *energy*."""

    player: Seat
    dice: Annotated[tuple[int, ...], Wholes(1, PIPS)]
    energy: Count


@dataclass(frozen=True)
class Flown:
    """A ship flew to a place and used *energy*."""

    player: Seat
    to: Annotated[str, OneOf(*PLACES)]
    energy: Count


@dataclass(frozen=True)
class Tunnelled:
    """A ship flew through the sun and used *energy*."""

    player: Seat
    energy: Count


@dataclass(frozen=True)
class ActionUsed:
    """A planet action was used.

    *orbit* says that it was used from the orbit, with a Space Station. It ends an open flight.
    """

    player: Seat
    orbit: Annotated[bool, Flag()]


@dataclass(frozen=True)
class Loaded:
    """All goods at *planet* for destination *to* were loaded into a container."""

    player: Seat
    planet: Planet
    to: Planet
    container: Container


@dataclass(frozen=True)
class Unloaded:
    """A container was unloaded at a planet, and the player gained Megagalax."""

    player: Seat
    planet: Planet
    container: Container
    gained: Count


@dataclass(frozen=True)
class Flipped:
    """The unloaded goods were turned over. If *leave* isn't empty, the two cards with these numbers left the game."""

    player: Seat
    cards: SidesOfGoods
    leave: Annotated[tuple[int, ...], Wholes(0, ALL_GOODS - 1)]


@dataclass(frozen=True)
class Bought:
    """A technology was bought and is in play."""

    player: Seat
    card: Annotated[str, OneOf(*TECHNOLOGIES)]
    paid: Count


@dataclass(frozen=True)
class Intervened:
    """An intervention was played from the hand."""

    player: Seat
    card: Annotated[str, OneOf(*INTERVENTIONS)]
    choices: Annotated[Choices, ChoicesMade()]


@dataclass(frozen=True)
class PassengerLanded:
    """A passenger landed on the planet, and the player gained Megagalax."""

    player: Seat
    gained: Count


@dataclass(frozen=True)
class Allowed:
    """The opponent let an intervention happen."""

    player: Seat


@dataclass(frozen=True)
class Neutralised:
    """The opponent discarded the same card against an intervention."""

    player: Seat
    card: Annotated[str, OneOf(*INTERVENTIONS)]


@dataclass(frozen=True)
class Granted:
    """The budget *what* of the turn was increased by one (see `GRANTS`)."""

    player: Seat
    what: Annotated[str, OneOf(*GRANTS.values())]


@dataclass(frozen=True)
class ContentsExchanged:
    """The contents of two containers were exchanged between the ships."""

    player: Seat
    mine: Container
    theirs: Container


@dataclass(frozen=True)
class ShipsExchanged:
    """The ships changed places."""

    player: Seat


@dataclass(frozen=True)
class Reshuffled:
    """Hand, draw pile and discards became a new draw pile, from which a new *hand* was drawn."""

    player: Seat
    hand: HandSize


@dataclass(frozen=True)
class TurnEnded:
    """The turn ended: cards were discarded, then others drawn."""

    player: Seat
    discard: Annotated[tuple[str | None, ...], Discards()]
    drawn: HandSize


@dataclass(frozen=True)
class Corrected:
    """The players corrected the state."""

    player: Seat
    what: Annotated[Correction, WhatWasCorrected()]


@dataclass(frozen=True)
class GameEnded:
    """The game ended because of `megagalax` or `goods`."""

    by: Annotated[str, OneOf("megagalax", "goods")]


Event = (
    GoodsLaid
    | StarterChosen
    | ShipsPlaced
    | TurnBegan
    | Hyperjumped
    | Rolled
    | Flown
    | Tunnelled
    | ActionUsed
    | Loaded
    | Unloaded
    | Flipped
    | Bought
    | Intervened
    | PassengerLanded
    | Allowed
    | Neutralised
    | Granted
    | ContentsExchanged
    | ShipsExchanged
    | Reshuffled
    | TurnEnded
    | Corrected
    | GameEnded
)


CHOICES: dict[str, type[Loading | Exchange]] = {**dict.fromkeys(WITHIN, Loading), EXCHANGING: Exchange}
"""The class of the choices for each card that needs any."""

_BEFORE_THE_FIRST_TURN = (
    GoodsLaid,
    StarterChosen,
    ShipsPlaced,
    TurnBegan,
    GameEnded,
)


def can_follow(state: State, event: Event) -> bool:
    """Return whether *event* can be applied to *state*: the things it changes must exist. Rules are not checked."""
    if state.turn is None and not isinstance(event, _BEFORE_THE_FIRST_TURN):
        return False
    match event:
        case TurnBegan():
            return all(player.place for player in state.players.values())
        case Loaded(player, _, _, container):
            return container < len(state.players[player].containers)
        case Unloaded(player, _, container, _):
            return any(state.players[player].containers[container : container + 1])
        case Intervened(_, card, choices):
            return isinstance(choices, CHOICES.get(card, NoneType))
        case Flipped():
            return state.flipping is not None and len(event.cards) == len(state.flipping.cards)
        case ContentsExchanged(player, mine, theirs):
            against = state.players[other(state, player)]
            return mine < len(state.players[player].containers) and theirs < len(against.containers)
        case Corrected(player, what):
            return corrigible(state.players[player], what)
        case _:
            return True


def corrigible(player: Player, what: Correction) -> bool:
    """Return True if *what* is possible: *player* has the container, or enough empty bought containers to remove."""
    match what:
        case Held(index, _):
            return index < len(player.containers)
        case Counts("technologies", cards):
            had = player.technology("container")
            return had - dict(cards).get("container", had) <= sum(not cargo for cargo in player.containers[1:])
        case _:
            return True


CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
pack, unpack = CODEC.pack, CODEC.unpack
