"""The page after a game, and a picture with the same content: who won, and how it happened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, abort, render_template
from markupsafe import Markup

from companion.kernel.errors import Refused
from companion.ledger import Unreadable
from companion.luck import Reckoned
from companion.model.snapshot import Status
from web.after_game.course import count_charts, rounds, score_chart
from web.after_game.luck_and_skill import luck_table
from web.after_game.over import ENDED, Over
from web.after_game.picture import colours_on_paper, picture_of
from web.after_game.standings import headline, standings, tallied
from web.after_game.time_taken import time_chart, waiting
from web.after_game.turning_points import turning_points
from web.charts.lines import HALF, PHONE
from web.http.i18n import lazy, translated
from web.http.request_parsing import LARGEST
from web.request.apart import Named, luck_of, made_apart
from web.request.context import partial_game, services

after = Blueprint("after", __name__)
SIZES = (("phone", PHONE), ("wide", HALF))


def _known_luck(named: Named) -> Mapping[str, bytes]:
    """Return the luck of a finished game as far as it is known, and start to compute the rest."""
    entry = services().table.archive.entry(named["game_id"])
    if (
        entry is None
        or entry.status is not Status.FINISHED
        or services().table.archive.known_games[entry.name].luck is None
    ):
        return {}
    return luck_of(entry.id)


@after.get("/games/<int:game_id>/after")
@made_apart(words=lazy("Opening the game"), given=_known_luck)
def page(game_id: int) -> str:
    """Show a game that is over: points over time, luck, turning points, durations."""
    over = _over(game_id)
    luck = _luck(over)
    facts = {
        **_result(over),
        "chart": score_chart(over, rounds(over)),
        "counts": count_charts(over),
        "times": time_chart(over),
        "waits": waiting(over),
        "luck": None if luck.report is None else luck_table(over, luck.report),
        "reckoning": not luck.done,
        "tells_luck": over.game.luck is not None,
        "points": turning_points(over, luck.report),
        "sizes": SIZES,
    }
    return render_template("after.html", **facts)


@after.get("/games/<int:game_id>/after/picture.svg")
@made_apart(given=_known_luck)
def picture(game_id: int) -> Response:
    """Return the result as an SVG picture for a phone screen, with all its styles."""
    over = _over(game_id)
    luck = _luck(over)
    chart = score_chart(over) or next((each for _words, each in count_charts(over)), None)
    facts = {
        **_result(over),
        "chart": chart,
        "luck": None if luck.report is None else luck_table(over, luck.report),
        "drawn": picture_of(headline(over), standings(over), chart, tuple(map(translated, over.after.sources))),
        "paper": Markup(f"<style>{colours_on_paper()}</style>"),  # noqa: S704
    }
    return Response(render_template("after_picture.html", **facts), mimetype="image/svg+xml")


def _result(over: Over) -> dict[str, Any]:
    won = () if over.result is None else over.result.winners
    return {
        "over": over,
        "headline": headline(over),
        "standings": standings(over),
        "tally": tallied(over),
        "winner": over.faces[won[0]] if len(won) == 1 else None,
        "why": "" if over.result is None else over.result.why,
        "title": over.cover.title if over.cover else over.game.name,
        "sources": over.after.sources,
        "played_ms": over.seen.game_ms,
    }


def _luck(over: Over) -> Reckoned:
    """Return the luck of a game that is over.

    It is empty for an abandoned game, and for a game without a luck model.
    """
    if over.game.luck is None or over.result is None:
        return Reckoned(True)  # the game may be resumed, and its luck may reveal hidden draws
    return services().luck.of(over.number, over.seen.version)


def _over(game_id: int) -> Over:
    if not 0 < game_id < LARGEST:
        abort(404)
    entry = services().table.archive.entry(game_id)
    if entry is None or entry.status not in ENDED:
        abort(404)
    try:
        found = partial_game(game_id)
    except Unreadable as fault:
        raise Refused(fault.refusal) from fault
    return Over(game_id, entry.began, found, services().covers.get(entry.name))
