"""What goes wrong and how it is said: one JSON sentence to programs, one page to people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.wrappers import Response as BaseResponse

from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import ImportFault, MovedOn
from companion.ports.calibration import BadCalibration
from companion.records import RecordError
from web.http.i18n import _, lazy, translated

TITLES = {
    400: lazy("That couldn't be read"),
    401: lazy("Only the host can do that"),
    403: lazy("Not from here"),
    404: lazy("No such page"),
    405: lazy("No such page"),
    409: lazy("Not possible now"),
    412: lazy("The game has moved on"),
    413: lazy("Too much at once"),
    429: lazy("Wait a moment"),
}
WHAT_NOW = {
    404: lazy("The address may be old, or the game has moved on."),
    405: lazy("The address may be old, or the game has moved on."),
    413: lazy("Forms here are never that large."),
}
GENERAL = lazy("Go back and try again.")
"""What to do about a fault that only the framework has words for: those speak of servers and requests."""


def for_programs() -> bool:
    """Tell whether JSON is the right answer here."""
    return request.path.startswith("/api/") or request.path == "/healthz"


def answer(status: int, reason: str, **more: Any) -> Response:
    """Return *reason* with *status*, in the form that whoever asks can read."""
    if for_programs():
        response = jsonify({"reason": reason, **more})
        response.status_code = status
        return response
    return _page(status, TITLES.get(status, _("That didn't work")), WHAT_NOW.get(status, reason))


def _page(status: int, title: object, reason: object) -> Response:
    page = render_template("fault.html", title=title, reason=reason, kept_out=status == 401)
    # 401 would promise a browser's own login box; people get the page with the way to the PIN.
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
    # The framework's own words for a wrong address are long and speak of servers.
    reason = WHAT_NOW[status] if status in (404, 405) else fault.description or fault.name
    response = answer(status, str(translated(reason)))
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _for_people(fault: HTTPException, status: int) -> Response:
    """Return the page that says in a sentence what is wrong, and offers what helps: no number, no word of programs."""
    ours = fault.description != type(fault).description
    reason = getattr(fault, "people", fault.description if ours else GENERAL)
    title = getattr(fault, "title", TITLES.get(status, _("That didn't work")))
    return _page(status, translated(title), translated(WHAT_NOW.get(status, reason)))


def _bug(fault: InternalServerError) -> Response:
    # Flask has logged the exception with its traceback by now; the page must not meet the same one again.
    if for_programs():
        return answer(500, "something broke in the companion; see its log")
    return Response(current_app.jinja_env.get_template("broken.html").render(), 500, mimetype="text/html")


def install(app: Flask, refused_form: Callable[[Exception], BaseResponse | None]) -> None:
    """Have *app* answer every fault of this house; *refused_form* answers those of a form that somebody filled in."""

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
