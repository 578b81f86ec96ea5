"""What happens in Die Kosmische Hanse: facts that can be folded into a state and never refused, and their codec."""

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
from companion.kernel.validation import Fields
from companion.kernel.values import dataclass
from companion.model.event_codec import EventCodec
from companion.model.forms import Flag, Form, Known, OneOf, Seat, Whole, Wholes

MOST = 999
"""More than there is of anything in the box."""


class SidesSeen(Form):
    """The sides of goods cards that are seen. Example: ``[{"to": "p3", "value": 2}]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[CardSide, ...]:
        """Take the sides."""
        return tuple(side_from(each, name) for each in fields.list(name))

    def write(self, line: dict[str, Any], name: str, value: tuple[CardSide, ...]) -> None:
        """Put the sides."""
        line[name] = [side_line(side) for side in value]


class ChoicesMade(Form):
    """What a card asked to be named, as an object. Example: ``{"planet": "p1", "to": "p4"}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Choices:
        """Take the choices."""
        inner = fields.inner(name)
        named = (("inner_loading", "planet"), (EXCHANGING, "mine"))
        made = choices_from(next((kind for kind, field in named if inner.has(field)), ""), inner)
        inner.nothing_else()
        return made

    def write(self, line: dict[str, Any], name: str, value: Choices) -> None:
        """Put the choices."""
        line[name] = choices_line(value)


class WhatWasCorrected(Form):
    """A correction as an object with the one field that a line has. Example: ``{"hand": 4}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Correction:
        """Take the correction."""
        inner = fields.inner(name)
        of = next((each for each in CORRECTIONS if inner.has(each)), CORRECTIONS[0])
        made = correction_from(of, inner)
        inner.nothing_else()
        return made

    def write(self, line: dict[str, Any], name: str, value: Correction) -> None:
        """Put the correction."""
        line[name] = correction_line(value)


Count = Annotated[int, Whole(0, MOST)]
HandSize = Annotated[int, Whole(0, HAND_LIMIT)]
SidesOfGoods = Annotated[tuple[CardSide, ...], SidesSeen()]


@dataclass(frozen=True)
class GoodsLaid:
    """Five goods cards lie at a planet."""

    planet: Planet
    cards: SidesOfGoods


@dataclass(frozen=True)
class StarterChosen:
    """It is settled who moves first; the other one names the planet."""

    player: Seat


@dataclass(frozen=True)
class ShipsPlaced:
    """Both ships stand on a planet."""

    planet: Planet


@dataclass(frozen=True)
class TurnBegan:
    """A turn starts; *price* is what a technology costs in it."""

    player: Seat
    price: Count


@dataclass(frozen=True)
class Hyperjumped:
    """A ship jumped to the innermost (`inward`) or outermost orbit."""

    player: Seat
    direction: Annotated[str, OneOf(*DIRECTIONS)]


@dataclass(frozen=True)
class Rolled:
    """A flight began with so much *energy*."""

    player: Seat
    dice: Annotated[tuple[int, ...], Wholes(1, PIPS)]
    energy: Count


@dataclass(frozen=True)
class Flown:
    """A ship flew to a place for so much *energy*."""

    player: Seat
    to: Annotated[str, OneOf(*PLACES)]
    energy: Count


@dataclass(frozen=True)
class Tunnelled:
    """A ship flew through the sun, outwards."""

    player: Seat
    energy: Count


@dataclass(frozen=True)
class ActionUsed:
    """A planet action is used, from *orbit* by a Space Station; an open flight ends."""

    player: Seat
    orbit: Annotated[bool, Flag()]


@dataclass(frozen=True)
class Loaded:
    """All goods at *planet* that are wanted on *to* lie in a container."""

    player: Seat
    planet: Planet
    to: Planet
    container: Container


@dataclass(frozen=True)
class Unloaded:
    """A container was emptied at a planet and brought so much."""

    player: Seat
    planet: Planet
    container: Container
    gained: Count


@dataclass(frozen=True)
class Flipped:
    """What was unloaded shows its other sides; two of it, or none, *leave* the game."""

    player: Seat
    cards: SidesOfGoods
    leave: Annotated[tuple[int, ...], Wholes(0, ALL_GOODS - 1)]


@dataclass(frozen=True)
class Bought:
    """A technology lies open and is paid."""

    player: Seat
    card: Annotated[str, OneOf(*TECHNOLOGIES)]
    paid: Count


@dataclass(frozen=True)
class Intervened:
    """An intervention was discarded for its effect."""

    player: Seat
    card: Annotated[str, OneOf(*INTERVENTIONS)]
    choices: Annotated[Choices, ChoicesMade()]


@dataclass(frozen=True)
class PassengerLanded:
    """A passenger has come to the planet, and paid."""

    player: Seat
    gained: Count


@dataclass(frozen=True)
class Allowed:
    """The opponent lets an intervention happen."""

    player: Seat


@dataclass(frozen=True)
class Neutralised:
    """The opponent discarded the same card."""

    player: Seat
    card: Annotated[str, OneOf(*INTERVENTIONS)]


@dataclass(frozen=True)
class Granted:
    """The turn has one more of what a card grants."""

    player: Seat
    what: Annotated[str, OneOf(*GRANTS.values())]


@dataclass(frozen=True)
class ContentsExchanged:
    """The contents of two containers changed ships."""

    player: Seat
    mine: Container
    theirs: Container


@dataclass(frozen=True)
class ShipsExchanged:
    """The two ships changed places."""

    player: Seat


@dataclass(frozen=True)
class Reshuffled:
    """Hand, draw pile and discards are one draw pile, and a new *hand* is drawn from it."""

    player: Seat
    hand: HandSize


@dataclass(frozen=True)
class TurnEnded:
    """Cards were discarded, then others drawn."""

    player: Seat
    discard: Annotated[tuple[str | None, ...], Discards()]
    drawn: HandSize


@dataclass(frozen=True)
class Corrected:
    """The table put something right by hand."""

    player: Seat
    what: Annotated[Correction, WhatWasCorrected()]


@dataclass(frozen=True)
class GameEnded:
    """The game is over, by `megagalax` or by `goods`."""

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
"""What the cards ask to be named that ask for anything."""

_BEFORE_THE_FIRST_TURN = (
    GoodsLaid,
    StarterChosen,
    ShipsPlaced,
    TurnBegan,
    GameEnded,
)


def can_follow(state: State, event: Event) -> bool:
    """Tell whether *event* finds what it changes: no more, since it is the rules that say what may happen."""
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
    """Tell whether *player* has the containers that *what* names, or gives back: bought ones, and empty."""
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
