"""The practice game's addresses: watch it, and say whether and how fast it goes on."""

from __future__ import annotations

from random import SystemRandom

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from web.request.context import house, local
from web.request.game_pages import PracticePages

practising = Blueprint("practising", __name__)
DEEDS = ("begin", "step", "pause", "go", "faster", "slower", "stop")


@practising.get("/practice")
def page() -> str:
    """The practice as it stands by now; the way in where there is none."""
    shown = house().practice.look()
    if shown is None:
        return render_template("practice.html", practice=_offered()[1])
    pages = house().pages[shown.practice.game.name].practice
    scene = pages.scene(shown) if pages is not None else abort(404)
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
    """Have the first game of the house that can play itself do so."""
    name, pages = _offered()
    evening = house()
    evening.practice.begin(evening.table.shelf[name], pages.header(), pages.made_up, SystemRandom().randrange(2**32))


def _offered() -> tuple[str, PracticePages]:
    """Return the first game that plays itself, by its name; there is no such page where none does."""
    offered = ((pages.name, pages.practice) for pages in house().pages.values() if pages.practice is not None)
    return next(offered, None) or abort(404)
