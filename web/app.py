"""Puts the pages and addresses together into one Flask application."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from time import monotonic

from flask import Blueprint, Flask, get_flashed_messages, request
from werkzeug.wrappers import Response

from companion.practice import PracticeTable
from companion.ringport import RingPort
from companion.table import Table
from web import faults, saying, words
from web.access import Access
from web.api import api
from web.clock import clock_face, in_words
from web.clock_pages import clock as clock_pages
from web.device import device
from web.doors import Doors
from web.front import BODY_MOST, MOST
from web.gamepages import GamePages
from web.good_night import good_night
from web.house import House, at_the_table, here, house, is_host, lesson, may_act, may_undo, ring_view, seat, sight
from web.joining import joining
from web.keeping import keeping
from web.languages import languages
from web.looking_back import looking_back
from web.pages import pages as generic_pages
from web.pin import pin
from web.practising import practising
from web.rights import authorise, csrf
from web.ringside import ringside
from web.rules import card_here, rules
from web.smaller import pack
from web.starting import starting
from web.streams import HEARTBEAT_S
from web.tableside import table as table_pages
from web.teaching import teaching
from web.welcome import welcome

OURS = (
    generic_pages,
    device,
    languages,
    pin,
    joining,
    starting,
    clock_pages,
    table_pages,
    ringside,
    teaching,
    keeping,
    looking_back,
    api,
    good_night,
    practising,
    rules,
    welcome,
)
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
    pages: Mapping[str, GamePages],
    access: Access,
    now: Callable[[], float] = monotonic,
    heartbeat_s: float = HEARTBEAT_S,
    power_off: Callable[[], None] | None = None,
    doors: Callable[[], Doors] = Doors,
) -> Flask:
    """Return the pages and addresses of one evening.

    *now* is the clock the table and the ring go by; *power_off* has the
    evening end and the computer switched off, None where it cannot be;
    *doors* says where phones find this house.
    """
    app = Flask("web", root_path=str(Path(__file__).parent))
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.extensions["house"] = House(table, ring, pages, access, now, heartbeat_s, power_off, PracticeTable(now), doors)
    app.config.update(_settings(access))
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.before_request(_measured)  # before anybody reads the form
    app.before_request(authorise)
    app.after_request(_guarded)
    app.after_request(pack)
    _speak(app)
    app.jinja_env.globals["game_scripts"] = tuple(script for game in pages.values() for script in _scripts(game))
    for blueprint in (*OURS, *map(_shelf, pages.values())):
        app.register_blueprint(blueprint)
    faults.install(app)
    return app


def _settings(access: Access) -> dict[str, object]:
    """Return what Flask is told: how much is let in, and how a browser keeps its session."""
    return {
        "MAX_CONTENT_LENGTH": BODY_MOST,
        "MAX_FORM_MEMORY_SIZE": BODY_MOST,
        "MAX_FORM_PARTS": 400,
        "PERMANENT_SESSION_LIFETIME": timedelta(days=30),
        "SECRET_KEY": access.secret,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_NAME": "companion",
        "SESSION_COOKIE_SAMESITE": "Lax",
    }


def _shelf(game: GamePages) -> Blueprint:
    """Return the shelf with a game's own templates and pictures."""
    folder = Path(inspect.getfile(type(game))).parent
    static = folder / "static"
    return Blueprint(
        game.name,
        game.name,
        root_path=str(folder),
        template_folder=str(folder / "templates"),
        static_folder=str(static) if static.is_dir() else None,
        static_url_path=f"/static/{game.name}",
    )


def _scripts(game: GamePages) -> list[str]:
    """Return the addresses of a game's own scripts, in the order of their names."""
    static = Path(inspect.getfile(type(game))).parent / "static"
    return [f"/static/{game.name}/{script.name}" for script in sorted(static.glob("*.js"))]


def _speak(app: Flask) -> None:
    """Give templates the few words and facts that every page needs."""
    saying.install(app)
    app.jinja_env.filters.update(
        age=words.age,
        day=words.day,
        in_words=in_words,
        into_play=words.into_play,
        listed=words.listed,
        named=words.named,
    )
    app.jinja_env.globals.update(card_here=card_here, csrf=csrf, here=here, shown_version=lambda: sight().version)
    app.context_processor(_facts)


def _facts() -> dict[str, object]:
    evening = house()
    return {
        "clock": clock_face(sight()),
        "heartbeat_s": evening.heartbeat_s,
        "at_the_table": at_the_table(),
        "host": is_host(),
        "lesson": lesson() if sight().game_id is not None else None,
        "may_act": may_act(),
        "may_undo": may_undo(),
        "now": evening.now(),
        "part": request.headers.get("X-Part") == "main",
        "refusals": get_flashed_messages,
        "ring": ring_view(),
        "own_seat": seat(),
        "sight": sight(),
        "storage": sight().storage,
    }


def _measured() -> None:
    """Let as much in as the front door does."""
    request.max_content_length = MOST.get(request.path, BODY_MOST)


def _guarded(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint is None or not request.endpoint.endswith("static"):
        response.headers.setdefault("Cache-Control", "no-store")
        response.vary.update(("X-Part", "Cookie", "Accept-Language"))
    return response
