"""What can be asked of a draw table: each command as a frozen value."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from companion.games.draws.cubes import Cubes, colour_from, counts_from, some
from companion.kernel.validation import Fields
from companion.kernel.values import dataclass
from companion.model.forms import Flag, Form, Known, Text
from companion.model.parser import Line, Parser, only_one

PLACES = ("inside", "tower")


class Handful(Form):
    """Cubes by colour, one at least. Example: ``{"red": 2, "blue": 1}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Cubes:
        """Take the cubes."""
        return some(fields, name)

    def write(self, line: dict[str, Any], name: str, value: Cubes) -> None:
        """Put the cubes."""
        line[name] = dict(value)


class OneCubeOrMore(Handful):
    """Cubes that came out at once: a single one by its ``"colour": "red"``, several as ``"cubes": {"red": 2}``."""

    def read(self, fields: Fields, name: str, known: Known) -> Cubes:
        """Take what came out."""
        return some(fields, name) if fields.has(name) else ((colour_from(fields.take("colour"), "colour"), 1),)

    def write(self, line: dict[str, Any], name: str, value: Cubes) -> None:
        """Put what came out."""
        if len(value) == 1 and value[0][1] == 1:
            line["colour"] = value[0][0]
        else:
            super().write(line, name, value)


class Counted(NamedTuple):
    """What really is in a *place*, `inside` or `tower`: how many of each colour that is named."""

    place: str
    counts: Cubes


class CountedForm(Form):
    """The field of the place that was counted. Example: ``"inside": {"red": 3}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Counted:
        """Take the one field."""
        place = only_one(fields, PLACES)
        return Counted(place, tuple(counts_from(fields.take(place), place).items()))

    def write(self, line: dict[str, Any], name: str, value: Counted) -> None:
        """Put the one field."""
        line[value.place] = dict(value.counts)


Cubed = Annotated[Cubes, Handful()]
WhoseIfAny = Annotated[str | None, Text()]


@dataclass(frozen=True)
class Put(Line, do="put"):
    """Put new cubes inside.

    Example: ``{"do": "put", "cubes": {"red": 3}}``
    """

    cubes: Cubed
    player: WhoseIfAny = None


@dataclass(frozen=True)
class Draw(Line, do="draw"):
    """Note what came out at once; *player* None: whoever has the ring, *back* None: as the table has it.

    Example: ``{"do": "draw", "colour": "red"}``
    """

    cubes: Annotated[Cubes, OneCubeOrMore()]
    player: WhoseIfAny = None
    back: Annotated[bool | None, Flag()] = None


@dataclass(frozen=True)
class Return(Line, do="return"):
    """Put cubes that were drawn back inside; *cubes* None: all of them, *player* None: whoever holds them.

    Example: ``{"do": "return"}``
    """

    cubes: Annotated[Cubes | None, Handful()] = None
    player: WhoseIfAny = None


@dataclass(frozen=True)
class Throw(Line, do="throw"):
    """Throw cubes into the tower.

    Example: ``{"do": "throw", "cubes": {"red": 1}}``
    """

    cubes: Cubed
    player: WhoseIfAny = None


@dataclass(frozen=True)
class Out(Line, do="out"):
    """Note what came out of the tower.

    Example: ``{"do": "out", "cubes": {"red": 1}}``
    """

    cubes: Cubed
    player: WhoseIfAny = None


@dataclass(frozen=True)
class Take(Line, do="take"):
    """Hand the ring over: *player* draws from now on (None: nobody in particular), *back*: cubes go back at once.

    Example: ``{"do": "take", "player": "Anna"}``
    """

    player: WhoseIfAny = None
    back: Annotated[bool | None, Flag()] = None


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """Bring counts to what is there.

    Example: ``{"do": "correct", "reason": "x", "inside": {"red": 1, "blue": 0}}``
    """

    reason: Annotated[str, Text()]
    what: Annotated[Counted, CountedForm()]


@dataclass(frozen=True)
class Finish(Line, do="finish"):
    """End it.

    Example: ``{"do": "finish"}``
    """


Command = Put | Draw | Return | Throw | Out | Take | Correct | Finish
PARSER: Parser[Command] = Parser.of(Command)
parse, line_of = PARSER.parse, PARSER.line_of
