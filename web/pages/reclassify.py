"""Judge a game's passages again from the ring's readings, and show which draws would change. No draw is changed."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, abort, render_template, request

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.snapshot import GameEntry
from companion.session.reclassify import DRAW, PAIR, Rejudged, Rejudging
from web.http.formatting import initials
from web.http.i18n import _
from web.http.request_parsing import LARGEST
from web.pages.calibration_files import CalibrationFile, calibration_file, calibrations_by_copy
from web.request.context import instrument, look_again, services, who

reclassify = Blueprint("reclassify", __name__)
BECAME = {
    DRAW: "",
    PAIR: said("two at once"),
    "not a draw": said("didn't count"),
    "same": said("already typed in"),
    "surplus": said("after the last draw"),
    "practice": said("practice"),
    "taken back": said("undone"),
    "open": said("never answered"),
}


@dataclass(frozen=True)
class PassageRow:
    """One passage on the page: the recorded colour, the new colour, and the kind of difference."""

    at_ms: int
    was: str | None
    now: str | None
    words: str
    mark: str
    pair: bool


def choose(game_id: int) -> str:
    """Show the choice of a calibration."""
    return _page(_entry(game_id), None)


@reclassify.post("/games/<int:game_id>/again")
def judge(game_id: int) -> str:
    """Judge the game's passages again and show the differences."""
    entry, measuring = _entry(game_id), instrument()
    if measuring is None:
        raise Refused(said("There's no ring here that can re-check draws."))
    by = _chosen(request.form.get("by", ""))
    found = services().table.archive.judge_again(game_id, partial(measuring.judged_again, by=by), who())
    look_again()
    return _page(entry, found)


def _entry(game_id: int) -> GameEntry:
    found = (services().table.archive.entry(game_id) if game_id < LARGEST else None) or abort(404)
    if found.damage:
        raise Malformed(found.damage)
    return found


def _chosen(by: str) -> Line | None:
    """Return the calibration at index *by* of the list, or None for the calibration in use."""
    if not by:
        return None
    lines = [line for each in calibrations_by_copy().values() for line in reversed(each)]
    if not by.isdigit() or int(by[:6]) >= len(lines):
        raise Malformed(said("That calibration is gone."))
    return lines[int(by[:6])]


def _page(entry: GameEntry, found: Rejudging | None) -> str:
    players = entry.header.get("players", ())
    letters = initials([player["name"] for player in players])
    files: list[CalibrationFile] = [
        calibration_file(line) for each in calibrations_by_copy().values() for line in reversed(each)
    ]
    facts = {
        "entry": entry,
        "names": [player["name"] for player in players],
        "who": {player["colour"]: (player["name"], letters[at]) for at, player in enumerate(players)},
        "kept": files,
        "chosen": request.form.get("by", ""),
        "found": found,
        "rows": () if found is None else _rows(found),
        # The result exists only on this page, so a live update must not replace the page.
        "still": found is not None,
    }
    return render_template("reclassify.html", **facts)


def _rows(found: Rejudging) -> tuple[PassageRow, ...]:
    """Return the passages, those that would change first."""
    order = {"changes": 0, "asks": 1, "unread": 2, "": 3}
    rows = [_row(each) for each in found.passages]
    return tuple(sorted(rows, key=lambda row: order[row.mark]))


def _row(each: Rejudged) -> PassageRow:
    now = each.now.colour if each.now is not None else None
    pair = each.kind == "pair"
    words = "" if pair and each.became == PAIR else BECAME.get(each.became, "")
    if each.by_hand and each.colour:
        words = _("%(what)s, typed in", what=words) if words else _("typed in")
    mark = "changes" if each.changes else "asks" if each.asks else "unread" if each.now is None else ""
    return PassageRow(each.at_ms, each.colour, now, words, mark, pair)
