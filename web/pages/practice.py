"""The practice game's addresses: watch it, and say whether and how fast it goes on."""

from __future__ import annotations

from random import SystemRandom

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.games.registry import GAMES
from web.request.context import house, local

practising = Blueprint("practising", __name__)
DEEDS = ("begin", "step", "pause", "go", "faster", "slower", "stop")


@practising.get("/practice")
def page() -> str:
    """The practice as it stands by now; the way in where there is none."""
    shown = house().practice.look()
    if shown is None:
        return render_template("practice.html")
    scene = house().pages[shown.practice.game.name].practice_scene(shown)
    return render_template(scene.template, **scene.context)


@practising.post(f"/practice/<any({', '.join(DEEDS)}):deed>")
def drive(deed: str) -> Response:
    """Begin it, or have it go on otherwise than before."""
    table = house().practice
    match deed:
        case "begin":
            _begin()
        case "faster" | "slower":
            table.pace(1 if deed == "faster" else -1)
        case "step":
            table.step()
        case "pause":
            table.pause()
        case "go":
            table.go()
        case _:
            table.stop()
    return redirect(local(request.form.get("next"), "/practice"), 303)


def _begin() -> None:
    """Have the first game of the house play itself."""
    pages = next(iter(house().pages.values()))
    house().practice.begin(GAMES[pages.name], pages.practice_header(), pages.made_up, SystemRandom().randrange(2**32))
