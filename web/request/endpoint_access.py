"""Access control: one table with the required permission of each endpoint, and one function that checks every request.

Anybody on the network may look, but sees nothing hidden. A phone that has joined a seat may act for that seat
(`web.auth.phone_permissions` has the details). All other changes, and files with hidden information, require the host's
session or a script's token. An endpoint that isn't in the table is for the host only.
"""

from __future__ import annotations

import hmac
import math
import secrets
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeVar, cast
from urllib.parse import urlsplit

from flask import Flask, g, request, session
from werkzeug.exceptions import Forbidden, TooManyRequests, Unauthorized
from werkzeug.test import EnvironBuilder

from companion.kernel.said import said
from web.http.asgi import Scope, header
from web.http.i18n import _
from web.request.context import at_the_table, filled_later, is_host, seat, services

T = TypeVar("T")
SAFE = ("GET", "HEAD", "OPTIONS")


class EndpointAccess(StrEnum):
    """Who may use an endpoint."""

    LOOK = "look"  # anybody on the network
    TRY = "try"  # anybody, but only from our own pages: entering a PIN, signing out
    SEAT = "seat"  # a seat's phone, for that seat; the host for every seat
    HOST = "host"  # the host's session, or a token


ACCESS: Mapping[str, EndpointAccess] = {
    "static": EndpointAccess.LOOK,
    "device.page": EndpointAccess.LOOK,
    "device.manifest": EndpointAccess.LOOK,
    "device.drawn": EndpointAccess.LOOK,
    "device.join_club": EndpointAccess.HOST,
    "device.leave_club": EndpointAccess.HOST,
    "home.page": EndpointAccess.LOOK,
    "home.games": EndpointAccess.LOOK,
    "statistics.page": EndpointAccess.LOOK,
    "statistics.player": EndpointAccess.LOOK,
    "ring.page": EndpointAccess.LOOK,
    "fairness.page": EndpointAccess.LOOK,
    "verify.page": EndpointAccess.LOOK,
    "verify.file": EndpointAccess.LOOK,
    "verify.words": EndpointAccess.SEAT,
    "ring.diagnostics": EndpointAccess.HOST,
    "calibration.teach": EndpointAccess.HOST,
    "calibration.check": EndpointAccess.LOOK,
    "calibration.take": EndpointAccess.HOST,
    "reclassify.judge": EndpointAccess.HOST,
    "so_far.page": EndpointAccess.LOOK,
    "so_far.record": EndpointAccess.HOST,
    "so_far.resume": EndpointAccess.HOST,
    "after.page": EndpointAccess.LOOK,
    "after.picture": EndpointAccess.LOOK,
    "replay.here": EndpointAccess.LOOK,
    "replay.page": EndpointAccess.LOOK,
    "replay.step": EndpointAccess.LOOK,
    "replay.brought": EndpointAccess.LOOK,
    "replay.brought_step": EndpointAccess.LOOK,
    "replay.take_along": EndpointAccess.SEAT,
    "replay.take_brought": EndpointAccess.SEAT,
    "replay.choose": EndpointAccess.LOOK,
    "replay.bring": EndpointAccess.HOST,
    "names.change": EndpointAccess.HOST,
    "game_files.night": EndpointAccess.HOST,
    "game_files.bring": EndpointAccess.HOST,
    "game_files.state": EndpointAccess.HOST,
    "game_files.draws": EndpointAccess.HOST,
    "calibration_files.take_away": EndpointAccess.HOST,
    "calibration_files.bring": EndpointAccess.HOST,
    "device.choose_language": EndpointAccess.TRY,
    "power_off.page": EndpointAccess.LOOK,
    "moved.page": EndpointAccess.LOOK,
    "power_off.off": EndpointAccess.HOST,
    "practice.page": EndpointAccess.LOOK,
    "practice.drive": EndpointAccess.HOST,
    "screen.page": EndpointAccess.LOOK,
    "onboarding.page": EndpointAccess.LOOK,
    "onboarding.keep_board": EndpointAccess.HOST,
    "onboarding.keep_cubes": EndpointAccess.HOST,
    "onboarding.tick": EndpointAccess.HOST,
    "sign_in.show": EndpointAccess.LOOK,
    "sign_in.enter": EndpointAccess.TRY,
    "sign_in.leave": EndpointAccess.TRY,
    "join.page": EndpointAccess.LOOK,
    "join.sit": EndpointAccess.TRY,
    "join.get_up": EndpointAccess.TRY,
    "join.free": EndpointAccess.HOST,
    "new_game.new": EndpointAccess.HOST,
    "new_game.open_new": EndpointAccess.HOST,
    "new_game.demo": EndpointAccess.HOST,
    "clock.pace": EndpointAccess.LOOK,
    "help.page": EndpointAccess.LOOK,
    "table.scene": EndpointAccess.LOOK,
    "table.menu": EndpointAccess.LOOK,
    "table.undo": EndpointAccess.LOOK,
    "table.countdown": EndpointAccess.LOOK,
    "table.deed": EndpointAccess.SEAT,
    "table.switch": EndpointAccess.HOST,
    "api.state": EndpointAccess.LOOK,
    "api.table": EndpointAccess.LOOK,
    "api.clock": EndpointAccess.LOOK,
    "api.times": EndpointAccess.LOOK,
    "api.utterances": EndpointAccess.LOOK,
    "api.answers": EndpointAccess.LOOK,
    "api.games": EndpointAccess.LOOK,
    "api.health": EndpointAccess.LOOK,
    "api.ring": EndpointAccess.LOOK,
    "api.ring_deed": EndpointAccess.HOST,
    "api.calibrations": EndpointAccess.LOOK,
    "api.description": EndpointAccess.LOOK,
    "api.record": EndpointAccess.HOST,
    "api.record_of": EndpointAccess.HOST,
    "api.command": EndpointAccess.SEAT,
    "api.deed": EndpointAccess.SEAT,
    "api.open_game": EndpointAccess.HOST,
    "api.take_in": EndpointAccess.HOST,
}


def access_to(endpoint: str) -> EndpointAccess:
    """Return who may use *endpoint*. Games' static files are public; endpoints not in the table are for the host."""
    if endpoint.endswith(".static"):
        return EndpointAccess.LOOK
    return ACCESS.get(endpoint, EndpointAccess.HOST)


class NotTheHost(Unauthorized):
    """Only the host may do this; *title* and *people* are texts of the page."""

    title = said("Only the host can do that")
    people = said("Enter the host's PIN, or ask at the tablet.")


class NotAPlayer(Unauthorized):
    """Only players may do this; *title* and *people* are texts of the page."""

    title = said("Only players can do that")
    people = said("Join a seat, or enter the host's PIN.")


def authorise() -> None:
    """Refuse the request unless its sender has the permission. It runs before every request."""
    if request.endpoint is None:
        return  # 404 or 405: there is nothing to protect
    _know_bearer()
    access = access_to(request.endpoint)
    if access is EndpointAccess.HOST and not is_host():
        raise NotTheHost(_("Only the host can do that. Enter the PIN, or send a token."))
    if access is EndpointAccess.SEAT and not at_the_table():
        raise NotAPlayer(_("Only players can do that. Join a seat or enter the host's PIN."))
    if request.method not in SAFE:
        if g.bearer is None:
            check_meant(request.form.get("csrf") or request.headers.get("X-CSRF-Token", ""))
        if access is EndpointAccess.LOOK:
            raise Forbidden(_("This address changes nothing."))


def _know_bearer() -> None:
    """Find out who sent a token. Refuse a wrong token even if no token is required."""
    g.bearer = None
    scheme, __, token = request.headers.get("Authorization", "").partition(" ")
    if not scheme:
        return
    if scheme.lower() == "bearer":
        g.bearer = services().access.name_of(token.strip())
    if g.bearer is None:
        raise Unauthorized(_("Unknown token."))


def sent_by_host(app: Flask, scope: Scope) -> bool:
    """Tell from a request's head alone whether the host or a token sent it."""
    return bool(_sent_by(app, scope, is_host))


def sent_from_table(app: Flask, scope: Scope) -> bool:
    """Tell from a request's head alone whether a player sent it: the host, a token, or a seat's phone."""
    return bool(_sent_by(app, scope, at_the_table))


def device_of(app: Flask, scope: Scope) -> str:
    """Return the seat or device that sent a request, from the cookie or token in its head, or "" if there is none.

    Only cookies and tokens that are valid now count: an old or forged cookie doesn't count as a separate client.
    """
    return _sent_by(app, scope, _device) or ""


def _device() -> str:
    if g.bearer is not None:
        return f"token {g.bearer}"
    if is_host():
        return f"device {session['device']}"
    return "" if seat() is None else f"seat {session['seat']}"


def _sent_by(app: Flask, scope: Scope, asked: Callable[[], T]) -> T | None:
    sent = {"HTTP_COOKIE": header(scope, b"cookie"), "HTTP_AUTHORIZATION": header(scope, b"authorization")}
    if not any(sent.values()):
        return None  # most requests of an attacker have neither, and cost nothing here
    client = scope.get("client") or ("",)
    sent["REMOTE_ADDR"] = str(client[0])
    with app.request_context({**EnvironBuilder().get_environ(), **sent}):
        try:
            _know_bearer()
        except Unauthorized:
            return None
        return asked()


def check_meant(token: str) -> None:
    """Refuse a change that another site made this browser send (CSRF)."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise Forbidden(_("That came from another site."))
    known = session.get("csrf", "")
    if not known or not hmac.compare_digest(token.encode(), known.encode()):
        raise Forbidden(_("This page is too old. Reload it."))


def csrf() -> str:
    """Return the token for this browser's forms."""
    if (later := filled_later("csrf")) is not None:
        return later
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    return cast(str, session["csrf"])


def patience(wait_s: float) -> None:
    """Refuse another PIN from an address that must wait *wait_s* seconds."""
    wait = math.ceil(wait_s)
    if wait:
        minutes = math.ceil(wait / 60)
        short = _("Too many wrong PINs. Try again in %(wait)s s.", wait=wait)
        long = _("Too many wrong PINs. Try again in %(minutes)s minutes.", minutes=minutes)
        raise TooManyRequests(short if wait < 120 else long, retry_after=wait)
