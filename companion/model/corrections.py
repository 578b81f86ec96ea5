"""What a table can put right by hand: each game declares the fields, and one page shows those of every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.kernel.i18n import Said
from companion.kernel.validation import Line
from companion.kernel.values import dataclass

REASON = "put right by hand"
"""The reason that a line gives when the table corrects something on the page."""
Path = tuple[str, ...]
"""Where a line has a field: its name, and where several lie below that name, the field's own."""


@dataclass(frozen=True)
class Count:
    """A number of a player, put right in steps of one.

    - *now*: the number in a state, by the player's colour; *least* and *most*: its bounds.
    - *by_fives*: also in steps of five.
    - *printed*: what the board says at each number, and *unit* what that is.
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
    """One value of a `Choice`: the word on its button, and the words for people who don't see what is next to it."""

    value: str | int
    word: str
    in_full: str = ""


@dataclass(frozen=True)
class Choice:
    """A value of a player, one of *ways*; *now* is the value in a state, None where it is hidden."""

    path: Path
    label: Said
    ways: tuple[Way, ...]
    now: Callable[[Any, str], str | int] | None = None


@dataclass(frozen=True)
class Group:
    """Fields under one *title*, a pattern with the player's `%(name)s`.

    *held*: how many things the fields are about. The group shows while there are any, without the fields at their least
    that can't go up.
    """

    title: Said
    fields: tuple[Count | Choice, ...]
    note: str = ""
    held: Callable[[Any, str], int] | None = None


def correction(player: str, path: Path, value: object) -> Line:
    """Return the line that puts the field at *path* right.

    >>> correction("red", ("technologies", "container"), 2)
    {'do': 'correct', 'player': 'red', 'reason': 'put right by hand', 'technologies': {'container': 2}}
    """
    name, *below = path
    for each in reversed(below):
        value = {each: value}
    return {"do": "correct", "player": player, "reason": REASON, name: value}
