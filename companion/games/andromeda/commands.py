"""The commands of a game of Andromeda: one frozen class each, and the parser of their lines."""

from __future__ import annotations

from typing import Annotated, Any

from companion.games.andromeda.board import CENTRES, PLANETS
from companion.games.andromeda.state import (
    CARDS_OF_A_PLANET,
    CREDIT_SUPPLY,
    KINDS,
    PLANET_CARDS,
    TOP_LEVEL,
    Card,
)
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, shown, whole
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.parser import Flag, Form, Known, Line, Named, OneOf, Parser, Seat, SeatForm, Text, Whole, only_one

CENTRE_PLACES = tuple(f"{planet}/{slot}" for planet in PLANETS for slot in range(CENTRES))
PLACES = ("earth", *PLANETS, *CENTRE_PLACES)
AMOUNTS = {"ship": (1, TOP_LEVEL), "technology": (1, TOP_LEVEL), "transport": (0, 2), "hand": (0, None)}
"""The smallest and largest value that a correction may set. For a hand there is no largest value."""
CORRECTIONS = ("move", *AMOUNTS, "bonus")
FACE_DOWN = "face down"
"""Replaces a face-down card of another player (see `companion.games.andromeda.secrets`)."""


@dataclass(frozen=True)
class CardSet:
    """A set of cards played for an action: *cards* planet cards of *planet*, and credits as *jokers*."""

    planet: str
    cards: int
    jokers: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of cards, jokers included."""
        return self.cards + len(self.jokers)

    @property
    def true_size(self) -> int:
        """The number of cards if it is a true set (a set without jokers), otherwise 0."""
        return 0 if self.jokers else self.cards


@dataclass(frozen=True)
class StationMove:
    """A correction that moves stations from one place to another.

    A place is `earth`, a planet `p1`, or a centre `p1/0`.
    """

    source: str
    target: str
    count: int


@dataclass(frozen=True)
class Credits:
    """A correction of how many credits of each kind a player holds."""

    held: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Amount:
    """A correction of a player's level on a track, number of transport cards, or number of cards in hand."""

    of: str
    amount: int


Correction = StationMove | Credits | Amount


class ByPlanet(Form):
    """Counts of cards by planet. Example: ``{"p1": 2, "p5": 1}``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[int, ...]:
        """Read the counts from field *name*. A missing planet counts as 0."""
        cards = Fields(fields.take(name), name)
        counts = tuple(cards.whole(planet, 0, CARDS_OF_A_PLANET) if cards.has(planet) else 0 for planet in PLANETS)
        cards.nothing_else()
        return counts

    def write(self, line: dict[str, Any], name: str, value: tuple[int, ...]) -> None:
        """Write the counts that aren't 0."""
        line[name] = {planet: count for planet, count in zip(PLANETS, value, strict=True) if count}


class Destination(Form):
    """The destination planet of a transport. In a pass, it is ignored."""

    def read(self, fields: Fields, name: str, known: Known) -> str | None:
        """Read the planet, or return None for a pass."""
        if known.values["move"] != "pass":
            return fields.word(name, PLANETS)
        planet = fields.take(name, None)
        if planet not in (None, *PLANETS):
            raise Malformed(
                said("planet must be one of %(words)s, not %(given)s", words=", ".join(PLANETS), given=shown(planet))
            )
        return None

    def write(self, line: dict[str, Any], name: str, value: str | None) -> None:
        """Write the planet, if there is one."""
        if value is not None:
            line[name] = value

    def is_in(self, fields: Fields, name: str) -> bool:
        """Return True: `read` itself checks whether the field is there, because a pass may omit it."""
        return True


class LaidCard(Form):
    """A card laid for trading: a planet's id, a kind of credit, or null for a planet card that wasn't named."""

    def read(self, fields: Fields, name: str, known: Known) -> Card:
        """Read the card from field *name*."""
        card = fields.take(name)
        if card is not None and (not isinstance(card, str) or card not in (*PLANETS, *KINDS)):
            raise Malformed(said("card must be a planet, a credit or null, not %(given)s", given=shown(card)))
        return card


class SetForm(Form):
    """A played set, in three fields. Example: ``"planet": "p1", "cards": 3, "jokers": ["gold"]``"""

    def read(self, fields: Fields, name: str, known: Known) -> CardSet:
        """Read the three fields; `jokers` may be missing."""
        planet = fields.word("planet", PLANETS)
        return CardSet(planet, fields.whole("cards", 0), fields.words("jokers", KINDS, default=[]))

    def write(self, line: dict[str, Any], name: str, value: CardSet) -> None:
        """Write the three fields, `jokers` only if there are any."""
        line.update(planet=value.planet, cards=value.cards)
        if value.jokers:
            line["jokers"] = list(value.jokers)


class TwoColours(Form):
    """A list of two colours, which may be equal. Example: ``["red", "blue"]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[str, str]:
        """Read the list from field *name*."""
        colours = fields.list(name)
        if len(colours) != 2 or not all(isinstance(colour, str) for colour in colours):
            raise Malformed(said("colours must name two colours"))
        return colours[0], colours[1]

    def write(self, line: dict[str, Any], name: str, value: tuple[str, str]) -> None:
        """Write the list."""
        line[name] = list(value)


class CorrectionForm(Form):
    """The field that says what is corrected. Example: ``"move": {"from": "earth", "to": "p1", "count": 1}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Correction:
        """Read the only field that the line has."""
        of = only_one(fields, CORRECTIONS)
        value = fields.take(of)
        if of == "move":
            return _station_move(Fields(value, of))
        if of == "bonus":
            return _credits(Fields(value, of))
        least, most = AMOUNTS[of]
        return Amount(of, whole(value, of, least, most or PLANET_CARDS + sum(CREDIT_SUPPLY.values())))

    def write(self, line: dict[str, Any], name: str, value: Correction) -> None:
        """Write the only field."""
        match value:
            case StationMove(source, target, count):
                line["move"] = {"from": source, "to": target, "count": count}
            case Credits(held):
                line["bonus"] = dict(held)
            case Amount(of, amount):
                line[of] = amount


def _station_move(fields: Fields) -> StationMove:
    move = StationMove(fields.word("from", PLACES), fields.word("to", PLACES), fields.whole("count", 1))
    fields.nothing_else()
    return move


def _credits(fields: Fields) -> Credits:
    held = tuple((kind, fields.whole(kind, 0, CREDIT_SUPPLY[kind])) for kind in KINDS if fields.has(kind))
    fields.nothing_else()
    if not held:
        raise Malformed(said("bonus must name at least one kind of credit"))
    return Credits(held)


Set = Annotated[CardSet, SetForm()]
WithBonus = Annotated[bool, Flag()]


@dataclass(frozen=True)
class SetUp(Line, do="setup"):
    """Place a player's face-up set-up cards, given as counts by planet.

    Example: ``{"do": "setup", "player": "red", "cards": {"p1": 2, "p3": 1}}``
    """

    player: Seat
    cards: Annotated[tuple[int, ...], ByPlanet()]


@dataclass(frozen=True)
class Deal(Line, do="deal"):
    """Deal cards: every hand is filled up to its limit.

    Example: ``{"do": "deal"}``
    """


@dataclass(frozen=True)
class Transport(Line, do="transport"):
    """Play a transport card (`to_planet`, `to_earth`), or `pass`.

    Example: ``{"do": "transport", "player": "red", "move": "pass"}``
    """

    player: Seat
    move: Annotated[str, OneOf("to_planet", "to_earth", "pass")]
    planet: Annotated[str | None, Destination()] = None


@dataclass(frozen=True)
class Lay(Line, do="lay"):
    """Lay a card for trading.

    Example: ``{"do": "lay", "player": "red", "card": null}``
    """

    player: Seat
    card: Annotated[Card, LaidCard()]


@dataclass(frozen=True)
class Excuse(Line, do="excuse"):
    """Sit out this trading phase, because the player has no legal card.

    Example: ``{"do": "excuse", "player": "black"}``
    """

    player: Seat


@dataclass(frozen=True)
class Swap(Line, do="swap"):
    """Swap the player's whole set for another player's set.

    Example: ``{"do": "swap", "player": "red", "with": "blue"}``
    """

    player: Seat
    partner: Annotated[str, Named("with", SeatForm())]


@dataclass(frozen=True)
class Keep(Line, do="keep"):
    """After a swap, the partner takes the new cards into the hand.

    Example: ``{"do": "keep", "player": "red"}``
    """

    player: Seat


@dataclass(frozen=True)
class Leave(Line, do="leave"):
    """After a swap, the partner leaves the new cards on the table.

    Example: ``{"do": "leave", "player": "blue"}``
    """

    player: Seat


@dataclass(frozen=True)
class TakeBack(Line, do="take_back"):
    """Take the set back instead of swapping. All players except the starting player may do this.

    Example: ``{"do": "take_back", "player": "blue"}``
    """

    player: Seat


@dataclass(frozen=True)
class EndTrading(Line, do="end_trading"):
    """End a trading phase whose trades are not recorded.

    Example: ``{"do": "end_trading"}``
    """


@dataclass(frozen=True)
class Exchange(Line, do="exchange"):
    """Discard planet cards and draw as many.

    Example: ``{"do": "exchange", "player": "red", "cards": 2}``
    """

    player: Seat
    cards: Annotated[int, Whole(0)]


@dataclass(frozen=True)
class Move(Line, do="move"):
    """Play a set to move stations from Earth to its planet.

    Example: ``{"do": "move", "player": "red", "planet": "p1", "cards": 3, "jokers": ["gold"], "bonus": false,
    "stations": 2}``
    """

    written = ("player", "set", "bonus", "stations")
    player: Seat
    set: Set
    stations: Annotated[int, Whole(0)]
    bonus: WithBonus = True


@dataclass(frozen=True)
class Establish(Line, do="establish"):
    """Play a set to try for a centre with the ring.

    Example: ``{"do": "establish", "player": "red", "planet": "p1", "cards": 3}``
    """

    player: Seat
    set: Set
    bonus: WithBonus = True


@dataclass(frozen=True)
class Draw(Line, do="draw"):
    """Record that one station left the ring.

    Example: ``{"do": "draw", "colour": "blue"}``
    """

    colour: Annotated[str, Text()]


@dataclass(frozen=True)
class DoubleExit(Line, do="double_exit"):
    """Record that two stations left the ring at once.

    *out* is the colour of the station that counts, chosen at random. It is None if both go back.

    Example: ``{"do": "double_exit", "colours": ["red", "blue"], "out": "red"}``
    """

    colours: Annotated[tuple[str, str], TwoColours()]
    out: Annotated[str | None, Text()] = None


@dataclass(frozen=True)
class StopDrawing(Line, do="stop_drawing"):
    """Give up the remaining draws.

    Example: ``{"do": "stop_drawing", "player": "green"}``
    """

    player: Seat


@dataclass(frozen=True)
class Ship(Line, do="ship"):
    """Play a set for the next level of the ship.

    Example: ``{"do": "ship", "player": "red", "planet": "p2", "cards": 4}``
    """

    player: Seat
    set: Set
    bonus: WithBonus = True


@dataclass(frozen=True)
class Technology(Line, do="technology"):
    """Play a set for the next level of technology.

    Example: ``{"do": "technology", "player": "red", "planet": "p7", "cards": 5}``
    """

    player: Seat
    set: Set
    bonus: WithBonus = True


@dataclass(frozen=True)
class EndTurn(Line, do="end_turn"):
    """End the turn with fewer actions than allowed.

    Example: ``{"do": "end_turn", "player": "green"}``
    """

    player: Seat


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """Correct the state to match the table.

    Example: ``{"do": "correct", "player": "red", "reason": "x", "move": {"from": "earth", "to": "p1", "count": 1}}``
    """

    player: Seat
    reason: Annotated[str, Text()]
    what: Annotated[Correction, CorrectionForm()]


TradeCommand = Lay | Excuse | Swap | Keep | Leave | TakeBack | EndTrading
ActionCommand = Exchange | Move | Establish | Ship | Technology | EndTurn
DrawCommand = Draw | DoubleExit | StopDrawing
Command = SetUp | Deal | Transport | TradeCommand | ActionCommand | DrawCommand | Correct
PARSER: Parser[Command] = Parser.of(Command)
parse, line_of = PARSER.parse, PARSER.line_of
