"""The routes of the practice game: choose one, watch it, and control its speed."""

from __future__ import annotations

from random import SystemRandom

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from web.request.context import local, services
from web.request.game_pages import GameCover, Look

practice = Blueprint("practice", __name__)
DEEDS = ("begin", "step", "pause", "go", "faster", "slower", "stop")


@practice.get("/practice")
def page() -> str:
    """Show the practice game, or if there is none, the choice of a game."""
    shown = services().practice.look()
    if shown is None:
        return render_template("practice.html", offered=_offered())
    pages = services().covers[shown.practice.game.name].pages
    scene = pages.practice.scene(shown) if pages.practice is not None else abort(404)
    return render_template(scene.template, **pages.context(Look(shown.practice.snapshot), scene))


@practice.post(f"/practice/<any({', '.join(DEEDS)}):deed>")
def drive(deed: str) -> Response:
    """Execute the command *deed* of the practice game: begin, pause, stop, or change the speed."""
    table = services().practice
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
        case "stop":
            table.stop()
        case _:
            abort(404)
    return redirect(local(request.form.get("next"), "/practice"), 303)


def _begin() -> None:
    """Begin the practice of the chosen game. The default is the first game with a practice."""
    offered = {cover.name: cover for cover in _offered()}
    name = request.form.get("game") or next(iter(offered))
    pages, shared = offered[name].pages.practice if name in offered else None, services()
    if pages is None:
        abort(404)
    shared.practice.begin(
        shared.table.archive.known_games[name], pages.header(), pages.made_up, SystemRandom().randrange(2**32)
    )


def _offered() -> list[GameCover]:
    """Return the games with a practice. Respond with 404 if there are none."""
    return [cover for cover in services().covers.values() if cover.words.practice] or abort(404)
