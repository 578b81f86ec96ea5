"""Corrections by hand: each game declares the fields that can be corrected, and one page shows them for every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.kernel.i18n import Said
from companion.kernel.validation import Line
from companion.kernel.values import dataclass

REASON = "put right by hand"
"""The reason in a line that corrects something on the page."""
Path = tuple[str, ...]
"""The path to a field in a line: its name, preceded by the name of the object that contains it, if any."""


@dataclass(frozen=True)
class Count:
    """A number of a player that can be corrected in steps of one.

    - *now*: returns the number in a state for a player's colour; *least* and *most*: its bounds.
    - *by_fives*: steps of five are offered too.
    - *printed*: the board's text at each number, and *unit* its unit.
    """

    path: Path
    label: Said
    now: Callable[[Any, str], int]
    least: int
    most: int
    by_fives: bool = False
    printed: tuple[int, ...] = ()
    unit: str = ""


@dataclass(frozen=True)
class Way:
    """One value of a `Choice`: the word on its button, and a fuller text for people who don't see its surroundings."""

    value: str | int
    word: str
    in_full: str = ""


@dataclass(frozen=True)
class Choice:
    """A value of a player, one of *ways*; *now* returns the value in a state, None if it is hidden."""

    path: Path
    label: Said
    ways: tuple[Way, ...]
    now: Callable[[Any, str], str | int] | None = None


@dataclass(frozen=True)
class Group:
    """Fields under one *title*, a pattern with the player's `%(name)s`.

    *held* returns how many things the fields are about. If there are none, the group is hidden. Fields at their lowest
    value that can't be increased are hidden too.

    *shared*: the fields belong to the whole table. Their lines have no `player`, and *now* gets "" for the colour.
    """

    title: Said
    fields: tuple[Count | Choice, ...]
    note: str = ""
    held: Callable[[Any, str], int] | None = None
    shared: bool = False


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
