"""What happened in any stored game or uploaded record: its story, and the board at each step; also two games at once.

The permission is the same as for a game's history, and cards that are still face down are never shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from urllib.parse import urlencode

from flask import Blueprint, abort, make_response, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.kernel.errors import Malformed, Refused
from companion.kernel.languages import DEFAULT
from companion.kernel.said import said
from companion.ledger import Unreadable
from companion.records import RecordError, read_file
from companion.session.hidden import SeenTimeline, seen_record
from companion.session.timeline import Route, Timeline, of_record
from web.components.players import Face, faces, listed
from web.components.replay_steps import begun, part_of, seen_last
from web.http.i18n import _, translated
from web.http.request_parsing import LARGEST
from web.pages.history import rows
from web.pages.home import entry_of
from web.pages.replay_file import replay_file
from web.pages.replay_stage import ReplayStage, move_at, names_of, stage_of
from web.pages.timeline_rows import TimelineRow, gathered
from web.request.apart import RECORD, Named, apart, made, made_apart
from web.request.context import filled_later, seen_through, services, snapshot
from web.request.refusal import refused
from web.server.making import Work

replay = Blueprint("replay", __name__)
FIELDS = ("at", "beside_at")
"""The query fields with the steps of two games side by side."""
NEWEST = 60
"""Number of games to choose from: the newest ones."""
FIELDS_OF_A_PAGE = ("at", "beside", "beside_at", "undone", "frame")
LOOKING, SAVING = said("Opening the story"), said("Making the file")
IN_OUR_FRAME = {
    "X-Frame-Options": "SAMEORIGIN",
    "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
}
"""Headers for a page that another page of ours may show in a frame. Such a page must not change anything."""


@dataclass(frozen=True)
class ReplayFrame:
    """One of two games side by side: its query *field*, the URL of its frame, its players, its *last* step."""

    field: str
    address: str
    names: tuple[str, ...]
    faces: Mapping[str, Face]
    last: int


@dataclass(frozen=True)
class ReplaySide:
    """One game in a replay page; *address* is the URL for its steps."""

    address: str
    timeline: SeenTimeline
    route: Route
    names: tuple[str, ...]
    title: str
    stage: ReplayStage
    over: bool


def _shown(named: Named) -> tuple[str, ...]:
    """Return the one or two games on the page."""
    own = str(named.get("game_id") or named.get("key"))
    return tuple(filter(None, (own, request.args.get("beside", ""))))


def _brought(named: Named) -> dict[str, bytes]:
    """Return the uploaded records on the page; the process that makes the page has no other access to them."""
    found = {key: services().brought.find(key) for key in _shown(named) if not key.isdigit()}
    return {key: record for key, record in found.items() if record is not None}


looked_through = partial(made_apart, games=_shown, given=_brought)


@replay.get("/history")
def here() -> Response:
    """Redirect to the story of the game on the table. Browsers must ask again, as next time it may be another game."""
    number = snapshot().game_id
    if number is None:
        return redirect("/", 307)
    query = request.query_string.decode("ascii", "ignore")
    return redirect(f"/games/{number}/replay" + (f"?{query}" if query else ""), 307)


@replay.get("/games/<int:game_id>/replay")
@looked_through(*FIELDS_OF_A_PAGE, words=LOOKING, for_viewer=True, quick=True)
def page(game_id: int) -> str | Response:
    """Show a game of the ledger at one step, by default the last. Another game may be shown next to it."""
    return _page(f"/games/{game_id}/replay", str(game_id))


@replay.get("/games/<int:game_id>/replay.html")
@looked_through(words=SAVING, saves=True)
def take_along(game_id: int) -> Response:
    """Return a game of the ledger as one HTML file that works without a server."""
    return _file(str(game_id), f"game-{game_id}.html")


@replay.get("/replay/<key>.html")
@looked_through(words=SAVING, saves=True)
def take_brought(key: str) -> Response:
    """Return an uploaded record as one HTML file that works without a server."""
    return _file(key, "game.html")


@replay.get("/games/<int:game_id>/replay/step")
@looked_through("at", "undone", quick=True)
def step(game_id: int) -> str:
    """Return one step without the page around it; a script inserts it."""
    return _step(str(game_id))


@replay.get("/replay/<key>")
@looked_through(*FIELDS_OF_A_PAGE, words=LOOKING, for_viewer=True, quick=True)
def brought(key: str) -> str | Response:
    """Show an uploaded record."""
    return _page(f"/replay/{key}", key)


@replay.get("/replay/<key>/step")
@looked_through("at", "undone", quick=True)
def brought_step(key: str) -> str:
    """Return one step of an uploaded record."""
    return _step(key)


@replay.get("/replay")
def choose() -> str:
    """Show the choice of a record or game to replay. The query field `beside` names a game to show next to it."""
    second = request.args.get("beside", "")
    base = _where(second)
    entries = [entry_of(entry) for entry in services().table.archive.games_before(LARGEST - 1, NEWEST) if entry.header]
    return render_template("replay_choose.html", entries=entries, beside=second, base=base)


@replay.post("/replay")
def bring() -> Response:
    """Check an uploaded record like an import, and show it without writing it to the ledger."""
    file, second = request.files.get("file"), request.form.get("beside", "")
    try:
        if file is None or not file.filename:
            raise Malformed(_("Choose a file first."))
        record = file.read()
        _check(record)
    except RecordError as fault:
        why = _("Line %(line)s: %(why)s", line=fault.line, why=translated(fault.reason))
        return refused(why, _where_to_choose(second))
    except Malformed as fault:
        return refused(fault.reason, _where_to_choose(second))
    key = services().brought.bring(record)
    return redirect(f"{_where(second)}?{urlencode({'beside': key})}" if second else f"/replay/{key}", 303)


def _check(record: bytes) -> None:
    """Raise an error if a record is wrong. The check runs in the separate process, since a record may be long."""
    if apart():
        made(Work(RECORD, DEFAULT, given=(("record", record),)))
    else:
        timeline_of(record)


def timeline_of(record: bytes) -> Timeline:
    """Return the timeline of a record, or raise `RecordError` or `Malformed`."""
    return of_record(services().table.archive.known_games, read_file(BytesIO(record)), begun)


def _where_to_choose(second: str) -> str:
    return f"/replay?{urlencode({'beside': second})}" if second else "/replay"


def _where(source: str) -> str:
    """Return the URL of a game's replay, or an empty text without a game."""
    return "" if not source else f"/games/{source}/replay" if source.isdigit() else f"/replay/{source}"


def _page(address: str, source: str) -> str | Response:
    second = request.args.get("beside", "")
    if second:
        return _two(address, source, second)
    undone, framed = "undone" in request.args, request.args.get("frame", "")
    side = _side(source, address, undone)
    facts = {"side": side, "stage": side.stage, "struck": undone, "framed": framed, "two": (), "source": source}
    facts["number"] = FIELDS.index(framed) + 1 if framed in FIELDS else 0
    facts["to"] = partial(_to, address, {"undone": undone, "frame": framed})
    facts["any_undone"] = _any_undone(side.timeline)
    if not framed:
        facts["story"] = story(side.timeline, side.route)
        facts["back"] = filled_later("back") or _back(source)
        return render_template("replay.html", address=address, **facts)
    response = make_response(render_template("replay_frame.html", **facts))
    response.headers.update(IN_OUR_FRAME)
    return response


def _back(source: str) -> str:
    return "/table" if source == str(snapshot().game_id) else "/games"


def _two(address: str, source: str, second: str) -> str:
    """Return the page with two games, each in a frame for its half of the screen."""
    undone, frames = "undone" in request.args, list[ReplayFrame]()
    timelines = [_timeline(source), _timeline(second)]
    for field, other, timeline in zip(FIELDS, (source, second), timelines, strict=True):
        fields = {"at": request.args.get(field, type=int), "undone": undone, "frame": field}
        seats = timeline.game.seats(timeline.newest)
        frames.append(ReplayFrame(field, _to(_where(other), fields), names_of(timeline), faces(seats), len(timeline)))
    to = partial(_to, address, {"at": request.args.get("at"), "beside": second, "undone": undone})
    any_undone = any(map(_any_undone, timelines))
    return render_template("replay.html", two=frames, to=to, source=source, struck=undone, any_undone=any_undone)


def _any_undone(timeline: SeenTimeline) -> bool:
    return len(timeline.route(True).steps) > len(timeline.route().steps)


def _to(address: str, usual: Mapping[str, object], **fields: object) -> str:
    """Return the URL *address* with *usual* and *fields* as its query. Values None, False and "" are left out."""
    said = {**usual, **fields}
    given = {name: value for name, value in said.items() if value not in (None, "") and value is not False}
    return f"{address}?{urlencode({name: 1 if value is True else value for name, value in given.items()})}"


def _file(source: str, name: str) -> Response:
    response = make_response(replay_file(_timeline(source)))
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _step(source: str) -> str:
    timeline = _timeline(source)
    route = timeline.route("undone" in request.args)
    stage = stage_of(timeline, route, route.nearest(_asked(timeline)))
    return render_template("replay_step.html", stage=stage, to=None, swapped=True)


def _side(source: str, address: str, undone: bool) -> ReplaySide:
    timeline = _timeline(source)
    route, cover = timeline.route(undone), services().covers.get(timeline.game.name)
    at = route.nearest(_asked(timeline))
    return ReplaySide(
        address,
        timeline,
        route,
        names_of(timeline),
        timeline.game.name if cover is None else cover.title,
        stage_of(timeline, route, at),
        timeline.game.result(timeline.newest) is not None,
    )


def _asked(timeline: SeenTimeline) -> int:
    asked = request.args.get("at", len(timeline), type=int)
    return max(0, min(asked, len(timeline)))


def _timeline(source: str) -> SeenTimeline:
    """Return the game of *source*: a number in the ledger, or the key of an uploaded record."""
    if not source.isdigit():
        brought = services().brought.timeline(source, timeline_of)
        return abort(404) if brought is None else seen_record(brought)
    if not 0 < int(source) < LARGEST:
        abort(404)
    try:
        return seen_through(int(source), services().table.archive.timeline(int(source), begun))
    except Unreadable as fault:
        raise Refused(fault.refusal) from fault
    except Malformed:
        return abort(404)


@dataclass(frozen=True)
class StoryLine:
    """One line: the step that it opens, whose move it was, and what happened.

    *head* is the heading above it, if a new part of the game begins; *gains* are the points that it brought.
    """

    step: int
    row: TimelineRow
    sentence: str
    small: str
    gains: tuple[tuple[Face, str], ...]
    head: str = ""


def story(timeline: SeenTimeline, route: Route) -> tuple[StoryLine, ...]:
    """Return the lines of *route*. Moves that belong together share one line, which opens the last of them."""
    moves = {step: move for step in route.steps if (move := move_at(timeline.at(step))) is not None}
    steps = {id(move): step for step, move in moves.items()}
    found, head = [], ""
    for row in reversed(gathered(_without_openings(rows(tuple(moves.values())[::-1], seen_last(timeline))))):
        above = _head(timeline, row)
        found.append(_line(steps[id(_last(row).move)], row, above if above != head else ""))
        head = above
    return tuple(found)


def _without_openings(found: tuple[TimelineRow, ...]) -> tuple[TimelineRow, ...]:
    """Return the rows, newest first, without the openings that are followed by a move of the same seat."""
    later = (None, *found)
    return tuple(row for row, after in zip(found, later, strict=False) if not (after and _opens(row, after)))


def _opens(row: TimelineRow, after: TimelineRow) -> bool:
    undone = row.move.line.undone or after.move.line.undone
    return row.moment.opening and row.moment.seat == after.moment.seat and not undone


def _last(row: TimelineRow) -> TimelineRow:
    return row.within[-1] if row.within else row.answer or row


def _head(timeline: SeenTimeline, row: TimelineRow) -> str:
    """Return the part of the game and the section that *row* belongs to, in words. A numbered section needs no part."""
    if any(map(str.isdigit, row.moment.section)):
        return row.moment.section
    part = part_of(timeline, (row.within[0] if row.within else row).move.before)
    return ", ".join(filter(None, (part, row.moment.section)))


def _line(step: int, row: TimelineRow, head: str) -> StoryLine:
    if not row.within:
        small = row.answer.moment.sentence if row.answer else row.moment.aside
        return StoryLine(step, row, row.moment.sentence, small, row.gains, head)
    if row.moment.card:
        assert row.face is not None, "cards are played by somebody"
        who = _("%(name)s plays", name=row.face.name)
        return StoryLine(step, row, f"{who} {', '.join(each.moment.card for each in row.within)}", "", (), head)
    names = listed(each.face.name for each in row.within if each.face)
    return StoryLine(step, row, f"{names} {row.moment.alike}", "", (), head)
