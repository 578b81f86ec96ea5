"""Opening a game: set out by hand, or one to look around with."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from flask import Blueprint, abort, flash, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.game import Malformed, Refused
from web.gamepages import GamePages
from web.house import house, who

starting = Blueprint("starting", __name__)
_OURS = ("csrf", "version", "next", "back")


def _pages(form: Mapping[str, str]) -> GamePages:
    known = house().pages
    name = form.get("game") or next(iter(known), "")
    return known[name] if name in known else abort(404)


@starting.get("/new")
def new() -> str:
    """The page where a new game is set out: all that is filled in so far lies in the address."""
    form = request.args.to_dict()
    scene = _pages(form).new_game(form)
    return render_template(scene.template, **{**scene.context, "still": True})


@starting.post("/new")
def open_new() -> Response:
    """Put the game that was set out on the table."""
    form = {name: value for name, value in request.form.to_dict().items() if name not in _OURS}
    try:
        house().table.open(_pages(form).header(form), who())
    except (Malformed, Refused) as fault:
        flash(fault.reason)
        return redirect("/new?" + urlencode(form), 303)
    return redirect("/table", 303)


@starting.post("/demo")
def demo() -> Response:
    """Put a game on the table to look around with."""
    header, *lines = _pages(request.form.to_dict()).demo()
    house().table.open(header, who())
    for line in lines:
        house().table.do(line, who())
    return redirect("/table", 303)
