"""Error responses: one JSON sentence for programs, one page for users."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.wrappers import Response as BaseResponse

from companion.kernel.errors import Malformed, Refused
from companion.kernel.said import said
from companion.model.snapshot import ImportFault, MovedOn
from companion.ports.calibration import BadCalibration
from companion.records import RecordError
from web.http.i18n import _, translated

TITLES = {
    400: said("That couldn't be read"),
    401: said("Only the host can do that"),
    403: said("Not from here"),
    404: said("No such page"),
    405: said("No such page"),
    409: said("Not possible now"),
    412: said("The game has moved on"),
    413: said("Too much at once"),
    429: said("Wait a moment"),
}
WHAT_NOW = {
    404: said("The address may be old, or the game has moved on."),
    405: said("The address may be old, or the game has moved on."),
    413: said("Forms here are never that large."),
}
GENERAL = said("Go back and try again.")
"""Advice for errors of the framework; its own texts are technical."""


def for_programs() -> bool:
    """Tell whether the response should be JSON."""
    return request.path.startswith("/api/") or request.path == "/healthz"


def answer(status: int, reason: str, **more: Any) -> Response:
    """Return a response with *reason* and *status*, as JSON or as a page."""
    if for_programs():
        response = jsonify({"reason": reason, **more})
        response.status_code = status
        return response
    return _page(status, TITLES.get(status, _("That didn't work")), WHAT_NOW.get(status, reason))


def _page(status: int, title: object, reason: object) -> Response:
    page = render_template("fault.html", title=title, reason=reason, kept_out=status == 401, in_play=False)
    # With 401 a browser would show its own login dialog; people get a page with a link to the PIN.
    return Response(page, 403 if status == 401 else status, mimetype="text/html")


def _http(fault: HTTPException) -> BaseResponse:
    if fault.code is None or 300 <= fault.code < 400:
        return fault.get_response()
    response = _for_programs(fault, fault.code) if for_programs() else _for_people(fault, fault.code)
    for name, value in fault.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _for_programs(fault: HTTPException, status: int) -> Response:
    # The framework's own texts for a wrong URL are long and technical.
    reason = WHAT_NOW[status] if status in (404, 405) else fault.description or fault.name
    response = answer(status, str(translated(reason)))
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _for_people(fault: HTTPException, status: int) -> Response:
    """Return a page that says what is wrong and what to do, without status numbers and technical words."""
    ours = fault.description != type(fault).description
    reason = getattr(fault, "people", fault.description if ours else GENERAL)
    title = getattr(fault, "title", TITLES.get(status, _("That didn't work")))
    return _page(status, translated(title), translated(WHAT_NOW.get(status, reason)))


def _bug(fault: InternalServerError) -> Response:
    # Flask has already logged the exception. This page uses no context, so that it can't fail in the same way.
    if for_programs():
        return answer(500, "something broke in the companion; see its log")
    return Response(current_app.jinja_env.get_template("broken.html").render(), 500, mimetype="text/html")


def install(app: Flask, refused_form: Callable[[Exception], BaseResponse | None]) -> None:
    """Register error handlers in *app*; *refused_form* returns the response for a form that a person sent."""

    def on(kind: type[Exception], status: int, **more: str) -> None:
        def answered(fault: Any) -> BaseResponse:
            form = None if for_programs() else refused_form(fault)
            facts = {name: getattr(fault, attribute) for name, attribute in more.items()}
            return form or answer(status, fault.reason, **facts)

        app.register_error_handler(kind, answered)

    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(InternalServerError, _bug)
    on(Refused, 409)
    on(BadCalibration, 409)
    on(Malformed, 400)
    on(MovedOn, 412, version="version")
    on(RecordError, 400, line="line")
    on(ImportFault, 400, line="index")
