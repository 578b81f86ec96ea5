"""The commands of a game of Die Kosmische Hanse: one frozen class each, and the parser of their lines."""

from __future__ import annotations

from typing import Annotated, Any, assert_never

from companion.games.hanse.cards import CARDS, DIRECTIONS, HAND_LIMIT, INTERVENTIONS, TECHNOLOGIES, WITHIN
from companion.games.hanse.goods import ALL_GOODS, GOAL, VALUES, CardSide, Cargo, Goods, Pair
from companion.games.hanse.places import PLACES, PLANETS
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, shown
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.parser import Form, Known, Line, OneOf, Parser, Seat, Text, Whole, Wholes, only_one

PIPS = 6
LAST_CONTAINER = TECHNOLOGIES["container"]
"""The highest number of a container. Number 0 is the container on the Start card."""
EXCHANGING = "on_board_transmitter"
CORRECTIONS = ("megagalax", "place", "hand", "technologies", "discards", "goods", "container")
COUNTED = {"technologies": TECHNOLOGIES, "discards": CARDS}


@dataclass(frozen=True)
class Loading:
    """The choices for Inner or Outer Loading, which load all goods at *planet* with destination *to*."""

    planet: str
    to: str


@dataclass(frozen=True)
class Exchange:
    """The numbers of the two containers whose contents an On-Board Transmitter exchanges."""

    mine: int
    theirs: int


Choices = Loading | Exchange | None


@dataclass(frozen=True)
class Amount:
    """A correction of a player's `megagalax` or `hand`."""

    of: str
    amount: int


@dataclass(frozen=True)
class Standing:
    """A correction of the place of a player's ship."""

    place: str


@dataclass(frozen=True)
class Counts:
    """A correction of a player's `technologies` in play or known `discards`, by name.

    The counts of missing names do not change.
    """

    of: str
    cards: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class GoodsAt:
    """A correction of the goods at planets. The goods at missing planets do not change."""

    planets: tuple[tuple[str, Cargo], ...]


@dataclass(frozen=True)
class Held:
    """A correction of the contents of a container."""

    index: int
    cards: Cargo


Correction = Amount | Standing | Counts | GoodsAt | Held


class Sides(Form):
    """The visible sides of goods cards. Example: ``[{"to": "p3", "value": 2}]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[CardSide, ...]:
        """Read the sides from field *name*."""
        where = fields.where(name)
        return tuple(side_from(each, f"{where}[{at}]") for at, each in enumerate(fields.list(name)))

    def write(self, line: dict[str, Any], name: str, value: tuple[CardSide, ...]) -> None:
        """Write the sides to field *name*."""
        line[name] = [side_line(side) for side in value]


class TwoThatLeave(Wholes):
    """The numbers of two cards that leave the game, in ascending order. Example: ``[0, 3]``"""

    def read(self, fields: Fields, name: str, known: Known) -> Pair:
        """Read the pair from field *name*."""
        numbers = super().read(fields, name, known)
        if len(numbers) != 2 or numbers[0] >= numbers[1]:
            raise Malformed(said("leave must be two numbers, the smaller one first"))
        return numbers[0], numbers[1]


class Discards(Form):
    """Discarded cards; null is a card that wasn't named. Example: ``["agent", null]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[str | None, ...]:
        """Read the cards from field *name*."""
        cards = fields.list(name)
        for card in cards:
            if card is not None and (not isinstance(card, str) or card not in CARDS):
                raise Malformed(said("discard must be cards or null, not %(given)s", given=shown(card)))
        return tuple(cards)

    def write(self, line: dict[str, Any], name: str, value: tuple[str | None, ...]) -> None:
        """Write the cards as a list."""
        line[name] = list(value)


class ChoicesForm(Form):
    """The fields that the card in the same line needs, such as ``"planet": "p1", "to": "p4"``. Most cards need none."""

    def read(self, fields: Fields, name: str, known: Known) -> Choices:
        """Read the fields that the card needs."""
        return choices_from(known.values["card"], fields)

    def write(self, line: dict[str, Any], name: str, value: Choices) -> None:
        """Write the fields."""
        line.update(choices_line(value))

    def is_in(self, fields: Fields, name: str) -> bool:
        """Return True: the card determines which fields are needed, if any."""
        return True


class CorrectionForm(Form):
    """The field that says what is corrected. Example: ``"container": {"index": 0, "cards": []}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Correction:
        """Read the only field that the line has."""
        return correction_from(only_one(fields, CORRECTIONS), fields)

    def write(self, line: dict[str, Any], name: str, value: Correction) -> None:
        """Write the only field."""
        line.update(correction_line(value))


def side_from(value: object, where: str) -> CardSide:
    """Parse *value* as one side of a goods card, or raise `Malformed`.

    >>> side_from({"to": "p3", "value": 2}, "goods")
    CardSide(to='p3', value=2)
    """
    fields = Fields(value, where)
    side = _side(fields)
    fields.nothing_else()
    return side


def goods_from(value: object, where: str) -> Goods:
    """Parse *value* as a goods card with its visible side and, if known, its back. Raises `Malformed`."""
    fields = Fields(value, where)
    side, back = _side(fields), fields.take("back", None)
    fields.nothing_else()
    return Goods(side.to, side.value, None if back is None else side_from(back, f"{where}.back"))


def side_line(side: CardSide) -> dict[str, Any]:
    """Return a side in the format of a record."""
    return {"to": side.to, "value": side.value}


def goods_line(card: Goods) -> dict[str, Any]:
    """Return a goods card in the format of a record."""
    return {**side_line(card.side), "back": None if card.back is None else side_line(card.back)}


def correction_from(of: str, fields: Fields) -> Correction:
    """Parse the field *of* as a correction, or raise `Malformed`."""
    match of:
        case "megagalax":
            return Amount(of, fields.whole(of, 0, GOAL))
        case "hand":
            return Amount(of, fields.whole(of, 0, HAND_LIMIT))
        case "place":
            return Standing(fields.word(of, PLACES))
        case "technologies" | "discards":
            return _counts(of, fields.inner(of))
        case "goods":
            return _goods_at(fields.inner(of))
        case "container":
            return _held(fields.inner(of))
        case _:
            raise AssertionError(f"nothing corrects {of}")


def correction_line(what: Correction) -> dict[str, Any]:
    """Return a correction as the field of a record. This is the inverse of `correction_from`."""
    match what:
        case Amount(of, amount):
            return {of: amount}
        case Standing(place):
            return {"place": place}
        case Counts(of, cards):
            return {of: dict(cards)}
        case GoodsAt(planets):
            return {"goods": {planet: [goods_line(card) for card in cargo] for planet, cargo in planets}}
        case Held(index, cargo):
            return {"container": {"index": index, "cards": [goods_line(card) for card in cargo]}}
        case _:
            assert_never(what)


def choices_from(card: str, fields: Fields) -> Choices:
    """Parse the fields that *card* needs, or raise `Malformed`. Return None if it needs none."""
    if card in WITHIN:
        return Loading(fields.word("planet", PLANETS), fields.word("to", PLANETS))
    if card == EXCHANGING:
        return Exchange(_container(fields, "mine"), _container(fields, "theirs"))
    return None


def choices_line(choices: Choices) -> dict[str, Any]:
    """Return the choices for a card in the format of a record."""
    match choices:
        case Loading(planet, to):
            return {"planet": planet, "to": to}
        case Exchange(mine, theirs):
            return {"mine": mine, "theirs": theirs}
        case None:
            return {}
        case _:
            assert_never(choices)


def _side(fields: Fields) -> CardSide:
    return CardSide(fields.word("to", PLANETS), fields.whole("value", *VALUES))


def _cargo(values: list[Any], where: str) -> Cargo:
    if len(values) > ALL_GOODS:
        raise Malformed(said("%(where)s must have at most %(most)s cards", where=where, most=ALL_GOODS))
    return tuple(goods_from(each, f"{where}[{at}]") for at, each in enumerate(values))


def _counts(of: str, fields: Fields) -> Counts:
    named = COUNTED[of]
    cards = tuple((card, fields.whole(card, 0, named[card])) for card in named if fields.has(card))
    fields.nothing_else()
    if not cards:
        raise Malformed(said("%(where)s must have at least one card", where=of))
    return Counts(of, cards)


def _goods_at(fields: Fields) -> GoodsAt:
    found = tuple((each, _cargo(fields.list(each), fields.where(each))) for each in PLANETS if fields.has(each))
    fields.nothing_else()
    if not found:
        raise Malformed(said("goods must have at least one planet"))
    return GoodsAt(found)


def _held(fields: Fields) -> Held:
    held = Held(_container(fields, "index"), _cargo(fields.list("cards"), fields.where("cards")))
    fields.nothing_else()
    return held


def _container(fields: Fields, name: str) -> int:
    return fields.whole(name, 0, LAST_CONTAINER)


Planet = Annotated[str, OneOf(*PLANETS)]
Container = Annotated[int, Whole(0, LAST_CONTAINER)]


@dataclass(frozen=True)
class LayGoods(Line, do="goods"):
    """Set out the five goods cards at a planet, given by their visible sides.

    Example: ``{"do": "goods", "planet": "p1", "cards": [{"to": "p2", "value": 3}, {"to": "p6", "value": 3},
    {"to": "p5", "value": 3}, {"to": "p5", "value": 3}, {"to": "p6", "value": 2}]}``
    """

    planet: Planet
    cards: Annotated[tuple[CardSide, ...], Sides()]


@dataclass(frozen=True)
class Choose(Line, do="choose"):
    """The younger player chooses to move `first` or to name the `planet`.

    Example: ``{"do": "choose", "player": "red", "take": "first"}``
    """

    player: Seat
    take: Annotated[str, OneOf("first", "planet")]


@dataclass(frozen=True)
class Start(Line, do="start"):
    """Name the planet where both ships start.

    Example: ``{"do": "start", "player": "red", "planet": "p2"}``
    """

    player: Seat
    planet: Planet


@dataclass(frozen=True)
class Hyperjump(Line, do="hyperjump"):
    """Jump `inward` or `outward`, before anything else in the turn.

    Example: ``{"do": "hyperjump", "player": "red", "direction": "inward"}``
    """

    player: Seat
    direction: Annotated[str, OneOf(*DIRECTIONS)]


@dataclass(frozen=True)
class Roll(Line, do="roll"):
    """Roll the die for a flight. *dice* are all results: a 1 is rolled again.

    Example: ``{"do": "roll", "player": "red", "dice": [1, 1, 5]}``
    """

    player: Seat
    dice: Annotated[tuple[int, ...], Wholes(1, PIPS, at_least=1)]


@dataclass(frozen=True)
class Fly(Line, do="fly"):
    """Fly straight to a place, with the energy of the open flight.

    Example: ``{"do": "fly", "player": "red", "to": "p6"}``
    """

    player: Seat
    to: Annotated[str, OneOf(*PLACES)]


@dataclass(frozen=True)
class Tunnel(Line, do="tunnel"):
    """Fly through the sun, from the innermost orbit to the outermost.

    Example: ``{"do": "tunnel", "player": "red"}``
    """

    player: Seat


@dataclass(frozen=True)
class Load(Line, do="load"):
    """Load all goods for the planet *to* into an empty container.

    Example: ``{"do": "load", "player": "red", "to": "p2"}``
    """

    player: Seat
    to: Planet


@dataclass(frozen=True)
class Unload(Line, do="unload"):
    """Unload a whole container at its destination.

    Example: ``{"do": "unload", "player": "red", "container": 0}``
    """

    player: Seat
    container: Container


@dataclass(frozen=True)
class Flip(Line, do="flip"):
    """Turn over the unloaded goods. *cards* are their other sides, *leave* is the pair that leaves the game.

    Example: ``{"do": "flip", "player": "red", "cards": [{"to": "p2", "value": 2}], "leave": [0, 2]}``
    """

    player: Seat
    cards: Annotated[tuple[CardSide, ...], Sides()]
    leave: Annotated[Pair | None, TwoThatLeave(0, ALL_GOODS - 1)] = None


@dataclass(frozen=True)
class Buy(Line, do="buy"):
    """Buy a technology from the hand.

    Example: ``{"do": "buy", "player": "red", "card": "container"}``
    """

    player: Seat
    card: Annotated[str, OneOf(*TECHNOLOGIES)]


@dataclass(frozen=True)
class Intervene(Line, do="intervene"):
    """Play an intervention from the hand, with the choices that its card needs.

    Example: ``{"do": "intervene", "player": "red", "card": "inner_loading", "planet": "p1", "to": "p4"}``
    """

    player: Seat
    card: Annotated[str, OneOf(*INTERVENTIONS)]
    choices: Annotated[Choices, ChoicesForm()] = None


@dataclass(frozen=True)
class Allow(Line, do="allow"):
    """The opponent lets the intervention happen.

    Example: ``{"do": "allow", "player": "blue"}``
    """

    player: Seat


@dataclass(frozen=True)
class Neutralise(Line, do="neutralise"):
    """The opponent discards the same card, so the intervention has no effect.

    Example: ``{"do": "neutralise", "player": "red"}``
    """

    player: Seat


@dataclass(frozen=True)
class EndTurn(Line, do="end_turn"):
    """End the turn: discard cards (None is an unnamed card), then draw *draw* cards (None means as many as allowed).

    Example: ``{"do": "end_turn", "player": "red", "discard": ["agent", null], "draw": 2}``
    """

    player: Seat
    discard: Annotated[tuple[str | None, ...], Discards()] = ()
    draw: Annotated[int | None, Whole(0, HAND_LIMIT)] = None


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """Correct the state to match the table.

    Example: ``{"do": "correct", "player": "red", "reason": "", "place": "o1"}``
    """

    player: Seat
    reason: Annotated[str, Text(empty=True)]
    what: Annotated[Correction, CorrectionForm()]


Command = (
    LayGoods
    | Choose
    | Start
    | Hyperjump
    | Roll
    | Fly
    | Tunnel
    | Load
    | Unload
    | Flip
    | Buy
    | Intervene
    | Allow
    | Neutralise
    | EndTurn
    | Correct
)
PARSER: Parser[Command] = Parser.of(Command)
parse, line_of = PARSER.parse, PARSER.line_of
