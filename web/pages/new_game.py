"""Begin a game: with the new-game form, from a stored copy, or as a demo."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from flask import Blueprint, abort, flash, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.model.boxes import Copy
from companion.model.game import colours_of, printed
from companion.model.snapshot import DEMO, MovedOn, Who
from web.after_game.screens import rematch
from web.http.i18n import translated
from web.http.request_parsing import copy_name, whole_number
from web.request.context import instrument_view, ring_colours, services, snapshot, who
from web.request.game_pages import GameCover, Pages
from web.request.refusal import refused

new_game = Blueprint("new_game", __name__)
_OURS = ("csrf", "version", "next")
"""Form fields that are not values of the new game."""
_PEOPLE = ("players", "name", "colour", "first")
"""How the names of the form fields about people begin."""
Form = Mapping[str, str]


def _cover(form: Form) -> GameCover:
    known = services().covers
    name = form.get("game") or next(iter(known), "")
    return known[name] if name in known else abort(404)


@new_game.get("/new")
def new() -> str | Response:
    """Show the new-game form. The URL contains all values entered so far.

    Without any, it is filled in with the people of the game on the table if that is over.
    """
    form = _without(request.args.to_dict(), *_OURS)
    cover, seen = _cover(form), snapshot()
    if seen.status.over and seen.game is not None and seen.game.name == cover.name and not _without(form, "game"):
        form |= {name: value for name, value in rematch(seen, cover.pages.after).items() if name.startswith(_PEOPLE)}
    if "take" in form:
        return redirect("/new?" + urlencode(_taken(form, cover.pages)), 303)
    copies = tuple(each for each in services().table.archive.copies() if each.game == cover.name)
    if "copy" not in form:
        form = _as_last(copies, cover.pages) | form
    scene, made = cover.pages.new_game(form), instrument_view().calibration
    facts = {
        "copies": copies,
        "copy": form.get("copy", ""),
        "keep": form.get("keep"),
        "taught": "" if made is None else made.copy,
        "still": True,
    }
    return render_template(scene.template, **{**scene.context, **facts})


@new_game.post("/new")
def open_new() -> Response:
    """Begin the game in the form."""
    form = _without(request.form.to_dict(), *_OURS)
    cover = _cover(form)
    try:
        header = cover.pages.header(_without(form, "copy", "keep"))
        services().table.open(header, who(), _copy_of(form, cover, header), _shown())
    except MovedOn as fault:
        flash(translated(fault.reason))
        return redirect("/table", 303)
    except (Malformed, Refused) as fault:
        return refused(fault.reason, "/new?" + urlencode(form), getattr(fault, "field", ""))
    return redirect("/table", 303)


@new_game.post("/demo")
def demo() -> Response:
    """Begin a demo game to look around in."""
    cover = _cover(request.form.to_dict())
    header, *lines = cover.pages.demo() if cover.words.demo else abort(404)
    try:
        services().table.open(header, Who(who().name, DEMO), version=_shown())
    except MovedOn as fault:
        flash(translated(fault.reason))
        return redirect("/table", 303)
    for line in lines:
        services().table.do(line, who())
    return redirect("/table", 303)


def _shown() -> int | None:
    """Return the version that the page showed, or None if the form doesn't contain one."""
    version = request.form.get("version")
    return whole_number(version, "version") if version else None


def _without(form: Form, *names: str) -> dict[str, str]:
    return {name: value for name, value in form.items() if name not in names}


def _taken(form: Form, pages: Pages) -> dict[str, str]:
    """Return the form with the board of the chosen copy. All other values stay unchanged."""
    name = form["take"]
    copy = next((each for each in services().table.archive.copies() if each.name == name), None)
    board = _board_fields(pages, copy)
    return {**_without(form, "take", "keep"), **board, "copy": "" if copy is None else copy.name}


def _as_last(copies: tuple[Copy, ...], pages: Pages) -> dict[str, str]:
    """Return the form values for the copy on the table, or the game's last used copy. It is empty without a copy."""
    copy = next((each for each in copies if each.name == snapshot().copy), next(iter(copies), None))
    return {} if copy is None else {**_board_fields(pages, copy), "copy": copy.name}


def _board_fields(pages: Pages, copy: Copy | None) -> dict[str, str]:
    return {} if pages.board is None else pages.board.fields(None if copy is None else copy.board)


def _copy_of(form: Form, cover: GameCover, header: Line) -> str:
    """Store the copy for this game if it is new, and return its name."""
    name = copy_name(form)
    if not name:
        return form.get("copy", "")
    game = services().table.archive.known_games[cover.name]
    colours = dict.fromkeys((*colours_of(game, header), *ring_colours(game)))
    known = next((each for each in services().table.archive.copies() if each.name == name), None)
    if known is not None and known.game != cover.name:
        raise Malformed(said("%(name)s is the name of another game's box. Give this one its own.", name=name), "keep")
    board = printed(game, header) or (None if known is None else known.board)
    services().table.save_copy(Copy(name, cover.name, board, {each: each for each in colours}), who())
    return name
