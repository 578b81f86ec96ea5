"""Access control: one table with the required permission of each endpoint, and one function that checks every request.

Anybody on the network may look, but sees nothing hidden. A phone that has joined a seat may act for that seat
(`web.auth.seat_permissions` has the details). All other changes, and files with hidden information, require the host's
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


class Right(StrEnum):
    """The permission that an endpoint requires."""

    LOOK = "look"  # anybody on the network
    TRY = "try"  # anybody, but only from our own pages: entering a PIN, signing out
    SEAT = "seat"  # a seat's phone, for that seat; the host for every seat
    HOST = "host"  # the host's session, or a token


RIGHTS: Mapping[str, Right] = {
    "static": Right.LOOK,
    "device.page": Right.LOOK,
    "device.manifest": Right.LOOK,
    "device.drawn": Right.LOOK,
    "device.join_club": Right.HOST,
    "device.leave_club": Right.HOST,
    "home.page": Right.LOOK,
    "home.games": Right.LOOK,
    "statistics.page": Right.LOOK,
    "statistics.player": Right.LOOK,
    "ring.page": Right.LOOK,
    "fairness.page": Right.LOOK,
    "verify.page": Right.LOOK,
    "verify.file": Right.LOOK,
    "verify.words": Right.SEAT,
    "ring.diagnostics": Right.HOST,
    "calibration.teach": Right.HOST,
    "calibration.check": Right.LOOK,
    "calibration.take": Right.HOST,
    "reclassify.judge": Right.HOST,
    "so_far.page": Right.LOOK,
    "so_far.record": Right.HOST,
    "so_far.resume": Right.HOST,
    "after.page": Right.LOOK,
    "after.picture": Right.LOOK,
    "replay.here": Right.LOOK,
    "replay.page": Right.LOOK,
    "replay.step": Right.LOOK,
    "replay.brought": Right.LOOK,
    "replay.brought_step": Right.LOOK,
    "replay.take_along": Right.SEAT,
    "replay.take_brought": Right.SEAT,
    "replay.choose": Right.LOOK,
    "replay.bring": Right.HOST,
    "names.change": Right.HOST,
    "game_files.night": Right.HOST,
    "game_files.bring": Right.HOST,
    "game_files.state": Right.HOST,
    "game_files.draws": Right.HOST,
    "calibration_files.take_away": Right.HOST,
    "calibration_files.bring": Right.HOST,
    "device.choose_language": Right.TRY,
    "power_off.page": Right.LOOK,
    "moved.page": Right.LOOK,
    "power_off.off": Right.HOST,
    "practice.page": Right.LOOK,
    "practice.drive": Right.HOST,
    "screen.page": Right.LOOK,
    "onboarding.page": Right.LOOK,
    "onboarding.keep_board": Right.HOST,
    "onboarding.keep_cubes": Right.HOST,
    "onboarding.tick": Right.HOST,
    "sign_in.show": Right.LOOK,
    "sign_in.enter": Right.TRY,
    "sign_in.leave": Right.TRY,
    "join.page": Right.LOOK,
    "join.sit": Right.TRY,
    "join.get_up": Right.TRY,
    "join.free": Right.HOST,
    "new_game.new": Right.HOST,
    "new_game.open_new": Right.HOST,
    "new_game.demo": Right.HOST,
    "clock.pace": Right.LOOK,
    "help.page": Right.LOOK,
    "table.scene": Right.LOOK,
    "table.menu": Right.LOOK,
    "table.undo": Right.LOOK,
    "table.countdown": Right.LOOK,
    "table.deed": Right.SEAT,
    "table.switch": Right.HOST,
    "api.state": Right.LOOK,
    "api.table": Right.LOOK,
    "api.clock": Right.LOOK,
    "api.times": Right.LOOK,
    "api.utterances": Right.LOOK,
    "api.answers": Right.LOOK,
    "api.games": Right.LOOK,
    "api.health": Right.LOOK,
    "api.ring": Right.LOOK,
    "api.ring_deed": Right.HOST,
    "api.calibrations": Right.LOOK,
    "api.description": Right.LOOK,
    "api.record": Right.HOST,
    "api.record_of": Right.HOST,
    "api.command": Right.SEAT,
    "api.deed": Right.SEAT,
    "api.open_game": Right.HOST,
    "api.take_in": Right.HOST,
}


def right_of(endpoint: str) -> Right:
    """Return who may use *endpoint*. Games' static files are public; endpoints not in the table are for the host."""
    if endpoint.endswith(".static"):
        return Right.LOOK
    return RIGHTS.get(endpoint, Right.HOST)


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
    right = right_of(request.endpoint)
    if right is Right.HOST and not is_host():
        raise NotTheHost(_("Only the host can do that. Enter the PIN, or send a token."))
    if right is Right.SEAT and not at_the_table():
        raise NotAPlayer(_("Only players can do that. Join a seat or enter the host's PIN."))
    if request.method not in SAFE:
        if g.bearer is None:
            check_meant(request.form.get("csrf") or request.headers.get("X-CSRF-Token", ""))
        if right is Right.LOOK:
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
