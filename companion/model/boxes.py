"""Physical copies of a game, and their calibrations.

They are used for many games, so their ledger rows belong to no game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.names import name_fault
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass
from companion.model.game import AnyGame

LONGEST_WORD = 60
MOST_COLOURS = 12


@dataclass(frozen=True)
class Copy:
    """One physical copy of a game. A new game takes its board and colours from it.

    *board* has the form of a board in a header; None means the example values. *colours* maps each colour of its cubes,
    as written in lines and calibrations, to the table's word for it.
    """

    name: str
    game: str
    board: Line | None = None
    colours: Mapping[str, str] = field(default_factory=dict)


def checked(copy: Copy, games: Mapping[str, AnyGame]) -> Copy:
    """Return *copy* as it is stored, or raise `Malformed` if it is invalid."""
    if copy.game not in games:
        raise Malformed(said("There's no game called %(name)s here.", name=repr(copy.game)))
    if not 2 <= len(copy.colours) <= MOST_COLOURS:
        count = len(copy.colours)
        raise Malformed(said("A copy has 2 to %(most)s colours, not %(count)s.", most=MOST_COLOURS, count=count))
    _check_word(copy.name, said("The name must have 1 to %(most)s characters.", most=LONGEST_WORD))
    for each in (name for pair in copy.colours.items() for name in pair):
        _check_word(each, said("The colour must have 1 to %(most)s characters.", most=LONGEST_WORD))
    if len(set(copy.colours.values())) != len(copy.colours):
        raise Malformed(said("Two colours have the same name. Give each its own."))
    return Copy(copy.name, copy.game, board_of(copy, games[copy.game]), dict(copy.colours))


def named(line: Line) -> str:
    """Return the name of the copy that a calibration was made for, or raise `Malformed`.

    Other fields are not checked.
    """
    try:
        json.dumps(line, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise Malformed(said("A calibration must be JSON.")) from None
    return Fields(line, "calibration").label("copy", LONGEST_WORD)


def board_of(copy: Copy, game: AnyGame) -> Line | None:
    """Return the board of *copy* in the form of a header of *game*, or raise `Malformed`."""
    if copy.board is None:
        return None
    if game.board is None:
        raise Malformed(said("board: a copy of %(name)s has no printed values", name=repr(copy.game)))
    return game.board.checked(copy.board)


def _check_word(word: object, otherwise: Said) -> None:
    if isinstance(word, str) and word and (fault := name_fault(word, LONGEST_WORD)) is not None:
        raise Malformed(fault)
    if not isinstance(word, str) or not word:
        raise Malformed(otherwise)
