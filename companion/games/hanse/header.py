"""The header of a record of Die Kosmische Hanse: who plays, who is younger, and the one ruling."""

from __future__ import annotations

from companion.games.hanse.state import Setting
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, Line
from companion.model.game import Seat

SHARED = frozenset({"record", "version", "game", "at", "via", "note"})
PLAYERS = 2


def setting_from(header: Line) -> Setting:
    """Return the setting a header describes, or raise `Malformed` naming the field at fault.

    The fields that all games share are the record's to check and passed over here.
    """
    fields = Fields({name: value for name, value in header.items() if name not in SHARED})
    seats = tuple(_seat(row, f"players[{index}]") for index, row in enumerate(fields.list("players")))
    colours = [seat.colour for seat in seats]
    if len(seats) != PLAYERS:
        raise Malformed(said("players: Die Kosmische Hanse is for 2 players, not %(count)s", count=len(seats)))
    if len(set(colours)) != len(colours):
        raise Malformed(said("players: each player needs their own colour"))
    younger = fields.word("younger", colours)
    reshuffle = _reshuffle(fields.inner("options", {}))
    if fields.has("seed"):
        fields.whole("seed", -(2**63), 2**63)
    fields.nothing_else()
    return Setting(seats, younger, reshuffle)


def _reshuffle(options: Fields) -> bool:
    reshuffle = options.flag("reshuffle", True)
    options.nothing_else()
    return reshuffle


def _seat(value: object, where: str) -> Seat:
    fields = Fields(value, where)
    seat = Seat(fields.text("colour"), fields.text("name"))
    fields.nothing_else()
    return seat
