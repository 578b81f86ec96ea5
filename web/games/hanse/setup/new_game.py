"""The new-game page: who plays, who is younger, and the one ruling; a form that loses nothing on a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.kernel.names import TYPED_UNITS
from companion.kernel.validation import Line
from web.components.seats import check_seats, colour_of, first_of, seat, seat_field, seated
from web.games.hanse.components.words import TITLE
from web.games.hanse.setup.demo import RECORD
from web.http.i18n import lazy
from web.request.game_pages import Scene

COLOURS = ("red", "blue", "green", "yellow", "black")
SEATS = (1, 2)
ASKS = lazy("When a draw pile is empty?")
WAYS = (("on", lazy("Shuffle the discards")), ("off", lazy("It stays empty")))


def new_game_scene(form: Mapping[str, str]) -> Scene:
    """Return the page with what is filled in so far."""
    seats = tuple(seat_field(form, at, COLOURS, _younger(form)) for at in SEATS)
    ruling = ("reshuffle", ASKS, WAYS, "off" if form.get("reshuffle") == "off" else "on", False)
    more = {"title": TITLE, "seats": seats, "colours": COLOURS, "ruling": ruling, "longest_name": TYPED_UNITS}
    return Scene("hanse/new.html", more)


def header_from(form: Mapping[str, str]) -> Line:
    """Return the record header that *form* asks for, or raise `Malformed` with what is wrong."""
    seats = [seat(form, at, colour_of(form, at, COLOURS), COLOURS) for at in SEATS]
    check_seats(seats)
    header: dict[str, Any] = {**RECORD, "players": seats, "younger": seats[_younger(form) - 1]["colour"]}
    return {**header, "options": {"reshuffle": False}} if form.get("reshuffle") == "off" else header


def filled_from(header: Line) -> dict[str, str]:
    """Return the form that gives *header*: the next game starts from the last one's table."""
    form = {"game": "hanse"} | seated(header["players"], header["younger"], COLOURS, len(SEATS))
    return form if header.get("options", {}).get("reshuffle", True) else {**form, "reshuffle": "off"}


def _younger(form: Mapping[str, str]) -> int:
    return first_of(form, len(SEATS), usual=2)
