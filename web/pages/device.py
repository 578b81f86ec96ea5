"""Settings of this device (sound, light, language), and the manifest that installs the pages as an app."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from web.http.formatting import listed
from web.http.i18n import _, language
from web.request.context import plays_itself, services

device = Blueprint("device", __name__)
PAPER = "#F0ECE2"
ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-512-round.png", "512x512", "maskable"),
)


@device.get("/device")
def page() -> str:
    """Show the settings that are stored on this device only, and links to what all devices share."""
    return render_template("device.html", plays_itself=plays_itself(), links=services().links())


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
