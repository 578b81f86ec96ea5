"""The front door: streams are served here, everything else is handed to the pages whole.

A request's body is read before a thread is taken for it, so that somebody who
sends slowly holds nobody up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from web.addresses import own
from web.asgi import App, Message, Receive, Scope, Send, header, refuse
from web.streams import Streams

EVENTS = "/api/v1/events"
IMPORT = "/api/v1/import"
BODY_MOST = 65_536 + 4096  # a record's longest line, as a form field too
IMPORT_MOST = 8 * 1024 * 1024
CALIBRATIONS = "/ring/calibrations"
RING_DEEDS = "/api/v1/ring/deeds"
CALIBRATION_MOST = 1024 * 1024  # twelve colours of a hundred passes each are a third of it
HELD_MOST = 2 * IMPORT_MOST  # of all requests together
MOST = {IMPORT: IMPORT_MOST, CALIBRATIONS: CALIBRATION_MOST, RING_DEEDS: CALIBRATION_MOST}
"""Addresses where more than a form comes in."""
BODY_S = 10.0
_FRAMING = (b"content-length", b"transfer-encoding")


class Front:
    """The one ASGI application of the house."""

    def __init__(self, pages: App, streams: Streams, names: Collection[str] = (), body_s: float = BODY_S) -> None:
        self._pages = pages
        self._streams = streams
        self._names = names
        self._body_s = body_s
        self._held = 0
        self._reading: set[asyncio.Timeout] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return
        if not own(header(scope, b"host"), self._names):
            await refuse(send, 421, "this companion is not called by that name; use its number or its .local name")
        elif scope["path"] == EVENTS:
            await self._streams(scope, receive, send)
        elif not scope["query_string"].isascii():
            await refuse(send, 400, "the address holds bytes that no address may hold")
        elif scope["method"] in ("GET", "HEAD"):
            await self._pages(scope, _whole(b""), send)
        else:
            await self._with_body(scope, receive, send)

    def close(self) -> None:
        """End now what was still waiting for a body; requests whose body is here are answered."""
        for limit in self._reading:
            limit.reschedule(asyncio.get_running_loop().time())

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        most = MOST.get(scope["path"], BODY_MOST)
        body = bytearray()
        try:
            if await self._in_time(body, receive, most):
                # The pages read as much as was announced; what came in pieces is announced here.
                headers = [pair for pair in scope["headers"] if pair[0] not in _FRAMING]
                scope["headers"] = [*headers, (b"content-length", b"%d" % len(body))]
                await self._pages(scope, _whole(bytes(body)), send)
            else:
                await refuse(
                    send, 413, f"what was sent is larger than {most:,} bytes", read_by=header(scope, b"accept")
                )
        except TimeoutError:
            await refuse(send, 408, f"the body did not arrive within {self._body_s:g} s")
        finally:
            self._held -= len(body)

    async def _in_time(self, body: bytearray, receive: Receive, most: int) -> bool:
        async with asyncio.timeout(self._body_s) as limit:
            self._reading.add(limit)
            try:
                return await self._read(body, receive, most)
            finally:
                self._reading.discard(limit)

    async def _read(self, body: bytearray, receive: Receive, most: int) -> bool:
        """Fill *body* with all of it; False when that would be too much, or nobody is there any more."""
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return False
            part = message.get("body", b"")
            body += part
            self._held += len(part)
            if len(body) > most or self._held > HELD_MOST:
                return False
            more = message.get("more_body", False)
        return True


def _whole(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
