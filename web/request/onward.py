"""Where a deed leads to, sent along with its answer: a page that swaps its parts is spared the way there."""

from __future__ import annotations

from io import BytesIO
from urllib.parse import urlsplit

from flask import current_app, redirect, request
from werkzeug.wrappers import Response

ADDRESS = "X-Address"
"""The header that says whose page came along."""
PAGE = 200


def onward(path: str) -> Response:
    """Lead on to *path* of this house; who asks for parts of pages gets that one at once, and its address.

    The page is asked for as a browser would ask, rights and all, in a context of its own: what the deed has seen
    was before it. Whatever is no page there is left to the browser.
    """
    plain = path.isascii() and "%" not in path
    if request.headers.get("X-Part") != "main" or not plain:
        return redirect(path, 303)
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    with app.app_context(), app.request_context(_asking_for(path)):
        answer: Response = app.full_dispatch_request()
    if answer.status_code != PAGE:
        return redirect(path, 303)
    del answer.headers["Set-Cookie"]  # the deed's own answer says what is to be kept
    answer.headers[ADDRESS] = path
    return answer


def _asking_for(path: str) -> dict[str, object]:
    """Return the request at hand as one that asks for *path*."""
    address = urlsplit(path)
    body = {"wsgi.input": BytesIO(), "CONTENT_LENGTH": "0", "CONTENT_TYPE": ""}
    asked = {"REQUEST_METHOD": "GET", "PATH_INFO": address.path, "QUERY_STRING": address.query}
    kept = {name: value for name, value in request.environ.items() if not name.startswith("werkzeug.")}
    return {**kept, **body, **asked}
