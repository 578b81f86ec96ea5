"""The club's application. Everybody may look; making changes and seeing all names needs the club's PIN."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, redirect, render_template, request, session
from jinja2 import FileSystemLoader
from werkzeug.exceptions import Forbidden, HTTPException, ServiceUnavailable
from werkzeug.wrappers import Response as Answer

from companion.club.decisions import NO_POINTS, Decisions
from companion.club.league import Result, SeatResult, Standing, persons, results, standings
from companion.club.wall import Need, Tile, Wall
from companion.kernel.errors import Malformed
from companion.kernel.names import same_person
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.ledger import LedgerFault
from web.auth.pin import HostPin
from web.games.registry import COVERS
from web.http import compact, i18n
from web.http.formatting import FILTERS
from web.http.i18n import _
from web.http.reused_modules import ReusingEnvironment
from web.request.clock_face import bank_in_words
from web.request.endpoint_access import check_meant, csrf

WORDS: Mapping[Need, Any] = {
    Need.ASKS: said("Asks: which cube came out?"),
    Need.STORAGE: said("Can't save its game"),
    Need.FORK: said("Played on from an older copy"),
    Need.GONE: said("Switched off"),
    Need.SILENT: said("No news"),
    Need.RING: said("Ring silent"),
    Need.SLOW: said("A long turn"),
    Need.CALLED: said("Called"),
}
URGENT = frozenset({Need.ASKS, Need.STORAGE, Need.GONE, Need.SILENT})
"""The needs for which somebody should go to the table; other needs are shown only in the list or on the tile."""
ON_TILES = frozenset(WORDS) - {Need.SLOW}
NEWEST = 200
DELAYS = (0, 1, 2, 5, 10, 15)
"""The possible delays, in minutes, with which spectators see a table."""
MOST_LEADS = 2
"""If more players than this share the lead, nobody is shown as ahead."""
WHY: Mapping[int, Any] = {400: said("That isn't possible."), 404: said("There's no such page.")}
"""The text of an error page by HTTP status. Errors with another status have their own sentence."""
_ANONYMOUS = said("somebody")
pages = Blueprint("pages", __name__)


@dataclass(frozen=True)
class Club:
    """What the pages show. *played* returns the results of the tables, *late* those with missing rows.

    *call* calls the table with an address, and returns whether the broker got the call.
    """

    name: str
    wall: Wall
    decisions: Decisions
    access: HostPin
    played: Callable[[], Sequence[Result]]
    late: Callable[[], Sequence[str]]
    call: Callable[[str], bool]


def make_club_app(club: Club) -> Flask:
    """Return the application of *club*."""
    root = Path(__file__).parent
    app = Flask("club", root_path=str(root), static_folder=str(root.parent / "static"), static_url_path="/static")
    app.jinja_environment = ReusingEnvironment
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True, "extensions": (compact.CompactTemplates,)}
    app.jinja_loader = FileSystemLoader([root / "templates", root.parent / "templates"])
    app.config.update(
        SECRET_KEY=club.access.secret,
        SESSION_COOKIE_NAME="companion-club",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        PERMANENT_SESSION_LIFETIME=timedelta(days=1),
        MAX_CONTENT_LENGTH=64 * 1024,
    )
    i18n.install(app)
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals.update(csrf=csrf, game_pictures=list)
    app.after_request(compact.compacted)
    app.after_request(_guarded)
    app.context_processor(lambda: {"club": club, "host": _is_host(), "part": "X-Part" in request.headers})
    app.extensions["club"] = club
    app.register_blueprint(pages)
    return app


def _guarded(answer: Response) -> Response:
    answer.headers["Content-Security-Policy"] = (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    answer.headers["X-Content-Type-Options"] = "nosniff"
    if request.endpoint != "static":
        answer.headers["Cache-Control"] = "no-store"
    return answer


def _club() -> Club:
    found: Club = current_app.extensions["club"]
    return found


def _is_host() -> bool:
    return _club().access.is_host(session.get("device"), session.get("host"), request.remote_addr or "")


def _title(game: str) -> Any:
    return COVERS[game].title if game in COVERS else game


def _called(person: str) -> Any:
    """Return the name of a person for this visitor: the club's own people see all names."""
    agreed = same_person(person) in _club().decisions.decided.agreed
    return person if agreed or _is_host() else _ANONYMOUS


def _tile(tile: Tile) -> dict[str, Any]:
    shown = [need for need in tile.needs if need in ON_TILES]
    state = tile.state
    points = {} if state is None else state.points
    best = max(points.values(), default=0)
    leads = [colour for colour, value in points.items() if value == best]
    return {
        "number": tile.number,
        "address": tile.address,
        "state": state,
        "game": _title(state.game) if state is not None and state.game else "",
        "leads": leads if len(leads) <= MOST_LEADS else [],
        "best": best,
        "time": bank_in_words(tile.turn_s * 1000),
        "need": WORDS[shown[0]] if shown else "",
        "urgent": bool(shown) and shown[0] in URGENT,
        "quiet": bool({Need.GONE, Need.SILENT} & set(tile.needs)),
    }


def _wanted(tiles: Sequence[Tile]) -> list[tuple[str, Any]]:
    """Return the tables that need somebody, each with the reason: the most urgent first, slow tables last."""
    order = list(Need)
    found = [(tile.number, tile.needs[0]) for tile in tiles if tile.needs and tile.needs[0] is not Need.CALLED]
    return [(number, WORDS[need]) for number, need in sorted(found, key=lambda each: order.index(each[1]))]


@pages.get("/")
def home() -> Answer:
    return redirect("/club")


@pages.get("/club")
@pages.get("/club/screen", endpoint="screen")
def wall() -> str:
    tiles = _tiles()
    ranked = standings(results(_club().played(), _club().decisions.decided))[:9]
    shown = [(_called(each.person), each.points) for each in ranked]
    return render_template("club/wall.html", tiles=[*map(_tile, tiles)], wanted=_wanted(tiles), leaders=shown)


@pages.get("/club.json")
def tiles_as_json() -> Response:
    return jsonify([_as_json(tile) for tile in _tiles()])


@pages.get("/club/table/<number>")
def table(number: str) -> str:
    tile = _tile_of(number)
    delay = _club().decisions.decided.delays.get(tile.address, 0) // 60
    return render_template("club/table.html", tile=_tile(tile), delay=delay, delays=DELAYS)


@pages.post("/club/table/<number>")
def decide_table(number: str) -> Answer:
    _must_be_host()
    tile, deed = _tile_of(number), request.form.get("do", "")
    if deed == "call":
        if not _club().call(tile.address):
            raise ServiceUnavailable(_("The broker can't be reached: the table wasn't called."))
    elif deed == "delay":
        _club().decisions.delay(tile.address, 60 * _number(request.form.get("minutes", "")))
    else:
        abort(400)
    return redirect(f"/club/table/{tile.number}", 303)


def _tiles() -> Sequence[Tile]:
    """Return the tiles of all tables, for this visitor."""
    return _club().wall.tiles(everything=_is_host())


def _tile_of(number: str) -> Tile:
    """Return the tile of the table with this number, or abort with status 404."""
    return next((each for each in _tiles() if number in (each.number, each.label)), None) or abort(404)


@pages.get("/club/results")
def all_results() -> str:
    played = results(_club().played(), _club().decisions.decided)
    # Nobody wins at an open draw table.
    won = [each for each in played if any(seat.rank is not None for seat in each.seats)]
    return render_template("club/results.html", results=[_result(each) for each in won[-NEWEST:][::-1]])


@pages.post("/club/results")
def decide_result() -> Answer:
    _must_be_host()
    seats, deed = _seats_of(request.form.get("game", "")), request.form.get("do", "")
    game = request.form["game"]
    if deed == "confirm":
        _club().decisions.confirm(game)
    elif deed == "drop":
        _club().decisions.drop(game)
    elif deed == "correct":
        _club().decisions.correct(game, _totals(seats, request.form.getlist("total")))
    else:
        abort(400)
    return redirect("/club/results", 303)


def _seats_of(game: str) -> Sequence[SeatResult]:
    """Return the seats of the finished game with this identity, or abort with status 404."""
    return next((each.seats for each in _club().played() if each.identity == game), None) or abort(404)


def _totals(seats: Sequence[SeatResult], texts: Sequence[str]) -> tuple[int, ...]:
    """Return the typed points, one for each seat. A player who left early needs none."""
    if len(texts) != len(seats):
        raise Malformed(NO_POINTS)
    return tuple(
        0 if seat.left and not text.strip() else _number(text) for seat, text in zip(seats, texts, strict=True)
    )


@pages.get("/club/league")
def league() -> str:
    chosen = request.args.get("game", "")
    played = results(_club().played(), _club().decisions.decided)
    ranked = [_standing(each) for each in standings(played, chosen)]
    kinds = {each.kind: _title(each.kind) for each in played}
    return render_template("club/league.html", ranked=ranked, kinds=kinds, chosen=chosen, late=_club().late())


@pages.get("/club/people")
def people() -> str:
    _must_be_host()
    decided = _club().decisions.decided
    found = [
        {"name": name, "games": games, "agreed": same_person(name) in decided.agreed}
        for name, games in persons(results(_club().played(), decided)).items()
    ]
    return render_template("club/people.html", people=found)


@pages.post("/club/people")
def decide_people() -> Answer:
    _must_be_host()
    name, deed = request.form.get("name", ""), request.form.get("do", "")
    if deed == "join":
        _club().decisions.join(name, request.form.get("person", ""))
    elif deed == "agree":
        _club().decisions.agree(name, request.form.get("may") == "yes")
    elif deed == "split":
        game, place = request.form.get("game", ""), _number(request.form.get("place", ""))
        if place not in {seat.place for seat in _seats_of(game)}:
            abort(404)
        _club().decisions.split(game, place, name)
    else:
        abort(400)
    return redirect("/club/people" if deed != "split" else "/club/results", 303)


@pages.route("/club/pin", methods=["GET", "POST"])
def pin() -> str | Answer:
    if request.method == "GET":
        return render_template("club/pin.html", wrong="")
    check_meant(request.form.get("csrf", ""))
    address, device = request.remote_addr or "", session.get("device")
    wait = math.ceil(_club().access.admit(address, device))
    if wait:
        return render_template("club/pin.html", wrong=_("Too many tries: wait %(num)s s.", num=wait))
    if not _club().access.enter("".join(request.form.get("pin", "").split()), address, device):
        return render_template("club/pin.html", wrong=_("That isn't the PIN of the club."))
    session["device"], session["host"] = _club().access.sign_in(device, address)
    session.permanent = True
    return redirect("/club", 303)


@pages.app_errorhandler(Malformed)
def malformed(fault: Malformed) -> tuple[str, int]:
    return render_template("club/base.html", why=fault.reason), 400


@pages.app_errorhandler(LedgerFault)
def unreadable(fault: LedgerFault) -> tuple[str, int]:
    why = _("The club's ledger can't be read: %(why)s Type companion club verify.", why=str(fault))
    return render_template("club/base.html", why=why), 503


@pages.app_errorhandler(OSError)
def unwritable(fault: OSError) -> tuple[str, int]:
    why = _("Nothing was changed, because nothing can be saved: %(why)s", why=fault.strerror or str(fault))
    return render_template("club/base.html", why=why), 507


@pages.app_errorhandler(HTTPException)
def refused(fault: HTTPException) -> tuple[str, int]:
    code = fault.code or 500
    why = WHY.get(code, fault.description or fault.name)
    return render_template("club/base.html", why=why), code


def _must_be_host() -> None:
    if request.method == "POST":
        check_meant(request.form.get("csrf", ""))
    if not _is_host():
        raise Forbidden(_("Enter the club's PIN first."))


def _number(text: str) -> int:
    try:
        return int(text.strip().replace("−", "-"))
    except ValueError:
        raise Malformed(NO_POINTS) from None


def _as_json(tile: Tile) -> dict[str, Any]:
    state = tile.state
    shown = {} if state is None else {**state.__dict__, "points": dict(state.points)}
    return {"table": tile.label, **shown, "needs": list(map(str, tile.needs)), "turn_s": tile.turn_s}


def _result(result: Result) -> dict[str, Any]:
    seats = [{**seat.__dict__, "person": _called(seat.person)} for seat in result.seats]
    ended = result.ended_ms / 1000
    return {**result.__dict__, "seats": seats, "title": _title(result.kind), "ended": ended}


def _standing(standing: Standing) -> dict[str, Any]:
    counts = {"games": standing.games, "wins": standing.wins, "points": standing.points, "sure": standing.sure}
    return {"person": _called(standing.person), **counts}
