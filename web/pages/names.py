"""Change or remove a player's name in all games and backups at once."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.kernel.errors import Refused
from companion.kernel.names import LONGEST_TYPED, name_from
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.people import People, Touched
from web.http.formatting import date
from web.request.context import look_again, services

names = Blueprint("names", __name__)
LISTED = 200


@dataclass(frozen=True)
class NameRow:
    """One row of the list: a name, its number of games, and the date of the last one."""

    name: str
    games: int
    last: str


def names_page() -> str:
    """Show all names. For the name in the query, show what a change would affect."""
    people, of = _people(), request.args.get("of", "")
    touched = people.touched(of) if of else None
    if touched is not None and not touched.anything:
        raise Refused(said("Nobody called %(name)s is in these games.", name=of))
    return _page(people, touched, sure="sure" in request.args)


@names.post("/names")
def change() -> str | Response:
    """Change or remove a name everywhere, and show what was affected."""
    people, old = _people(), request.form.get("old", "")
    new = None if request.form.get("remove") else name_from(request.form.get("new", ""), LONGEST_TYPED)
    if new == old:
        return redirect("/games?show=names", 303)
    done = people.rename(old, new, drop_damaged=bool(request.form.get("damaged")))
    look_again()
    return _page(people, None, done=done, new=new)


def _people() -> People:
    people = services().people
    if people is None:
        abort(404)
    return people


def _page(people: People, touched: Touched | None, **facts: Any) -> str:
    last = {entry.id: entry.last for entry in services().table.archive.games()}
    games = {name: [game for game in found if game in last] for name, found in people.all().items()}
    # Sort by the newest game of each name; a higher number is newer.
    names = sorted(games, key=lambda name: (-max(games[name], default=0), name))
    named = [NameRow(name, len(games[name]), _day(last[max(games[name])]) if games[name] else "") for name in names]
    played = [last[game] for game in (touched.games if touched else ()) if game in last]
    span = (_day(min(played)), _day(max(played))) if played else None
    facts = {"sure": False, "done": None, "new": None, **facts}
    return render_template(
        "names.html", named=named[:LISTED], more=len(named) - LISTED, touched=touched, span=span, **facts
    )


def _day(wall: float) -> str:
    return date(wall)
