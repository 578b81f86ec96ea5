"""Record lines and commands of the wreck: each is the other, written differently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.wreck import commands as asked
from companion.games.wreck.cards import GENERAL, PERSONAL, RESEARCHERS, TELEPORTER, card_from, card_json
from companion.games.wreck.change_lines import changes_from, changes_json, symbol_or_none
from companion.games.wreck.commands import Command, Step
from companion.games.wreck.dice import ACTIONS, SYMBOLS
from companion.games.wreck.header import cell_from
from companion.games.wreck.rooms import ROOMS
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, Line
from companion.model.parser import Parser, as_they_are, of_player

MISSIONS = (*GENERAL, PERSONAL)


def _roll(fields: Fields) -> Command:
    player, dice = fields.text("player"), fields.words("dice", SYMBOLS)
    rerolls = fields.list("rerolls", [])
    read = tuple(Fields({"dice": each}, f"rerolls[{at}]").words("dice", SYMBOLS) for at, each in enumerate(rerolls))
    return asked.Roll(player, dice, read)


def _contaminate(fields: Fields) -> Command:
    player, vaccines = fields.text("player"), fields.whole("vaccines", 0)
    remove = fields.words("remove", ROOMS)
    return asked.Contaminate(player, vaccines, remove, fields.whole("place", 0) if fields.has("place") else 0)


def _die(fields: Fields) -> tuple[str, str]:
    return fields.text("player"), fields.word("die", ACTIONS)


def _steps(fields: Fields, name: str) -> tuple[Step, ...]:
    return tuple(_pair(step, f"{name}[{at}]", ROOMS) for at, step in enumerate(fields.list(name)))


def _pair(value: object, where: str, words: Any = None) -> Step:
    """Read two texts, the second of them a room and the first too where *words* says so."""
    if not isinstance(value, list | tuple) or len(value) != len(("one", "other")):
        raise Malformed(said("%(where)s must be a pair", where=where))
    pair = Fields(dict(zip(("0", "1"), value, strict=True)), where)
    first = pair.text("0") if words is None else pair.word("0", words)
    return (first, pair.word("1", ROOMS))


def _explore(fields: Fields) -> Command:
    (player, die), source = _die(fields), fields.word("from", ROOMS)
    return asked.Explore(player, die, source, cell_from(fields.take("cell"), "cell"), fields.word("room", ROOMS))


def _technology(fields: Fields) -> Command:
    player, id = fields.text("player"), ""
    fields.word("die", ("technology",))
    id = fields.text("id")
    if id != TELEPORTER:
        return asked.Technology(player, id, changes_from(fields, "effects"))
    room = fields.take("room")
    if room is None:
        return asked.Teleport(player, None)
    return asked.Teleport(player, Fields({"room": room}).word("room", ROOMS))


def _communications(fields: Fields) -> Command:
    player = fields.text("player")
    if fields.has("train"):
        fields.whole("train", 1, 1)
        return asked.Communications(player, None)
    return asked.Communications(player, fields.words("to", ROOMS))


def _reactor(fields: Fields) -> Command:
    player, swap = fields.text("player"), fields.list("swap")
    if len(swap) != len(("one", "other")):
        raise Malformed(said("swap must be two researchers, each as [colour, room]"))
    return asked.Reactor(player, (_pair(swap[0], "swap[0]"), _pair(swap[1], "swap[1]")))


def _fulfil(fields: Fields) -> Command:
    player, mission = fields.text("player"), fields.word("mission", MISSIONS)
    sacrifice = fields.words("sacrifice", ROOMS)
    if not fields.has("card"):
        return asked.Fulfil(player, mission, sacrifice)
    card = card_from(fields.take("card"), "card")
    if card is None:
        raise Malformed(said("card must be what the mission says, not null"))
    return asked.Fulfil(player, mission, sacrifice, card)


def _correct(fields: Fields) -> Command:
    player, reason = fields.text("player"), fields.text("reason", empty=True)
    return asked.Correct(player, reason, changes_from(fields, "effects"))


_READERS: dict[str, Callable[[Fields], Command]] = {
    "open": lambda fields: asked.Open(card_from(fields.take("card"), "card")),
    "exchange": of_player(asked.Exchange),
    "roll": _roll,
    "offer": lambda fields: asked.Offer(fields.text("player"), fields.words("dice", SYMBOLS)),
    "accept": lambda fields: asked.Accept(fields.text("player"), symbol_or_none(fields, "die")),
    "decline": of_player(asked.Decline),
    "contaminate": _contaminate,
    "train": lambda fields: asked.Train(*_die(fields), fields.whole("count", 0, RESEARCHERS)),
    "call": lambda fields: asked.Call(*_die(fields), fields.words("to", ROOMS)),
    "move": lambda fields: asked.Move(*_die(fields), _steps(fields, "steps")),
    "explore": _explore,
    "technology": _technology,
    "armoury": lambda fields: asked.Armoury(fields.text("player"), fields.text("colour"), fields.word("from", ROOMS)),
    "hangar": lambda fields: asked.Hangar(fields.text("player"), fields.word("to", ROOMS)),
    "quarters": lambda fields: asked.Quarters(fields.text("player"), _steps(fields, "steps")),
    "communications": _communications,
    "bridge": of_player(asked.Bridge),
    "reactor": _reactor,
    "fulfil": _fulfil,
    "end_turn": of_player(asked.EndTurn),
    "correct": _correct,
}


_player_line, _die_line = as_they_are("player"), as_they_are("player", "die")


def _steps_line(steps: tuple[Step, ...]) -> dict[str, Any]:
    return {"steps": [list(step) for step in steps]}


def _roll_line(command: Any) -> Line:
    line = {"player": command.player, "dice": list(command.dice)}
    return {**line, "rerolls": [list(each) for each in command.rerolls]} if command.rerolls else line


def _contaminate_line(command: Any) -> Line:
    line = {"player": command.player, "vaccines": command.vaccines, "remove": list(command.remove)}
    return {**line, "place": command.place} if command.place else line


def _explore_line(command: Any) -> Line:
    return {**_die_line(command), "from": command.source, "cell": list(command.cell), "room": command.room}


def _teleport_line(command: Any) -> Line:
    return {"player": command.player, "die": "technology", "id": TELEPORTER, "room": command.room}


def _technology_line(command: Any) -> Line:
    line = {"player": command.player, "die": "technology", "id": command.id}
    return {**line, "effects": changes_json(command.effects)}


def _communications_line(command: Any) -> Line:
    return {**_player_line(command), **({"train": 1} if command.to is None else {"to": list(command.to)})}


def _fulfil_line(command: Any) -> Line:
    line = {"player": command.player, "mission": command.mission, "sacrifice": list(command.sacrifice)}
    return line if command.card is None else {**line, "card": card_json(command.card)}


def _correct_line(command: Any) -> Line:
    return {"player": command.player, "reason": command.reason, "effects": changes_json(command.effects)}


_WRITERS: dict[type, tuple[str, Callable[[Any], Line]]] = {
    asked.Open: ("open", lambda command: {"card": card_json(command.card)}),
    asked.Exchange: ("exchange", _player_line),
    asked.Roll: ("roll", _roll_line),
    asked.Offer: ("offer", lambda command: {"player": command.player, "dice": list(command.dice)}),
    asked.Accept: ("accept", _die_line),
    asked.Decline: ("decline", _player_line),
    asked.Contaminate: ("contaminate", _contaminate_line),
    asked.Train: ("train", lambda command: {**_die_line(command), "count": command.count}),
    asked.Call: ("call", lambda command: {**_die_line(command), "to": list(command.to)}),
    asked.Move: ("move", lambda command: {**_die_line(command), **_steps_line(command.steps)}),
    asked.Explore: ("explore", _explore_line),
    asked.Teleport: ("technology", _teleport_line),
    asked.Technology: ("technology", _technology_line),
    asked.Armoury: (
        "armoury",
        lambda command: {"player": command.player, "colour": command.colour, "from": command.source},
    ),
    asked.Hangar: ("hangar", lambda command: {"player": command.player, "to": command.to}),
    asked.Quarters: ("quarters", lambda command: {**_player_line(command), **_steps_line(command.steps)}),
    asked.Communications: ("communications", _communications_line),
    asked.Bridge: ("bridge", _player_line),
    asked.Reactor: (
        "reactor",
        lambda command: {**_player_line(command), "swap": [list(each) for each in command.swap]},
    ),
    asked.Fulfil: ("fulfil", _fulfil_line),
    asked.EndTurn: ("end_turn", _player_line),
    asked.Correct: ("correct", _correct_line),
}
PARSER = Parser(_READERS, _WRITERS)
parse, line_of = PARSER.parse, PARSER.line_of
