"""The pages that belong to no game: home, games and history."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, render_template, request

from companion.kernel.validation import Line
from companion.model.snapshot import DAMAGE, GameEntry, Snapshot, Status, Told
from web.http.formatting import initials
from web.request.context import house, instrument_view, pages_at_the_table, plays_itself, snapshot

pages = Blueprint("pages", __name__)
PAGE = 50
ENDED = (Status.ABANDONED, Status.FINISHED)


def entry_of(entry: GameEntry) -> dict[str, Any]:
    """Return what a list shows of one game."""
    known = house().pages.get(entry.name)
    players = entry.header.get("players", ())
    names = [player["name"] for player in players]
    return {
        "entry": entry,
        "title": known.title if known else entry.name,
        "names": names,
        "letters": initials(names),
        "colours": [player["colour"] for player in players],
    }


def story(told: tuple[Told, ...], header: Line, name: str, seen: Snapshot) -> list[dict[str, Any]]:
    """Return lines of history with their sentences, as the game tells them that stands as it was *seen*."""
    known = house().pages.get(name)
    if known is None:
        return [{"told": one, "sentence": one.line.get("do")} for one in told]
    return [{"told": one, "sentence": known.tell(known.openly(seen, one.line, one.undone), header)} for one in told]


@pages.get("/")
def home() -> str:
    """The way in: go on, start anew, look around."""
    entries = [entry_of(entry) for entry in house().table.games()]
    live = next((one for one in entries if one["entry"].live), None)
    others = [one for one in entries if not one["entry"].live and not one["entry"].damage]
    facts: dict[str, Any] = {"live": live, "others": others[:4], "more": len(others) > 4, "games": house().pages}
    facts["unread"] = [notice.text for notice in snapshot().notices if notice.kind in DAMAGE]
    facts["unread"] += filter(None, [house().table.unlisted])
    first = not entries and not house().table.copies()
    facts["emblem"] = (pages_at_the_table() or next(iter(house().pages.values()))).emblem
    facts["plays_itself"] = plays_itself()
    return render_template("home.html", **facts, first=first, calibrated=instrument_view().calibration is not None)


@pages.get("/games")
def games() -> str:
    """Every game of the ledger."""
    entries = [entry_of(entry) for entry in house().table.games()]
    return render_template("games.html", entries=entries, unlisted=house().table.unlisted)


@pages.get("/history")
def history() -> str:
    """What happened in the live game, newest first, undone lines struck through."""
    seen = snapshot()
    if seen.game is None or seen.header is None:
        return render_template("history.html", lines=[], before=None, older=None)
    before = request.args.get("before", type=int)
    if before is not None and not 0 < before < 2**62:
        abort(404)
    told = house().table.history(before, PAGE + 1)
    older = told[PAGE - 1].id if len(told) > PAGE else None
    lines = story(told[:PAGE], seen.header, seen.game.name, seen)
    return render_template("history.html", lines=lines, before=before, older=older)
