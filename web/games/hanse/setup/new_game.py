"""The new-game page: who plays, who is younger, and the one ruling; a form that loses nothing on a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said, word
from companion.kernel.validation import Line
from web.games.hanse.components.words import TITLE
from web.games.hanse.setup.demo import RECORD
from web.http.formatting import named
from web.request.game_pages import Scene

COLOURS = ("red", "blue", "green", "yellow", "black")
SEATS = (1, 2)
LONGEST_NAME = 18


@dataclass(frozen=True)
class SeatField:
    """One row of the form."""

    number: int
    name: str
    colour: str
    younger: bool


def new_game_scene(form: Mapping[str, str]) -> Scene:
    """Return the page with what is filled in so far."""
    seats = tuple(SeatField(at, _name(form, at), _colour(form, at), at == _younger(form)) for at in SEATS)
    reshuffle = form.get("reshuffle") != "off"
    more = {"title": TITLE, "seats": seats, "colours": COLOURS, "reshuffle": reshuffle, "longest_name": LONGEST_NAME}
    return Scene("hanse/new.html", more)


def header_from(form: Mapping[str, str]) -> Line:
    """Return the record header that *form* asks for, or raise `Malformed` with what is wrong."""
    seats = [_seat(form, at) for at in SEATS]
    _check(*seats)
    header: dict[str, Any] = {**RECORD, "players": seats, "younger": seats[_younger(form) - 1]["colour"]}
    return {**header, "options": {"reshuffle": False}} if form.get("reshuffle") == "off" else header


def filled_from(header: Line) -> dict[str, str]:
    """Return the form that gives *header*: the next game starts from the last one's table."""
    form = {"game": "hanse"}
    for at, player in enumerate(header["players"], 1):
        form |= {f"name{at}": player["name"], f"colour{at}": player["colour"]}
        if player["colour"] == header["younger"]:
            form["younger"] = str(at)
    return form if header.get("options", {}).get("reshuffle", True) else {**form, "reshuffle": "off"}


def _seat(form: Mapping[str, str], at: int) -> dict[str, str]:
    name = _name(form, at) or named(_colour(form, at)).capitalize()
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise Malformed(said("Seat %(at)s: names have up to %(most)s letters.", at=at, most=LONGEST_NAME))
    return {"colour": _colour(form, at), "name": name}


def _check(one: Mapping[str, str], other: Mapping[str, str]) -> None:
    if one["colour"] == other["colour"]:
        raise Malformed(
            said(
                "%(one)s and %(other)s both have %(colour)s. Change one.",
                one=one["name"],
                other=other["name"],
                colour=word(one["colour"]),
            )
        )
    if one["name"] == other["name"]:
        raise Malformed(said("Two players are called %(name)s. Change one name.", name=one["name"]))


def _name(form: Mapping[str, str], at: int) -> str:
    return form.get(f"name{at}", "").strip()


def _colour(form: Mapping[str, str], at: int) -> str:
    colour = form.get(f"colour{at}", "")
    return colour if colour in COLOURS else COLOURS[at - 1]


def _younger(form: Mapping[str, str]) -> int:
    return 1 if form.get("younger") == "1" else 2
