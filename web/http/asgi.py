"""The few words of ASGI that the front door and the streams speak."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from html import escape
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not accepted</title>
<link rel="stylesheet" href="/static/tokens.css">
<link rel="stylesheet" href="/static/frame.css">
</head>
<body>
<div id="page" data-version="0" data-css="" data-title="Not accepted" data-still>
<div class="strips"></div>
<main class="page alone">
<header class="bar"><div class="who"><h1>Not accepted</h1></div></header>
<section class="panel card">
<p class="lead">Nothing changed: %s.</p>
<p class="soft">Go back in the browser and try again%s.</p>
<div class="acts"><a class="btn go" href="/">Home</a></div>
</section>
</main>
</div>
</body>
</html>
"""
"""What people see of a refusal that comes before any page is made."""


def header(scope: Scope, name: bytes) -> str:
    """Return the request's header *name* (lower case), empty when it was not sent."""
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    return next((value.decode("latin1") for key, value in headers if key == name), "")


async def refuse(send: Send, status: int, reason: str, extra: Headers | None = None, *, read_by: str = "") -> None:
    """Answer with *status* and one sentence, and close the connection: a page if *read_by* accepts one, else JSON."""
    people = "text/html" in read_by
    page = PAGE % (escape(reason), " with something smaller" if status == 413 else "")
    body = (page if people else json.dumps({"reason": reason}) + "\n").encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8" if people else b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
        *(extra or []),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
