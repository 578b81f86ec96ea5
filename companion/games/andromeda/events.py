"""The events of a game of Andromeda and their codec. `evolve` applies an event and never refuses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from companion.games.andromeda.board import CENTRES, PLANETS
from companion.games.andromeda.commands import AMOUNTS, PLACES, Amount, Correction, Credits, LaidCard, StationMove
from companion.games.andromeda.state import CARDS_OF_A_PLANET, CREDIT_SUPPLY, KINDS, TOP_LEVEL, Card, Phase, State
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields
from companion.kernel.fields import whole as checked
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.parser import EventCodec, Flag, Form, Known, OneOf, Seat, Whole, Words, WordsOfState

MOST = 999
"""Upper limit for counts. The box contains fewer of every kind of thing."""


class ForEachPlanet(Form):
    """A number for each planet, in the order of planets. Example: ``[2, 0, 0, 1, 0, 0, 0]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[int, ...]:
        """Read the numbers from field *name*."""
        cards = fields.whole_numbers(name, 0, CARDS_OF_A_PLANET)
        if len(cards) != len(PLANETS):
            raise Malformed(said("cards must give a number for each planet"))
        return cards


class ForEachSeat(Form):
    """Pairs of a colour and a number. Example: ``[["red", 9], ["blue", 9]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[tuple[str, int], ...]:
        """Read the pairs from field *name*."""
        return _pairs(fields, name, known.state.colours)


class WhatWasCorrected(Form):
    """A correction, with the name of its class. Example: ``{"is": "Amount", "of": "ship", "amount": 2}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Correction:
        """Read the correction from field *name*."""
        what = Fields(fields.take(name), name)
        made = _CORRECTIONS[what.word("is", _CORRECTIONS)](what)
        what.nothing_else()
        return made

    def write(self, line: dict[str, Any], name: str, value: Correction) -> None:
        """Write the correction to field *name*."""
        line[name] = {
            "is": type(value).__name__,
            **{each: getattr(value, each) for each in type(value).__annotations__},
        }


def _amount(what: Fields) -> Correction:
    of = what.word("of", AMOUNTS)
    least, most = AMOUNTS[of]
    return Amount(of, what.whole("amount", least, most or MOST))


def _credits(what: Fields) -> Correction:
    held = _pairs(what, "held", KINDS)
    return Credits(tuple((kind, checked(count, kind, 0, CREDIT_SUPPLY[kind])) for kind, count in held))


def _station_move(what: Fields) -> Correction:
    return StationMove(what.word("source", PLACES), what.word("target", PLACES), what.whole("count", 1, MOST))


_CORRECTIONS: dict[str, Callable[[Fields], Correction]] = {
    "Amount": _amount,
    "Credits": _credits,
    "StationMove": _station_move,
}


def _pairs(fields: Fields, name: str, words: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Read a list of pairs. Each pair is one of *words* and a number."""
    pairs = fields.list(name)
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or pair[0] not in words:
            raise Malformed(said("%(name)s must be pairs of a word and a number", name=name))
    return tuple((word, checked(number, name, 0, MOST)) for word, number in pairs)


Count = Annotated[int, Whole(0, MOST)]
Planet = Annotated[str, OneOf(*PLANETS)]


@dataclass(frozen=True)
class CardsShown:
    """A player's set-up cards were turned face up. For each card, a station was placed on its planet."""

    player: Seat
    cards: Annotated[tuple[int, ...], ForEachPlanet()]


@dataclass(frozen=True)
class Dealt:
    """Planet cards were dealt from the supply to hands: the number of cards by colour, in seat order."""

    cards: Annotated[tuple[tuple[str, int], ...], ForEachSeat()]


@dataclass(frozen=True)
class RoundBegan:
    """A round began, with its card phase."""

    number: Count
    starter: Seat


@dataclass(frozen=True)
class PhaseBegan:
    """A phase began. The player *turn* acts first and has *actions* actions."""

    phase: Annotated[str, OneOf(*Phase)]
    turn: Seat
    actions: Count = 0


@dataclass(frozen=True)
class TurnBegan:
    """The turn passed to *player* within a phase."""

    player: Seat
    actions: Count = 0


@dataclass(frozen=True)
class Transported:
    """A transport card was used. It took *stations* stations to a planet (`to_planet`) or from it (`to_earth`)."""

    player: Seat
    move: Annotated[str, OneOf("to_planet", "to_earth")]
    planet: Planet
    stations: Count


@dataclass(frozen=True)
class TransportPassed:
    """A player played no transport card this round."""

    player: Seat


@dataclass(frozen=True)
class CardLaid:
    """A player laid a card for trading."""

    player: Seat
    card: Annotated[Card, LaidCard()]


@dataclass(frozen=True)
class PlayerExcused:
    """A player without a legal card takes back their laid cards and sits out."""

    player: Seat


@dataclass(frozen=True)
class SetsSwapped:
    """Two sets were swapped. *player* takes the new set into the hand. The new set of *partner* is on the table."""

    player: Seat
    partner: Seat


@dataclass(frozen=True)
class SetLeft:
    """A partner left the new set on the table, so it can be swapped again."""

    player: Seat


@dataclass(frozen=True)
class SetTaken:
    """A player took their set from the table into the hand, and doesn't trade any more in this phase."""

    player: Seat


@dataclass(frozen=True)
class CardsExchanged:
    """A player discarded planet cards and drew as many."""

    player: Seat
    cards: Count


@dataclass(frozen=True)
class SetPlayed:
    """A set was played: its planet cards went to the discards, its jokers to their piles."""

    player: Seat
    cards: Count
    jokers: Annotated[tuple[str, ...], Words(*KINDS)] = ()


@dataclass(frozen=True)
class StationsMoved:
    """Stations went from Earth to a planet."""

    player: Seat
    planet: Planet
    stations: Count


@dataclass(frozen=True)
class AttemptBegan:
    """The ring was put over a planet.

    *cards* is the size of the played set if it is a true set, and 0 if it has jokers.
    """

    player: Seat
    planet: Planet
    draws: Count
    cards: Count
    bonus: Annotated[bool, Flag()]


@dataclass(frozen=True)
class CentreTaken:
    """A station of the drawing player came out and took a centre. *slot* is the index of the centre, from 0."""

    player: Seat
    planet: Planet
    slot: Annotated[int, Whole(0, CENTRES - 1)]


@dataclass(frozen=True)
class FlewHome:
    """A station of another player came out and went back to Earth."""

    player: Seat
    planet: Planet


@dataclass(frozen=True)
class PutBack:
    """Two stations left the ring at once. One or both of them, *colours*, went back under it."""

    colours: Annotated[tuple[str, ...], WordsOfState(lambda state: state.colours)]


@dataclass(frozen=True)
class AttemptEnded:
    """An attempt ended."""


@dataclass(frozen=True)
class CreditEarned:
    """A true set earned a bonus credit from its pile."""

    player: Seat
    kind: Annotated[str, OneOf(*KINDS)]


@dataclass(frozen=True)
class LevelGained:
    """A track (`ship` or `technology`) went up by one level."""

    player: Seat
    track: Annotated[str, OneOf("ship", "technology")]


@dataclass(frozen=True)
class ActionDone:
    """One action of the turn was used."""


@dataclass(frozen=True)
class Corrected:
    """The players corrected the state."""

    player: Seat
    what: Annotated[Correction, WhatWasCorrected()]


@dataclass(frozen=True)
class GameEnded:
    """The last round is over."""


Event = (
    CardsShown
    | Dealt
    | RoundBegan
    | PhaseBegan
    | TurnBegan
    | Transported
    | TransportPassed
    | CardLaid
    | PlayerExcused
    | SetsSwapped
    | SetLeft
    | SetTaken
    | CardsExchanged
    | SetPlayed
    | StationsMoved
    | AttemptBegan
    | CentreTaken
    | FlewHome
    | PutBack
    | AttemptEnded
    | CreditEarned
    | LevelGained
    | ActionDone
    | Corrected
    | GameEnded
)


_TRADING = (CardLaid, PlayerExcused, SetsSwapped, SetLeft, SetTaken)
_ATTEMPT = (CentreTaken, FlewHome, AttemptEnded)


def can_follow(state: State, event: Event) -> bool:
    """Return whether *event* can be applied to *state*: the things that it changes must exist.

    The rules are not checked.
    """
    if isinstance(event, _TRADING) and state.trading is None:
        return False
    if isinstance(event, _ATTEMPT) and state.attempt is None:
        return False
    match event:
        case SetsSwapped(player, partner):
            return state.trading is not None and {player, partner} <= set(state.trading.sets)
        case LevelGained(player, "ship"):
            return state.players[player].ship < TOP_LEVEL
        case LevelGained(player, _):
            return state.players[player].technology < TOP_LEVEL
        case _:
            return True


CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
pack, unpack = CODEC.pack, CODEC.unpack
