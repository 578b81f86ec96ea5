"""The page where a table is set out: what is inside, colour by colour, and who plays, if anybody in particular does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.draws.cubes import LONGEST_COLOUR, MOST, MOST_COLOURS
from companion.games.draws.state import MOST_PLAYERS
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.names import TYPED_UNITS
from companion.kernel.validation import Line, is_label
from web.components.players import SHAPED, Face
from web.components.seats import check_seats, players_in, seat
from web.games.draws.cubes import cube_faces
from web.http.i18n import _
from web.request.game_pages import Scene

RECORD = {"record": "table-record", "version": 1, "game": "draws"}
COUNT = "c_"
STEPS = {"less": -1, "more": 1, "five": 5}
FILLS = ((5, 5), (5, 10), (7, 10))
"""What one tap puts inside an empty table: so many colours, so many cubes of each."""


@dataclass(frozen=True)
class ColourRow:
    """A colour of the form, and how many of it are inside, as it was typed where that is no number."""

    face: Face
    count: str


@dataclass(frozen=True)
class FormSeat:
    """A seat of the form: a tap on its token gives it the next colour that nobody has."""

    number: int
    name: str
    face: Face


def new_game_scene(form: Mapping[str, str]) -> Scene:
    """Return the page with what is filled in so far."""
    wrong = {name: value for name, value in form.items() if name.startswith(COUNT) and not _is_number(value)}
    counts = _counts({name: value for name, value in form.items() if name not in wrong})
    painted = cube_faces(dict.fromkeys((*_paints(form), *SHAPED)))
    return Scene(
        "draws/new.html",
        {
            "rows": tuple(
                ColourRow(face, wrong.get(f"{COUNT}{colour}") or str(counts[colour] or ""))
                for colour, face in cube_faces(counts).items()
            ),
            "fills": tuple(
                (_("%(colours)s colours, %(cubes)s of each", colours=colours, cubes=cubes), f"{colours}x{cubes}")
                for colours, cubes in FILLS
            ),
            "players": _players(form),
            "most_players": MOST_PLAYERS,
            "sitting": tuple(
                FormSeat(at, form.get(f"name{at}", ""), painted[colour]) for at, colour in enumerate(_paints(form), 1)
            ),
            "tower": form.get("tower") == "on",
            "back": form.get("back") == "on",
            "virtual": form.get("virtual") == "on",
            "cubes_inside": sum(counts.values()),
            "longest_name": TYPED_UNITS,
            "longest_colour": LONGEST_COLOUR,
        },
    )


def header_from(form: Mapping[str, str]) -> Line:
    """Return the record header that *form* asks for, or raise `Malformed` with what is wrong."""
    contents = {colour: count for colour, count in _counts(form).items() if count}
    seats = [seat(form, at, colour, SHAPED) for at, colour in enumerate(_paints(form)[: _players(form)], 1)]
    check_seats(seats)
    if len(contents) > MOST_COLOURS:
        raise Malformed(said("Up to %(most)s colours fit on one table.", most=MOST_COLOURS))
    if not contents and form.get("tower") != "on":
        raise Malformed(said("Tap at least one cube, or the tower."))
    header: dict[str, Any] = {**RECORD, "players": seats, "contents": contents}
    if form.get("tower") == "on":
        header["tower"] = {}
    return header | {name: True for name in ("back", "virtual") if form.get(name) == "on"}


def fields_of(board: Line | None) -> dict[str, str]:
    """Return the part of the form that gives the contents of a box, noughts for the colours that it does not have."""
    known = board or {"contents": {}}
    contents = {**dict.fromkeys(SHAPED, 0), **known["contents"]}
    tower = {"tower": "on"} if "tower" in known else {}
    return {f"{COUNT}{colour}": str(count) for colour, count in contents.items()} | tower


def _counts(form: Mapping[str, str]) -> dict[str, int]:
    """Return how many of each colour are inside by now, with the one tap that the address may hold."""
    counts = {colour: _number(form.get(f"{COUNT}{colour}", ""), f"{COUNT}{colour}") for colour in SHAPED}
    for name, value in form.items():
        if name.startswith(COUNT) and is_label(name.removeprefix(COUNT), LONGEST_COLOUR):
            counts[name.removeprefix(COUNT)] = _number(value, name)
    own = form.get("own", "").strip().lower()
    if is_label(own, LONGEST_COLOUR) and own not in counts:
        counts[own] = 1
    for colours, cubes in FILLS:
        if form.get("fill") == f"{colours}x{cubes}":
            counts |= dict.fromkeys(SHAPED[:colours], cubes)
    for tap, step in STEPS.items():
        if form.get(tap) in counts:
            counts[form[tap]] = min(max(counts[form[tap]] + step, 0), MOST)
    return counts


def _number(text: str, field: str) -> int:
    text = text.strip()
    if not text:
        return 0
    if not _is_number(text):
        raise Malformed(said("How many cubes: a number from 0 to %(most)s.", most=MOST), field)
    return int(text)


def _is_number(text: str) -> bool:
    text = text.strip()
    return not text or (text.isascii() and text.isdigit() and len(text) < 5 and int(text) <= MOST)


def _players(form: Mapping[str, str]) -> int:
    return players_in(form, range(MOST_PLAYERS + 1), 0)


def _paints(form: Mapping[str, str]) -> tuple[str, ...]:
    """Return the colour of each seat, all different, with the one tap that the address may hold."""
    paints = _all_different([form.get(f"colour{at}", "") for at in range(1, MOST_PLAYERS + 1)])
    tapped = form.get("paint", "")
    if tapped not in {str(at) for at in range(1, MOST_PLAYERS + 1)}:
        return paints
    own = paints[int(tapped) - 1]
    after, seated = SHAPED.index(own) + 1, paints[: _players(form)]
    new = next(each for each in (*SHAPED[after:], *SHAPED[:after]) if each not in seated)
    # A seat where nobody sits gives its colour away.
    return _all_different([new if each == own else "" if each == new else each for each in paints])


def _all_different(wanted: list[str]) -> tuple[str, ...]:
    """Return *wanted* where it can be had, and for the others colours that nobody wants."""
    free = [colour for colour in SHAPED if colour not in wanted]
    taken: list[str] = []
    for colour in wanted:
        taken.append(colour if colour in SHAPED and colour not in taken else free.pop(0))
    return tuple(taken)
