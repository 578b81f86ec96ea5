"""The choice of a language: each device has its own."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from companion.kernel.i18n import LANGUAGES
from web.http.i18n import COOKIE
from web.request.context import local

language = Blueprint("language", __name__)
YEAR_S = 365 * 86400


@language.post("/language")
def choose() -> Response:
    """Let this device read the language it names, for a year or until it names another."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        abort(404)
    answer = redirect(local(request.form.get("next")), 303)
    answer.set_cookie(COOKIE, chosen, max_age=YEAR_S, samesite="Lax", httponly=True)
    return answer
