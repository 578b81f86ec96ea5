"""History in sentences: one short one for each line of a record, names first."""

from __future__ import annotations

from collections.abc import Mapping

from companion.kernel.validation import Line
from web.games.draws.cubes import said_of
from web.http.formatting import named
from web.http.i18n import _


def tell(line: Line, names: Mapping[str, str], taker: str = "") -> str:
    """Return what *line* did; *taker* has the ring, for a draw that names nobody."""
    seat = line.get("player", taker if line["do"] == "draw" else "")
    who = {"name": names.get(seat, "")}
    match line["do"]:
        case "draw":
            return _drawn(line, who)
        case "take":
            return _taken(line, who)
        case "correct":
            place = "tower" if "tower" in line else "inside"
            cubes = said_of({c: n for c, n in line[place].items() if n}) or _("none")
            return _("Counted in the tower: %(cubes)s", cubes=cubes) if place == "tower" else _inside(cubes)
        case "finish":
            return _("The table is closed.")
        case "put" | "return" | "throw" | "out" as do:
            return _moved(do, said_of(line["cubes"]) if "cubes" in line else _("all"), who)
        case _:
            raise AssertionError("each line has its sentence")


def _inside(cubes: str) -> str:
    return _("Counted inside: %(cubes)s", cubes=cubes)


def _drawn(line: Line, who: Mapping[str, str]) -> str:
    what = named(line["colour"]) if "colour" in line else said_of(line["cubes"])
    if line.get("back"):
        return _("%(name)s draws %(what)s, and it goes back", what=what, **who) if who["name"] else _looked(what)
    return _("%(name)s draws %(what)s", what=what, **who) if who["name"] else _("Drawn: %(what)s", what=what)


def _looked(what: str) -> str:
    return _("Drawn and put back: %(what)s", what=what)


def _taken(line: Line, who: Mapping[str, str]) -> str:
    if line.get("back"):
        return _("Draws go back at once")
    if "back" in line:
        return _("Draws stay outside")
    return _("%(name)s has the ring", **who) if who["name"] else _("Nobody has the ring")


def _moved(do: str, cubes: str, who: Mapping[str, str]) -> str:
    facts = {"cubes": cubes, **who}
    with_name, without = {
        "put": (_("%(name)s puts in %(cubes)s", **facts), _("Put in: %(cubes)s", cubes=cubes)),
        "return": (_("%(name)s puts back %(cubes)s", **facts), _("Put back: %(cubes)s", cubes=cubes)),
        "throw": (_("%(name)s throws %(cubes)s into the tower", **facts), _("Into the tower: %(cubes)s", cubes=cubes)),
        "out": (_("%(name)s gets %(cubes)s out of the tower", **facts), _("Out of the tower: %(cubes)s", cubes=cubes)),
    }[do]
    return with_name if who["name"] else without
