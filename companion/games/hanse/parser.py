"""Record lines and commands of Die Kosmische Hanse: each is the other, written differently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from companion.games.hanse import commands as asked
from companion.games.hanse.cards import CARDS, HAND_LIMIT, INTERVENTIONS, TECHNOLOGIES
from companion.games.hanse.commands import Amount, Choices, Command, Correction, Counts, GoodsAt, Held, Standing
from companion.games.hanse.goods import ALL_GOODS, VALUES, Cargo, Goods, Pair, Side
from companion.games.hanse.interventions import WITHIN
from companion.games.hanse.places import PLACES, PLANETS
from companion.games.hanse.state import DIRECTIONS, GOAL
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, Line, shown
from companion.model.parser import Parser, as_they_are, of_player, only_one

PIPS = 6
LAST_CONTAINER = TECHNOLOGIES["container"]
"""Numbers from 0, the Start card's, to this."""
TAKES = ("first", "planet")
EXCHANGING = "on_board_transmitter"
CHOICES: dict[str, type[asked.Loading | asked.Exchange]] = {
    **dict.fromkeys(WITHIN, asked.Loading),
    EXCHANGING: asked.Exchange,
}
"""What the cards ask to be named that ask for anything."""
CORRECTIONS = ("megagalax", "place", "hand", "technologies", "discards", "goods", "container")
COUNTED = {"technologies": TECHNOLOGIES, "discards": CARDS}


def side_from(value: object, where: str) -> Side:
    """Return one side of a goods card, or raise `Malformed`."""
    fields = Fields(value, where)
    side = _side(fields)
    fields.nothing_else()
    return side


def goods_from(value: object, where: str) -> Goods:
    """Return a goods card as it lies, its back None where it is left out, or raise `Malformed`."""
    fields = Fields(value, where)
    side, back = _side(fields), fields.take("back", None)
    fields.nothing_else()
    return Goods(side.to, side.value, None if back is None else side_from(back, f"{where}.back"))


def side_line(side: Side) -> dict[str, Any]:
    """Return a side as records write it."""
    return {"to": side.to, "value": side.value}


def goods_line(card: Goods) -> dict[str, Any]:
    """Return a goods card as records write it."""
    return {**side_line(card.side), "back": None if card.back is None else side_line(card.back)}


def correction_from(of: str, fields: Fields) -> Correction:
    """Return what the field *of* corrects, or raise `Malformed`."""
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
    """Return a correction as the one field that records write; `correction_from` gives it back."""
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
    """Return what *card* asks to be named, or raise `Malformed`."""
    if card in WITHIN:
        return asked.Loading(fields.word("planet", PLANETS), fields.word("to", PLANETS))
    if card == EXCHANGING:
        return asked.Exchange(_container(fields, "mine"), _container(fields, "theirs"))
    return None


def choices_line(choices: Choices) -> dict[str, Any]:
    """Return the choices of a card as records write them."""
    match choices:
        case asked.Loading(planet, to):
            return {"planet": planet, "to": to}
        case asked.Exchange(mine, theirs):
            return {"mine": mine, "theirs": theirs}
        case None:
            return {}
        case _:
            assert_never(choices)


def _side(fields: Fields) -> Side:
    return Side(fields.word("to", PLANETS), fields.whole("value", *VALUES))


def _sides(fields: Fields) -> tuple[Side, ...]:
    where = fields.where("cards")
    return tuple(side_from(each, f"{where}[{at}]") for at, each in enumerate(fields.list("cards")))


def _cargo(values: list[Any], where: str) -> Cargo:
    if len(values) > ALL_GOODS:
        raise Malformed(said("%(where)s must have at most %(most)s cards", where=where, most=ALL_GOODS))
    return tuple(goods_from(each, f"{where}[{at}]") for at, each in enumerate(values))


def _container(fields: Fields, name: str) -> int:
    return fields.whole(name, 0, LAST_CONTAINER)


def _flip(fields: Fields) -> Command:
    player, cards = fields.text("player"), _sides(fields)
    return asked.Flip(player, cards, _leave(fields) if fields.has("leave") else None)


def _leave(fields: Fields) -> Pair:
    numbers = fields.whole_numbers("leave", 0, ALL_GOODS - 1)
    if len(numbers) != len({"one", "other"}) or numbers[0] >= numbers[1]:
        raise Malformed(said("leave must be two numbers, the smaller one first"))
    return numbers[0], numbers[1]


def _dice(fields: Fields) -> tuple[int, ...]:
    dice = fields.whole_numbers("dice", 1, PIPS)
    if not dice:
        raise Malformed(said("dice must have at least one number"))
    return dice


def _intervene(fields: Fields) -> Command:
    player, card = fields.text("player"), fields.word("card", INTERVENTIONS)
    return asked.Intervene(player, card, choices_from(card, fields))


def _end_turn(fields: Fields) -> Command:
    player = fields.text("player")
    discard = tuple(_card_or_none(card) for card in fields.list("discard", []))
    return asked.EndTurn(player, discard, fields.whole("draw", 0, HAND_LIMIT) if fields.has("draw") else None)


def _card_or_none(value: object) -> str | None:
    if value is None or (isinstance(value, str) and value in CARDS):
        return value
    raise Malformed(said("discard must be cards or null, not %(given)s", given=shown(value)))


def _correct(fields: Fields) -> Command:
    player, reason = fields.text("player"), fields.text("reason", empty=True)
    return asked.Correct(player, reason, correction_from(only_one(fields, CORRECTIONS), fields))


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


_READERS: dict[str, Callable[[Fields], Command]] = {
    "goods": lambda fields: asked.LayGoods(fields.word("planet", PLANETS), _sides(fields)),
    "choose": lambda fields: asked.Choose(fields.text("player"), fields.word("take", TAKES)),
    "start": lambda fields: asked.Start(fields.text("player"), fields.word("planet", PLANETS)),
    "hyperjump": lambda fields: asked.Hyperjump(fields.text("player"), fields.word("direction", DIRECTIONS)),
    "roll": lambda fields: asked.Roll(fields.text("player"), _dice(fields)),
    "fly": lambda fields: asked.Fly(fields.text("player"), fields.word("to", PLACES)),
    "tunnel": of_player(asked.Tunnel),
    "load": lambda fields: asked.Load(fields.text("player"), fields.word("to", PLANETS)),
    "unload": lambda fields: asked.Unload(fields.text("player"), _container(fields, "container")),
    "flip": _flip,
    "buy": lambda fields: asked.Buy(fields.text("player"), fields.word("card", TECHNOLOGIES)),
    "intervene": _intervene,
    "allow": of_player(asked.Allow),
    "neutralise": of_player(asked.Neutralise),
    "end_turn": _end_turn,
    "correct": _correct,
}


def _flip_line(command: Any) -> Line:
    line = {"player": command.player, "cards": [side_line(side) for side in command.cards]}
    return line if command.leave is None else {**line, "leave": list(command.leave)}


def _end_turn_line(command: Any) -> Line:
    line: dict[str, object] = {"player": command.player}
    if command.discard:
        line["discard"] = list(command.discard)
    return line if command.draw is None else {**line, "draw": command.draw}


_WRITERS: dict[type, tuple[str, Callable[[Any], Line]]] = {
    asked.LayGoods: (
        "goods",
        lambda command: {"planet": command.planet, "cards": [side_line(side) for side in command.cards]},
    ),
    asked.Choose: ("choose", as_they_are("player", "take")),
    asked.Start: ("start", as_they_are("player", "planet")),
    asked.Hyperjump: ("hyperjump", as_they_are("player", "direction")),
    asked.Roll: ("roll", lambda command: {"player": command.player, "dice": list(command.dice)}),
    asked.Fly: ("fly", as_they_are("player", "to")),
    asked.Tunnel: ("tunnel", as_they_are("player")),
    asked.Load: ("load", as_they_are("player", "to")),
    asked.Unload: ("unload", as_they_are("player", "container")),
    asked.Flip: ("flip", _flip_line),
    asked.Buy: ("buy", as_they_are("player", "card")),
    asked.Intervene: (
        "intervene",
        lambda command: {"player": command.player, "card": command.card, **choices_line(command.choices)},
    ),
    asked.Allow: ("allow", as_they_are("player")),
    asked.Neutralise: ("neutralise", as_they_are("player")),
    asked.EndTurn: ("end_turn", _end_turn_line),
    asked.Correct: (
        "correct",
        lambda command: {"player": command.player, "reason": command.reason, **correction_line(command.what)},
    ),
}
PARSER = Parser(_READERS, _WRITERS)
parse, line_of = PARSER.parse, PARSER.line_of
