"""Puts all pages and API routes together into one Flask application."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from flask import Blueprint, Flask, g, get_flashed_messages, request
from werkzeug.routing import Rule
from werkzeug.wrappers import Response

from companion.autoplay.demo import PracticeTable
from companion.kernel.supervisor import Supervisor
from companion.luck import Luck, LuckInBackground
from companion.model.link import ClubSeat, LinkView
from companion.model.people import People
from companion.ports.ring import RingPort
from companion.session.fairness_watch import FairnessWatch, in_background
from companion.session.table import Table
from web.api.routes import api
from web.auth.pin import HostPin, LastingCookie
from web.commands.table import may, yours
from web.components.utterances import news
from web.http import compact, error_pages, formatting, i18n, reused_modules
from web.http.compact import pack
from web.http.compiled_templates import CompiledTemplates
from web.http.reused_modules import ReusingEnvironment
from web.pages.after import after
from web.pages.calibration import calibration
from web.pages.calibration_files import calibration_files
from web.pages.clock import clock as clock_pages
from web.pages.device import device
from web.pages.fairness import fairness
from web.pages.game_files import game_files
from web.pages.help import card_here, help_sheet
from web.pages.home import home
from web.pages.join import join
from web.pages.moved import moved
from web.pages.names import names
from web.pages.new_game import new_game
from web.pages.onboarding import onboarding
from web.pages.power_off import power_off
from web.pages.practice import practice
from web.pages.reclassify import reclassify
from web.pages.replay import replay
from web.pages.ring import ring
from web.pages.screen import screen
from web.pages.sign_in import sign_in
from web.pages.so_far import so_far
from web.pages.statistics import statistics
from web.pages.table import table as table_pages
from web.pages.verify import verify
from web.request.apart import LuckApart, NotYet, StillMaking, still_making
from web.request.clock_face import bank_in_words, clock_face, in_words
from web.request.context import (
    Services,
    at_the_table,
    cover_at_the_table,
    filled_later,
    here,
    is_host,
    lesson,
    may_act,
    players,
    ring_view,
    rings,
    seat,
    services,
    snapshot,
    words,
)
from web.request.endpoint_access import authorise, csrf, device_of, sent_by_host, sent_from_table
from web.request.game_pages import GameCover
from web.request.refusal import refused_form, with_what_was_entered
from web.server.entrances import Entrances
from web.server.gateway import BODY_MOST, MOST
from web.server.making import Workshop
from web.server.sse import HEARTBEAT_S

# URL rules with a lazily compiled URL builder.
#
# Werkzeug compiles two functions for each rule when the rule is added. That takes four fifths of the time to make an
# app, although most of these functions are never called. Measured: 10 ms instead of 60 for this app (CPython 3.11,
# x86).


class LateRule(Rule):
    """A URL rule that compiles its URL builder only when a URL is built from it for the first time.

    It overrides a private method of Werkzeug. If Werkzeug ever renames that method, rules are compiled when they are
    added, as before.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled: list[Callable[..., tuple[str, str]]] = []

        def build(rule: Rule, /, **values: object) -> tuple[str, str]:
            if not compiled:
                compiled.append(super(LateRule, self)._compile_builder(append_unknown))
            return compiled[0](rule, **values)

        return build


OURS = (
    home,
    device,
    sign_in,
    join,
    new_game,
    clock_pages,
    help_sheet,
    table_pages,
    ring,
    fairness,
    verify,
    calibration,
    calibration_files,
    names,
    reclassify,
    so_far,
    after,
    replay,
    game_files,
    api,
    power_off,
    practice,
    screen,
    statistics,
    onboarding,
    moved,
)
SCRIPTS = (
    "preserve_state",
    "typed",
    "relative_times",
    "moments",
    "event_source",
    "live",
    "sheet",
    "sound",
    "wake_lock",
    "announce",
    "preferences",
)
"""The scripts of every page, in the order of their dependencies.

A page adds its own scripts in its template block `js`.
"""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def make_app(
    table: Table,
    ring: RingPort | None,
    covers: Mapping[str, GameCover],
    access: HostPin,
    now: Callable[[], float] = monotonic,
    heartbeat_s: float = HEARTBEAT_S,
    power_off: Callable[[], None] | None = None,
    entrances: Callable[[], Entrances] = Entrances,
    people: People | None = None,
    threads: Supervisor | None = None,
    workshop: Workshop | None = None,
    application: Flask | None = None,
    links: Callable[[], tuple[LinkView, ...]] = tuple,
    club: Callable[[], ClubSeat] | None = None,
) -> Flask:
    """Return the Flask application for one server.

    *now* is the clock of the table and the ring. *power_off* stops the server and switches the computer off; it is None
    if that isn't possible. *entrances* returns the URLs for phones. *people* changes players' names; it is None if that
    isn't possible. *threads* supervises background threads; `/healthz` lists them. Without a *workshop* every page is
    made in the thread of its request. *links* returns the connections to a club and a home, and *club* the table's seat
    in a club; it is None if the table can't join one. Building routes and templates takes most of the time, so an
    *application* from an earlier call with the same *covers* can be used again.
    """
    threads, app = threads or Supervisor(), application or _application(covers)
    practice, fairness = PracticeTable(now), FairnessWatch(table.archive, in_background(threads))
    luck: Luck = LuckInBackground(table.archive.luck, threads) if workshop is None else LuckApart()
    app.extensions["house"] = Services(
        *(table, ring, covers, access, now, heartbeat_s),
        *(luck, fairness, power_off, practice, entrances),
        people=people,
        threads=threads,
        workshop=workshop,
        links=links,
        club=club,
    )
    app.extensions["workshop"] = workshop
    app.config.update(_settings(access))
    return app


def _application(covers: Mapping[str, GameCover]) -> Flask:
    """Return an application with all routes and templates, but without a table."""
    app = Flask("web", root_path=str(Path(__file__).parent))
    app.url_rule_class = LateRule
    app.jinja_environment = ReusingEnvironment
    app.jinja_options = _templates(Path(app.root_path))
    app.extensions["sent_by_host"] = partial(sent_by_host, app)
    app.extensions["device_of"] = partial(device_of, app)
    app.extensions["sent_from_table"] = partial(sent_from_table, app)
    app.session_interface = LastingCookie()
    app.json.sort_keys = False  # type: ignore[attr-defined]
    _hooks(app)
    _filters(app)
    _assets(app, covers)
    for blueprint in (*OURS, *map(_blueprint_of, covers.values())):
        app.register_blueprint(blueprint)
    error_pages.install(app, refused_form)
    app.register_error_handler(NotYet, lambda fault: Response(status=503))  # the gateway doesn't pass this on
    app.register_error_handler(StillMaking, still_making)
    return app


def _templates(root: Path) -> dict[str, Any]:
    """Return Jinja's options: each template is compiled once, without the white space that is only for readability."""
    compiled = CompiledTemplates.for_program(root, (__file__, i18n.__file__, compact.__file__, reused_modules.__file__))
    extensions = (compact.CompactTemplates,)
    return {"trim_blocks": True, "lstrip_blocks": True, "bytecode_cache": compiled, "extensions": extensions}


def _hooks(app: Flask) -> None:
    """Add the functions that run before and after every request."""
    app.before_request(_measured)  # before the form is read
    app.before_request(authorise)
    app.after_request(_guarded)
    app.after_request(pack)
    app.after_request(compact.compacted)  # runs before `pack`: the last one registered is the first to run
    app.after_request(with_what_was_entered)


def _assets(app: Flask, covers: Mapping[str, GameCover]) -> None:
    """Give templates the script names and the games' icon templates.

    A page of the table or about its game gets only the icons of that game.
    """
    drawn = {name: _pictures(game) for name, game in covers.items()}

    def game_pictures() -> list[str]:
        about = ("/table", f"/games/{snapshot().game_id}/")
        own = request.path.startswith(about) or (request.path == "/help" and "game" not in request.args)
        played = cover_at_the_table() if own else None
        return drawn[played.name] if played else [picture for each in drawn.values() for picture in each]

    app.jinja_env.globals["scripts"] = SCRIPTS
    app.jinja_env.globals["game_pictures"] = game_pictures


def _settings(access: HostPin) -> dict[str, object]:
    """Return Flask's settings: the largest request in bytes, and the session cookie."""
    return {
        "MAX_CONTENT_LENGTH": BODY_MOST,
        "MAX_FORM_MEMORY_SIZE": BODY_MOST,
        "MAX_FORM_PARTS": 400,
        "SECRET_KEY": access.secret,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_NAME": "companion",
        "SESSION_COOKIE_SAMESITE": "Lax",
    }


def _blueprint_of(game: GameCover) -> Blueprint:
    """Return a blueprint with a game's own templates and static files."""
    folder = game.folder
    static = folder / "static"
    return Blueprint(
        game.name,
        game.name,
        root_path=str(folder),
        template_folder=str(folder / "templates"),
        static_folder=str(static) if static.is_dir() else None,
        static_url_path=f"/static/{game.name}",
    )


def _pictures(game: GameCover) -> list[str]:
    """Return the name of the game's icon template in a list; the list is empty if it has none."""
    name = f"{game.name}/pictures.html"
    return [name] if (game.folder / "templates" / name).is_file() else []


def _filters(app: Flask) -> None:
    """Add the filters and functions that every template may use."""
    i18n.install(app)
    app.jinja_env.filters.update(formatting.FILTERS, bank_in_words=bank_in_words, in_words=in_words)
    app.jinja_env.globals.update(
        card_here=card_here,
        csrf=csrf,
        here=here,
        may=may,
        yours=yours,
        news=news,
        players_here=players,
        filled_later=filled_later,
        shown_version=lambda: filled_later("version") or snapshot().version,
    )
    app.context_processor(_facts)


def _facts() -> dict[str, object]:
    shared = services()
    return {
        "apart": g.get("apart"),
        "clock": clock_face(snapshot()),
        "game_words": words(),
        "heartbeat_s": shared.heartbeat_s,
        "at_the_table": at_the_table(),
        "host": is_host(),
        "lesson": lesson() if snapshot().game_id is not None else None,
        "may_act": may_act(),
        "now": shared.now(),
        "part": request.headers.get("X-Part") == "main",
        "refusals": get_flashed_messages,
        "ring": ring_view(),
        "own_seat": seat(),
        "rings": rings(),
        "snapshot": snapshot(),
        "storage": snapshot().storage,
        "unattended": snapshot().unattended,
        "switches_off": shared.power_off is not None,
    }


def _measured() -> None:
    """Allow the same body size as the gateway."""
    request.max_content_length = MOST.get(request.path, BODY_MOST)


def _guarded(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint is None or not request.endpoint.endswith("static"):
        response.headers.setdefault("Cache-Control", "no-store")
        response.vary.update(("X-Part", "Cookie", "Accept-Language"))
    return response
