"""Record lines and commands of a draw table: each is the other, written differently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.draws import commands as asked
from companion.games.draws.commands import Command
from companion.games.draws.cubes import Cubes, colour_from, counts_from, some
from companion.kernel.validation import Fields, Line
from companion.model.parser import Parser, only_one

PLACES = ("inside", "tower")


def _player(fields: Fields) -> str | None:
    return fields.text("player") if fields.has("player") else None


def _back(fields: Fields) -> bool | None:
    return fields.flag("back") if fields.has("back") else None


def _draw(fields: Fields) -> Command:
    if not fields.has("cubes"):
        colour = colour_from(fields.take("colour"), "colour")
        return asked.Draw(((colour, 1),), _player(fields), _back(fields))
    return asked.Draw(some(fields, "cubes"), _player(fields), _back(fields))


def _return(fields: Fields) -> Command:
    return asked.Return(some(fields, "cubes") if fields.has("cubes") else None, _player(fields))


def _of_cubes(kind: Callable[[Cubes, str | None], Command]) -> Callable[[Fields], Command]:
    return lambda fields: kind(some(fields, "cubes"), _player(fields))


def _correct(fields: Fields) -> Command:
    reason = fields.text("reason")
    place = only_one(fields, PLACES)
    return asked.Correct(reason, place, tuple(counts_from(fields.take(place), place).items()))


_READERS: dict[str, Callable[[Fields], Command]] = {
    "put": _of_cubes(asked.Put),
    "draw": _draw,
    "return": _return,
    "throw": _of_cubes(asked.Throw),
    "out": _of_cubes(asked.Out),
    "take": lambda fields: asked.Take(_player(fields), _back(fields)),
    "correct": _correct,
    "finish": lambda fields: asked.Finish(),
}


def _named(command: Any) -> Line:
    return {} if command.player is None else {"player": command.player}


def _cubes_line(command: Any) -> Line:
    return {"cubes": dict(command.cubes), **_named(command)}


def _back_line(command: Any) -> Line:
    return {} if command.back is None else {"back": command.back}


def _draw_line(command: Any) -> Line:
    what = command.cubes
    one = {"colour": what[0][0]} if len(what) == 1 and what[0][1] == 1 else {"cubes": dict(what)}
    return {**one, **_named(command), **_back_line(command)}


def _return_line(command: Any) -> Line:
    cubes = {} if command.cubes is None else {"cubes": dict(command.cubes)}
    return {**cubes, **_named(command)}


def _correct_line(command: Any) -> Line:
    return {"reason": command.reason, command.place: dict(command.counts)}


_WRITERS: dict[type, tuple[str, Callable[[Any], Line]]] = {
    asked.Put: ("put", _cubes_line),
    asked.Draw: ("draw", _draw_line),
    asked.Return: ("return", _return_line),
    asked.Throw: ("throw", _cubes_line),
    asked.Out: ("out", _cubes_line),
    asked.Take: ("take", lambda command: {**_named(command), **_back_line(command)}),
    asked.Correct: ("correct", _correct_line),
    asked.Finish: ("finish", lambda command: {}),
}
PARSER = Parser(_READERS, _WRITERS)
parse, line_of = PARSER.parse, PARSER.line_of
