"""The home page, and the list of games in the ledger."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request
from werkzeug.wrappers import Response

from companion.model.snapshot import DAMAGE, GameEntry, Status
from companion.statistics import Filter
from web.after_game.over import EARLY, Over
from web.after_game.standings import headline, leaders
from web.http.formatting import initials
from web.http.request_parsing import LARGEST
from web.pages.game_files import files_page
from web.pages.join import way_in
from web.pages.names import names_page
from web.pages.statistics import asked
from web.request.context import (
    cover_at_the_table,
    instrument_view,
    pages_at_the_table,
    plays_itself,
    services,
    snapshot,
)

home = Blueprint("home", __name__)
PAGE = 20
"""Number of games on one page of the list."""
SHOWN = 6
"""Number of games read for the home page: the live game, four others, and one more, since one may be damaged."""


def entry_of(entry: GameEntry) -> dict[str, Any]:
    """Return the template values for one game in a list."""
    known = services().covers.get(entry.name)
    players = entry.header.get("players", ())
    title = known.title if known else entry.name
    names = [player["name"] for player in players] or [title]
    return {
        "entry": entry,
        "title": title,
        "emblem": known.emblem if known else "",
        "names": names,
        "letters": initials(names),
        "colours": [player["colour"] for player in players],
    }


@home.get("/")
def page() -> str:
    """Show the home page: continue, start a new game, look around."""
    table = services().table
    entries = [entry_of(entry) for entry in table.archive.games_before(LARGEST - 1, SHOWN)]
    own = snapshot().game_id
    on_it = None if own is None else table.archive.entry(own)
    live = None if on_it is None else entry_of(on_it)
    others = [one for one in entries if not one["entry"].live and not one["entry"].damage]
    facts: dict[str, Any] = {"live": live, "others": others[:4], "games": services().covers}
    facts["hurt"] = [one for one in entries if one["entry"].damage and one["entry"].header]
    shown = {one["entry"].damage for one in facts["hurt"]}
    damage = [notice.text for notice in snapshot().notices if notice.kind in DAMAGE]
    facts["unread"] = [text for text in damage if text not in shown]
    facts["unread"] += filter(None, [table.archive.unlisted])
    first = not entries and not table.archive.copies()
    facts["emblem"] = (cover_at_the_table() or next(iter(services().covers.values()))).emblem
    facts["plays_itself"] = plays_itself()
    facts |= _progress()
    facts["reachable"] = bool(way_in().number)
    return render_template("home.html", **facts, first=first, calibrated=instrument_view().calibration is not None)


def _progress() -> dict[str, Any]:
    """Return chapter, points and winners of the game on the table, and its result in words once it is over.

    *first_ones* are its winners, or who was ahead when it was stopped. A game without a timeline has none of these.
    """
    seen, known = snapshot(), pages_at_the_table()
    if known is None or known.timeline is None or seen.game is None or seen.game_id is None:
        return {"chapter": "", "points": {}, "winners": (), "first_ones": (), "headline": ""}
    over = Over(seen.game_id, cover_at_the_table(), seen, (), seen.absent)
    return {
        "chapter": known.timeline.chapter(seen.state),
        "points": known.timeline.points(seen.state),
        "winners": over.result.winners if over.result else (),
        "first_ones": leaders(over) if seen.status.over else (),
        "headline": headline(over),
    }


@home.get("/games")
def games() -> str | Response:
    """Show the games that match the filter, newest first, one page at a time; or the names or files of all games."""
    if request.args.get("show") == "names":
        return names_page()
    if request.args.get("show") == "files":
        return files_page()
    table, (questions, choice) = services().table, asked()
    before = request.args.get("before", LARGEST - 1, type=int)
    before = before if 0 < before < LARGEST else LARGEST - 1
    if choice.chosen == Filter():
        found, count = table.archive.games_before(before, PAGE + 1), table.archive.game_count
    else:
        numbers, count = questions.listed(choice.chosen, before, PAGE + 1)
        found = table.archive.entries(numbers)
    facts = {
        "entries": [entry_of(entry) for entry in found[:PAGE]],
        "count": count,
        "choice": choice,
        "chosen": choice.chosen != Filter(),
        "further": found[PAGE - 1].id if len(found) > PAGE else 0,
        "left": table.archive.summaries.left,
        "early": EARLY,
        "results": questions.results([entry.id for entry in found[:PAGE] if entry.status is Status.FINISHED]),
        **_progress(),
    }
    return render_template("games.html", **facts, unlisted=table.archive.unlisted)
