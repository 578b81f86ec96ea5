"""Record lines and commands of Andromeda: each is the other, written differently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.andromeda import commands as asked
from companion.games.andromeda.board import CENTRES, PLANETS
from companion.games.andromeda.commands import Amount, CardSet, Command, Credits, StationMove
from companion.games.andromeda.state import CARDS_OF_A_PLANET, CREDIT_SUPPLY, KINDS, PLANET_CARDS, TOP_LEVEL
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, Line, shown, whole
from companion.model.parser import Parser, as_they_are, of_player, only_one

CENTRE_PLACES = tuple(f"{planet}/{slot}" for planet in PLANETS for slot in range(CENTRES))
PLACES = ("earth", *PLANETS, *CENTRE_PLACES)
MOVES = ("to_planet", "to_earth", "pass")
AMOUNTS = {"ship": (1, TOP_LEVEL), "technology": (1, TOP_LEVEL), "transport": (0, 2), "hand": (0, None)}
CORRECTIONS = ("move", *AMOUNTS, "bonus")


def _set_up(fields: Fields) -> Command:
    player = fields.text("player")
    cards = Fields(fields.take("cards"), "cards")
    counts = tuple(cards.whole(planet, 0, CARDS_OF_A_PLANET) if cards.has(planet) else 0 for planet in PLANETS)
    cards.nothing_else()
    return asked.SetUp(player, counts)


def _transport(fields: Fields) -> Command:
    player, move = fields.text("player"), fields.word("move", MOVES)
    if move == "pass":
        _planet_of_a_pass(fields)
        return asked.Transport(player, move)
    return asked.Transport(player, move, fields.word("planet", PLANETS))


def _planet_of_a_pass(fields: Fields) -> None:
    """Read over the planet that a pass may name: it goes nowhere all the same."""
    planet = fields.take("planet", None)
    if planet not in (None, *PLANETS):
        raise Malformed(
            said("planet must be one of %(words)s, not %(given)s", words=", ".join(PLANETS), given=shown(planet))
        )


def _lay(fields: Fields) -> Command:
    player, card = fields.text("player"), fields.take("card")
    if card is not None and (not isinstance(card, str) or card not in (*PLANETS, *KINDS)):
        raise Malformed(said("card must be a planet, a credit or null, not %(given)s", given=shown(card)))
    return asked.Lay(player, card)


def _card_set(fields: Fields) -> CardSet:
    planet = fields.word("planet", PLANETS)
    return CardSet(planet, fields.whole("cards", 0), fields.words("jokers", KINDS, default=[]))


def _move(fields: Fields) -> Command:
    player, cards = fields.text("player"), _card_set(fields)
    return asked.Move(player, cards, fields.whole("stations", 0), fields.flag("bonus", True))


def _played(kind: type[asked.Establish | asked.Ship | asked.Technology]) -> Callable[[Fields], Command]:
    return lambda fields: kind(fields.text("player"), _card_set(fields), fields.flag("bonus", True))


def _double_exit(fields: Fields) -> Command:
    colours = fields.list("colours")
    if len(colours) != len({0, 1}) or not all(isinstance(colour, str) for colour in colours):
        raise Malformed(said("colours must name two colours"))
    out = fields.text("out") if fields.has("out") else None
    return asked.DoubleExit((colours[0], colours[1]), out)


def _correct(fields: Fields) -> Command:
    player, reason = fields.text("player"), fields.text("reason")
    of = only_one(fields, CORRECTIONS)
    return asked.Correct(player, reason, _correction(of, fields.take(of)))


def _correction(of: str, value: object) -> StationMove | Credits | Amount:
    if of == "move":
        move = Fields(value, "move")
        moved = StationMove(move.word("from", PLACES), move.word("to", PLACES), move.whole("count", 1))
        move.nothing_else()
        return moved
    if of == "bonus":
        credits = Fields(value, "bonus")
        held = tuple((kind, credits.whole(kind, 0, CREDIT_SUPPLY[kind])) for kind in KINDS if credits.has(kind))
        credits.nothing_else()
        if not held:
            raise Malformed(said("bonus must name at least one kind of credit"))
        return Credits(held)
    least, greatest = AMOUNTS[of]
    return Amount(of, whole(value, of, least or 0, greatest or PLANET_CARDS + sum(CREDIT_SUPPLY.values())))


_READERS: dict[str, Callable[[Fields], Command]] = {
    "setup": _set_up,
    "deal": lambda fields: asked.Deal(),
    "transport": _transport,
    "lay": _lay,
    "excuse": of_player(asked.Excuse),
    "swap": lambda fields: asked.Swap(fields.text("player"), fields.text("with")),
    "keep": of_player(asked.Keep),
    "leave": of_player(asked.Leave),
    "take_back": of_player(asked.TakeBack),
    "end_trading": lambda fields: asked.EndTrading(),
    "exchange": lambda fields: asked.Exchange(fields.text("player"), fields.whole("cards", 0)),
    "move": _move,
    "establish": _played(asked.Establish),
    "draw": lambda fields: asked.Draw(fields.text("colour")),
    "double_exit": _double_exit,
    "stop_drawing": of_player(asked.StopDrawing),
    "ship": _played(asked.Ship),
    "technology": _played(asked.Technology),
    "end_turn": of_player(asked.EndTurn),
    "correct": _correct,
}


def _set_line(command: Any) -> Line:
    line: dict[str, object] = {"player": command.player, "planet": command.set.planet, "cards": command.set.cards}
    if command.set.jokers:
        line["jokers"] = list(command.set.jokers)
    if not command.bonus:
        line["bonus"] = False
    return line


def _set_up_line(command: Any) -> Line:
    cards = {planet: count for planet, count in zip(PLANETS, command.cards, strict=True) if count}
    return {"player": command.player, "cards": cards}


def _transport_line(command: Any) -> Line:
    line = {"player": command.player, "move": command.move}
    return line if command.planet is None else {**line, "planet": command.planet}


def _double_exit_line(command: Any) -> Line:
    line: dict[str, object] = {"colours": list(command.colours)}
    return line if command.out is None else {**line, "out": command.out}


def _correct_line(command: Any) -> Line:
    line: dict[str, object] = {"player": command.player, "reason": command.reason}
    match command.what:
        case StationMove(source, target, count):
            line["move"] = {"from": source, "to": target, "count": count}
        case Credits(held):
            line["bonus"] = dict(held)
        case Amount(of, amount):
            line[of] = amount
    return line


_WRITERS: dict[type, tuple[str, Callable[[Any], Line]]] = {
    asked.SetUp: ("setup", _set_up_line),
    asked.Deal: ("deal", lambda command: {}),
    asked.Transport: ("transport", _transport_line),
    asked.Lay: ("lay", as_they_are("player", "card")),
    asked.Excuse: ("excuse", as_they_are("player")),
    asked.Swap: ("swap", lambda command: {"player": command.player, "with": command.partner}),
    asked.Keep: ("keep", as_they_are("player")),
    asked.Leave: ("leave", as_they_are("player")),
    asked.TakeBack: ("take_back", as_they_are("player")),
    asked.EndTrading: ("end_trading", lambda command: {}),
    asked.Exchange: ("exchange", as_they_are("player", "cards")),
    asked.Move: ("move", lambda command: {**_set_line(command), "stations": command.stations}),
    asked.Establish: ("establish", _set_line),
    asked.Draw: ("draw", as_they_are("colour")),
    asked.DoubleExit: ("double_exit", _double_exit_line),
    asked.StopDrawing: ("stop_drawing", as_they_are("player")),
    asked.Ship: ("ship", _set_line),
    asked.Technology: ("technology", _set_line),
    asked.EndTurn: ("end_turn", as_they_are("player")),
    asked.Correct: ("correct", _correct_line),
}
PARSER = Parser(_READERS, _WRITERS)
parse, line_of = PARSER.parse, PARSER.line_of
