"""The page for a new table: the cubes inside, colour by colour, and the players, if there are any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.draws.cubes import LONGEST_COLOUR, MOST, MOST_COLOURS
from companion.games.draws.header import FIELDS
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line, is_label
from companion.kernel.said import said
from web.components.new_game import NewGame, OwnFields
from web.components.players import SHAPED, Face
from web.games.draws.cubes import cube_faces
from web.http.i18n import _

COUNT = "c_"
STEPS = {"less": -1, "more": 1, "five": 5}
FILLS = ((5, 5), (5, 10), (7, 10))
"""Contents that one tap puts inside an empty table: the number of colours, and the number of cubes of each."""


@dataclass(frozen=True)
class ColourRow:
    """A colour of the form, and the number of cubes inside. Text that isn't a number is shown again unchanged."""

    face: Face
    count: str


def _facts(form: Mapping[str, str], players: int) -> dict[str, Any]:
    """Return the template values of the form, as filled in so far."""
    wrong = {name: value for name, value in form.items() if name.startswith(COUNT) and not _is_number(value)}
    counts = _counts({name: value for name, value in form.items() if name not in wrong})
    inside, tower = sum(counts.values()), form.get("tower") == "on"
    return {
        "rows": tuple(
            ColourRow(face, wrong.get(f"{COUNT}{colour}") or str(counts[colour] or ""))
            for colour, face in cube_faces(counts).items()
        ),
        "fills": tuple(
            (_("%(colours)s colours, %(cubes)s of each", colours=colours, cubes=cubes), f"{colours}x{cubes}")
            for colours, cubes in FILLS
        ),
        "tower": tower,
        "back": form.get("back") == "on",
        "virtual": form.get("virtual") == "on",
        "cubes_inside": inside,
        "longest_colour": LONGEST_COLOUR,
        "aside": _("%(num)s inside", num=inside) if inside else "",
        "foot": "" if inside or tower else _("First choose what's inside."),
        "ready": bool(inside or tower),
    }


def _contents(form: Mapping[str, str], players: int) -> Line:
    """Return the contents in *form* in the format of a header.

    Raise `Malformed` with the reason if a value is wrong.
    """
    contents = {colour: count for colour, count in _counts(form).items() if count}
    if len(contents) > MOST_COLOURS:
        raise Malformed(said("Up to %(most)s colours fit on one table.", most=MOST_COLOURS))
    if not contents and form.get("tower") != "on":
        raise Malformed(said("Tap at least one cube, or the tower."))
    tower: Line = {"tower": {}} if form.get("tower") == "on" else {}
    return {"contents": contents, **tower, **{name: True for name in ("back", "virtual") if form.get(name) == "on"}}


def _filled(header: Line) -> dict[str, str]:
    """Return the form fields for the contents and switches of *header*."""
    return fields_of(header) | {name: "on" for name in ("back", "virtual") if header.get(name)}


def fields_of(board: Line | None) -> dict[str, str]:
    """Return the form fields for the contents of *board*. Colours that it doesn't contain get 0."""
    known = board or {"contents": {}}
    contents = {**dict.fromkeys(SHAPED, 0), **known["contents"]}
    tower = {"tower": "on"} if "tower" in known else {}
    return {f"{COUNT}{colour}": str(count) for colour, count in contents.items()} | tower


def _counts(form: Mapping[str, str]) -> dict[str, int]:
    """Return the counts in the form, changed by the button that was tapped."""
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


NEW_GAME = NewGame(
    FIELDS,
    SHAPED,
    usual=0,
    title=said("A new table"),
    begin=said("Begin"),
    note=said("Nobody in particular: draws are the table's."),
    layout="newt",
    styles=("draws/draws.css",),
    own=OwnFields("draws/new_game.html", _facts, _contents, form=_filled),
)
