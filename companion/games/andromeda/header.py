"""The header of a record of Andromeda: the players, the options and the board."""

from __future__ import annotations

from companion.games.andromeda.board import EXAMPLE, board_from
from companion.games.andromeda.options import RULINGS, Options, options_from
from companion.games.andromeda.state import STOCK, Setting
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.model.header import HeaderFields, colours_of, own_fields, pass_over_seed, seats_from

FIELDS = HeaderFields("andromeda", tuple(STOCK), "first", RULINGS)


def setting_from(header: Line) -> Setting:
    """Parse *header*, or raise `Malformed`, which names the wrong field.

    This function checks `players` and `first`, and `options`, `board` and `seed` if they are present. Fields that all
    games share are ignored here, since the record checks them.
    """
    fields = own_fields(header)
    seats = seats_from(fields)
    if len(seats) not in FIELDS.counts:
        raise Malformed(said("players: Andromeda is for 3 to 5 players, not %(count)s", count=len(seats)))
    colours = colours_of(seats)
    first = fields.word(FIELDS.first, colours)
    options = options_from(fields.take("options")) if fields.has("options") else Options()
    board = board_from(fields.take("board")) if fields.has("board") else EXAMPLE
    pass_over_seed(fields)
    fields.nothing_else()
    return Setting(seats, first, options, board)
