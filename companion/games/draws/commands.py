"""The commands of a draw table: one frozen class each, and the parser of their lines."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from companion.games.draws.cubes import Cubes, colour_from, counts_from, some
from companion.kernel.fields import Fields
from companion.kernel.values import dataclass
from companion.model.parser import Flag, Form, Known, Line, Parser, Text, only_one

PLACES = ("inside", "tower")


class Handful(Form):
    """The field form for at least one cube, by colour. Example: ``{"red": 2, "blue": 1}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Cubes:
        """Read the cubes from field *name*."""
        return some(fields, name)

    def write(self, line: dict[str, Any], name: str, value: Cubes) -> None:
        """Write the cubes to field *name*."""
        line[name] = dict(value)


class OneCubeOrMore(Handful):
    """Cubes that came out together: one cube as ``"colour": "red"``, several as ``"cubes": {"red": 2}``."""

    def read(self, fields: Fields, name: str, known: Known) -> Cubes:
        """Read the cubes from field *name* if the line has it, otherwise one cube from `colour`."""
        return some(fields, name) if fields.has(name) else ((colour_from(fields.take("colour"), "colour"), 1),)

    def write(self, line: dict[str, Any], name: str, value: Cubes) -> None:
        """Write a single cube to `colour`, and several to field *name*."""
        if len(value) == 1 and value[0][1] == 1:
            line["colour"] = value[0][0]
        else:
            super().write(line, name, value)


class Counted(NamedTuple):
    """The counted cubes of a *place* (`inside` or `tower`). The counts of missing colours do not change."""

    place: str
    counts: Cubes


class CountedForm(Form):
    """One field, named after the place that was counted. Example: ``"inside": {"red": 3}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Counted:
        """Read the only field that the line has, `inside` or `tower`."""
        place = only_one(fields, PLACES)
        return Counted(place, tuple(counts_from(fields.take(place), place).items()))

    def write(self, line: dict[str, Any], name: str, value: Counted) -> None:
        """Write the counts to the field named after the counted place."""
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
    """Record the cubes of one draw.

    If *player* is None, it is the player with the ring. If *back* is None, the cubes go back if the table plays that
    way.

    Example: ``{"do": "draw", "colour": "red"}``
    """

    cubes: Annotated[Cubes, OneCubeOrMore()]
    player: WhoseIfAny = None
    back: Annotated[bool | None, Flag()] = None


@dataclass(frozen=True)
class Return(Line, do="return"):
    """Put drawn cubes back inside.

    If *cubes* is None, put all of them back. If *player* is None, take them from all players who hold some.

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
    """Record which cubes came out of the tower.

    Example: ``{"do": "out", "cubes": {"red": 1}}``
    """

    cubes: Cubed
    player: WhoseIfAny = None


@dataclass(frozen=True)
class Take(Line, do="take"):
    """Give the ring to *player* (None means no particular player), and set whether drawn cubes go *back* at once.

    Example: ``{"do": "take", "player": "Anna"}``
    """

    player: WhoseIfAny = None
    back: Annotated[bool | None, Flag()] = None


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """Set the counts of one place to the numbers that the players have counted.

    Example: ``{"do": "correct", "reason": "x", "inside": {"red": 1, "blue": 0}}``
    """

    reason: Annotated[str, Text()]
    what: Annotated[Counted, CountedForm()]


@dataclass(frozen=True)
class Finish(Line, do="finish"):
    """Close the table.

    Example: ``{"do": "finish"}``
    """


Command = Put | Draw | Return | Throw | Out | Take | Correct | Finish
PARSER: Parser[Command] = Parser.of(Command)
parse, line_of = PARSER.parse, PARSER.line_of
