"""The page shown after a game, with two screens, and a picture with the same content: who won, and how it happened."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, abort, render_template, request
from markupsafe import Markup

from companion.kernel.errors import Refused
from companion.kernel.said import said
from companion.ledger import Unreadable
from companion.model.snapshot import Status
from web.after_game.course import chart_of
from web.after_game.over import Over
from web.after_game.picture import colours_on_paper, picture_of
from web.after_game.screens import both, course, final_band, in_signs, luck_of, result, verdict
from web.after_game.standings import headline, standings
from web.http.i18n import translated
from web.http.request_parsing import LARGEST
from web.request import apart
from web.request.apart import Named, made_apart
from web.request.context import (
    cover_at_the_table,
    filled_later,
    moves_here,
    partial_game,
    services,
    snapshot,
)
from web.request.game_pages import Look, Pages, Scene

after = Blueprint("after", __name__)
COURSE = "course"


def _known_luck(named: Named) -> Mapping[str, bytes]:
    """Return the luck of a finished game as far as it is known, and start to compute the rest."""
    entry = services().table.archive.entry(named["game_id"])
    if (
        entry is None
        or entry.status is not Status.FINISHED
        or services().table.archive.known_games[entry.name].luck is None
    ):
        return {}
    return apart.luck_of(entry.id)


@after.get("/games/<int:game_id>/after")
@made_apart("screen", words=said("Opening the game"), given=_known_luck)
def page(game_id: int) -> str:
    """Show a game that is over: its result, or with `screen=course` how it went."""
    over, screen = _over(game_id), request.args.get("screen", "")
    luck = luck_of(over)
    facts = course(over, luck) if screen == COURSE else result(over, luck.report)
    own = snapshot().game_id == game_id
    ways = {
        "back": filled_later("back") or ("/table" if own else "/games"),
        "first": filled_later("first") or ("/table" if own else f"/games/{game_id}/after"),
    }
    return render_template("after.html", frame="frame.html", screen=screen, at_table=False, **ways, **facts)


def final_page(look: Look, pages: Pages) -> str:
    """Return the result of the game on the table, which is finished or was stopped."""
    seen = snapshot()
    assert seen.game_id is not None, "a game that is over is on the table"
    over = Over(seen.game_id, cover_at_the_table(), seen, moves_here(), seen.absent)
    facts = result(over, luck_of(over).report)
    scene = Scene("after.html", {**facts, "frame": pages.frame, "screen": "", "at_table": True, "first": "/table"})
    own = look.viewer.seat
    band = None if own is None or own not in over.faces else final_band(over, own)
    return render_template(scene.template, **pages.context(look, scene) | {"band": band})


@after.get("/games/<int:game_id>/after/picture.svg")
@made_apart(given=_known_luck)
def picture(game_id: int) -> Response:
    """Return the result as an SVG picture for a phone screen, with all its styles."""
    over = _over(game_id)
    report, chart = luck_of(over).report, chart_of(over)
    luck = () if report is None else tuple((over.faces[each], in_signs(it.luck)) for each, it in report.seats.items())
    facts = {
        **both(over),
        "chart": chart,
        "luck": luck,
        "verdict": "" if report is None else verdict(over, report),
        "drawn": picture_of(headline(over), standings(over), chart, tuple(map(translated, over.after.sources))),
        "paper": Markup(f"<style>{colours_on_paper()}</style>"),  # noqa: S704
    }
    return Response(render_template("after_picture.html", **facts), mimetype="image/svg+xml")


def _over(game_id: int) -> Over:
    if not 0 < game_id < LARGEST:
        abort(404)
    entry = services().table.archive.entry(game_id)
    if entry is None or not entry.status.over:
        abort(404)
    try:
        found = partial_game(game_id)
    except Unreadable as fault:
        raise Refused(fault.refusal) from fault
    cover = services().covers.get(entry.name)
    return Over(game_id, cover, found.snapshot, found.moves, found.left, found.spells, entry.began)
