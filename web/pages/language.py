"""The choice of a language, for each device separately."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from web.http.i18n import COOKIE, languages
from web.request.context import local

language = Blueprint("language", __name__)
YEAR_S = 365 * 86400


@language.post("/language")
def choose() -> Response:
    """Set the language of this device for a year."""
    chosen = request.form.get("language", "")
    if chosen not in languages().rows:
        abort(404)
    answer = redirect(local(request.form.get("next")), 303)
    answer.set_cookie(COOKIE, chosen, max_age=YEAR_S, samesite="Lax", httponly=True)
    return answer
