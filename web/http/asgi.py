"""The parts of ASGI that the gateway and the event streams use: types, headers, and error responses without Flask."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from html import escape
from typing import Any

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_cookie

from companion.kernel.languages import DEFAULT
from companion.kernel.said import said
from web.http.i18n import COOKIE, OURS, Languages, said_in

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
PAGE = """<!doctype html>
<html lang="%(language)s">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%(title)s</title>
<link rel="stylesheet" href="/static/tokens.css">
<link rel="stylesheet" href="/static/frame.css">
</head>
<body>
<div id="page" data-version="0" data-css="" data-title="%(title)s" data-still>
<div class="strips"></div>
<main class="page alone">
<header class="bar"><div class="who"><h1>%(title)s</h1></div></header>
<section class="panel card">
<p class="lead">%(why)s</p>
<p class="soft">%(advice)s</p>
<div class="acts"><a class="btn go" href="/">%(home)s</a></div>
</section>
</main>
</div>
</body>
</html>
"""
"""The error page of the gateway, which uses no templates."""


def header(scope: Scope, name: bytes) -> str:
    """Return the request's header *name* (lower case), or an empty string if it wasn't sent."""
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    return next((value.decode("latin1") for key, value in headers if key == name), "")


async def refuse(
    send: Send,
    status: int,
    reason: str,
    extra: Headers | None = None,
    *,
    read_by: str = "",
    language: str = DEFAULT,
    languages: Languages = OURS,
) -> None:
    """Respond with *status* and one sentence, and close the connection.

    The response is a page if *read_by*, the Accept header, includes HTML, otherwise JSON.
    """
    people = "text/html" in read_by
    body = (_page(status, reason, language, languages) if people else json.dumps({"reason": reason}) + "\n").encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8" if people else b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
        *(extra or []),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def language_of(scope: Scope, languages: Languages = OURS) -> str:
    """Return the language for a request from its head alone: the one chosen on this device, otherwise the browser's."""
    chosen = parse_cookie(header(scope, b"cookie")).get(COOKIE, "")
    wanted = parse_accept_header(header(scope, b"accept-language"), LanguageAccept)
    return chosen if chosen in languages.rows else languages.first(wanted)


def _page(status: int, reason: str, language: str, languages: Languages) -> str:
    smaller = said("Go back in the browser and try again with something smaller.")
    words = {
        "title": said("Not accepted"),
        "why": said("Nothing changed: %(why)s.", why=reason),
        "advice": smaller if status == 413 else said("Go back in the browser and try again."),
        "home": said("Home"),
    }
    shown = {name: escape(said_in(each, language, languages)) for name, each in words.items()}
    return PAGE % {"language": language, **shown}
