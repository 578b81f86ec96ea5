"""The header of a record of Die Kosmische Hanse: the players, the younger player, and the only option."""

from __future__ import annotations

from companion.games.hanse.state import Setting
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.said import said
from companion.model.header import HeaderFields, Ruling, colours_of, own_fields, pass_over_seed, seats_from

PLAYERS = 2
RESHUFFLE = Ruling(
    "reshuffle",
    said("When a draw pile is empty?"),
    (("on", said("Shuffle the discards")), ("off", said("It stays empty"))),
    flag=True,
)
FIELDS = HeaderFields("hanse", (PLAYERS,), "younger", (RESHUFFLE,))


def setting_from(header: Line) -> Setting:
    """Parse *header*, or raise `Malformed`, which names the wrong field.

    Fields that all games share are ignored here, since the record checks them.
    """
    fields = own_fields(header)
    seats = seats_from(fields)
    if len(seats) != PLAYERS:
        raise Malformed(said("players: Die Kosmische Hanse is for 2 players, not %(count)s", count=len(seats)))
    colours = colours_of(seats)
    younger = fields.word(FIELDS.first, colours)
    reshuffle = _reshuffle(fields.inner("options", {}))
    pass_over_seed(fields)
    fields.nothing_else()
    return Setting(seats, younger, reshuffle)


def _reshuffle(options: Fields) -> bool:
    reshuffle = options.flag(RESHUFFLE.name, True)
    options.nothing_else()
    return reshuffle
