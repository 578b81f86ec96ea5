"""Manual corrections. Each game declares the fields that can be corrected; one page serves all games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.kernel.fields import Line
from companion.kernel.said import Said
from companion.kernel.values import dataclass

REASON = "put right by hand"
"""The reason in every line that the page of corrections makes."""
Path = tuple[str, ...]
"""The path to a field in a line: its name, preceded by the name of the object that contains it, if any."""
Setter = Callable[[Any, str, Any], Line]
"""Returns the line that sets a field to a value, for a state and a player's colour."""


@dataclass(frozen=True)
class Count:
    """A number of a player that can be corrected in steps of one.

    - *now* is called with a state and a player's colour, and returns the number. *least* and *most* are its bounds.
    - *by_fives*: the page also offers steps of five.
    - *printed*: the value that the board prints at each number, in *unit*.
    - *line*: makes the line of a correction, for games whose lines don't have the new number at *path*.
    """

    path: Path
    label: Said
    now: Callable[[Any, str], int]
    least: int
    most: int
    by_fives: bool = False
    printed: tuple[int, ...] = ()
    unit: str = ""
    line: Setter | None = None


@dataclass(frozen=True)
class Way:
    """One value of a `Choice`: the word on its button, and a longer text for screen readers."""

    value: str | int
    word: str
    in_full: str = ""


@dataclass(frozen=True)
class Choice:
    """A value of a player that is one of *ways*.

    *now* is called with a state and a player's colour, and returns the value. *now* is None if the value is hidden.
    *line* makes the line of a correction, for games whose lines don't have the new value at *path*.
    """

    path: Path
    label: Said
    ways: tuple[Way, ...]
    now: Callable[[Any, str], str | int] | None = None
    line: Setter | None = None


@dataclass(frozen=True)
class Group:
    """Fields under one *title*, which may contain the placeholder `%(name)s` for the player.

    *held* returns how many things the player has that the fields describe. If it returns 0, the group is hidden. A
    field that is at its lowest value and can't be increased is hidden too.

    *shared*: the fields belong to the whole table. Their lines have no `player`, and *now* is called with "" as the
    colour.
    """

    title: Said
    fields: tuple[Count | Choice, ...]
    note: str = ""
    held: Callable[[Any, str], int] | None = None
    shared: bool = False


def line_for(field: Count | Choice, state: Any, player: str, value: object) -> Line:
    """Return the line that sets *field* of *player* to *value*."""
    return correction(player, field.path, value) if field.line is None else field.line(state, player, value)


def correction(player: str, path: Path, value: object) -> Line:
    """Return the line that corrects the field at *path*; it has no `player` if *player* is empty.

    >>> correction("red", ("technologies", "container"), 2)
    {'do': 'correct', 'player': 'red', 'reason': 'put right by hand', 'technologies': {'container': 2}}
    >>> correction("", ("total",), 12)
    {'do': 'correct', 'reason': 'put right by hand', 'total': 12}
    """
    name, *below = path
    for each in reversed(below):
        value = {each: value}
    whose = {"player": player} if player else {}
    return {"do": "correct", **whose, "reason": REASON, name: value}
