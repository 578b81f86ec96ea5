"""Settings of this device (sound, light, language), and the manifest that installs the pages as an app."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as Answer

from companion.kernel.errors import Malformed, Refused
from companion.model.link import ClubSeat
from web.http.formatting import listed
from web.http.i18n import COOKIE, _, language, languages
from web.request.context import local, plays_itself, services

device = Blueprint("device", __name__)
CLUB_PAGE = "/device?show=club"
LONGEST_CODE = 16 * 1024
YEAR_S = 365 * 86400
PAPER = "#F0ECE2"
ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-512-round.png", "512x512", "maskable"),
)


@device.get("/device")
def page() -> str:
    """Show the settings that are stored on this device only, and links to what all devices share."""
    links = services().links()
    if request.args.get("show") == "club":
        return render_template("club_seat.html", link=next((each for each in links if each.club), None))
    can_join = services().club is not None and not any(link.club for link in links)
    return render_template("device.html", plays_itself=plays_itself(), links=links, can_join=can_join)


@device.post("/device/club")
def join_club() -> Answer:
    """Join a club with the code from its sheet."""
    try:
        _seat().take(request.form.get("code", "")[:LONGEST_CODE])
    except Refused as fault:
        raise Malformed(fault.reason, "code") from None
    return redirect(CLUB_PAGE, 303)


@device.post("/device/club/leave")
def leave_club() -> Answer:
    """Leave the club."""
    _seat().give_up()
    return redirect(CLUB_PAGE, 303)


def _seat() -> ClubSeat:
    seat = services().club
    return abort(404) if seat is None else seat()


@device.post("/language")
def choose_language() -> Answer:
    """Set the language of this device for a year."""
    chosen = request.form.get("language", "")
    if chosen not in languages().rows:
        abort(404)
    answer = redirect(local(request.form.get("next")), 303)
    answer.set_cookie(COOKIE, chosen, max_age=YEAR_S, samesite="Lax", httponly=True)
    return answer


@device.get("/drawn")
def drawn() -> str:
    """Return the icons of all games, for a page that was loaded with the icons of one game only."""
    return render_template("drawn.html")


@device.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the web app manifest."""
    answer = jsonify(_manifest())
    answer.mimetype = "application/manifest+json"
    return answer


def _manifest() -> dict[str, Any]:
    games = listed(cover.title for cover in services().covers.values())
    return {
        "id": "/",
        "name": _("Ring companion"),
        "short_name": _("Companion"),
        "description": _("A table companion for %(games)s, with a ring that counts by itself.", games=games),
        "lang": language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [
            {"src": f"/static/{name}", "sizes": sizes, "type": "image/png", "purpose": purpose}
            for name, sizes, purpose in ICONS
        ],
    }
