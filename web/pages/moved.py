"""Addresses of pages that have become parts of other pages, so that bookmarks and old links still lead somewhere.

Only GET requests move. Forms still send to an old address if its command has not moved, for example POST /names.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

MOVED: Mapping[str, str] = {
    "/games/<int:game_id>/again": "/ring?show=again&game={game_id}",
    "/games/<int:game_id>/files": "/games?show=files&game={game_id}",
    "/games/files": "/games?show=files",
    "/house": "/house/off",
    "/names": "/games?show=names",
    "/ring/calibrations": "/ring?show=calibrations",
    "/rules": "/help?cards",
    "/rules/<card>": "/help?card={card}",
    "/table/ask": "/help?ask",
    "/table/now": "/help",
    "/table/times": "/table/clock",
    "/welcome/board": "/welcome?step=board",
    "/welcome/cubes": "/welcome?step=cubes",
    "/welcome/ring": "/welcome?step=ring",
}
"""The new place of each old address. Values in its path and its query are kept."""

moved = Blueprint("moved", __name__)


def page(**parts: object) -> Response:
    """Redirect permanently from an old address to its new place."""
    place = MOVED[str(request.url_rule)].format(**parts)
    query = request.query_string.decode("ascii", "ignore")
    if not query:
        return redirect(place, 308)
    return redirect(f"{place}{'&' if '?' in place else '?'}{query}", 308)


for _old in MOVED:
    moved.add_url_rule(_old, view_func=page)
