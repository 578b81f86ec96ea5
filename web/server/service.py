"""The server process: opens the port, runs uvicorn with pages and event streams, and shuts down cleanly.

At shutdown uvicorn waits for open streams, which would never end. So the shutdown closes them first.
"""

from __future__ import annotations

import asyncio
import json
import resource
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from typing import Any

import h11
from a2wsgi import WSGIMiddleware
from flask import Flask
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.kernel.shown import shows
from web.server.connection_limit import MOST, ConnectionLimit
from web.server.gateway import THREADS, Gateway
from web.server.making import Workshop
from web.server.request_limits import STALL_S
from web.server.sse import SseStreams

# HTTP connections with limits.
#
# By itself, uvicorn waits for ever for the first request of a connection and for the rest of a request's head, so that
# 500 silent sockets blocked the whole server. Its setting `http=` accepts another protocol class. The class here asks
# `ConnectionLimit` for permission, and has a timeout for each head.

HEAD_S = 10.0
RETRY_S = 5


def timed_protocol(limit: ConnectionLimit, head_s: float = HEAD_S) -> type[asyncio.Protocol]:
    """Return the protocol class for uvicorn's `http=`.

    *limit* counts connections; a request's head may take *head_s* seconds.
    """

    class Timed(TimedProtocol):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(limit, head_s, *given, **named)

    return Timed


@shows("_timer", "_spoken", "_limit")
class TimedProtocol(H11Protocol):
    """One HTTP connection: it counts against the limit, and is closed if the head of a request takes too long."""

    def __init__(self, limit: ConnectionLimit, head_s: float, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._limit = limit
        self._head_s = head_s
        self._timer: asyncio.TimerHandle | None = None
        self._spoken = False

    # For `ConnectionLimit`

    @property
    def address(self) -> str:
        """The client's address."""
        return self.client[0] if self.client else ""

    @property
    def asked(self) -> bool:
        """Whether a complete request has ever arrived."""
        return self.cycle is not None

    @property
    def waiting(self) -> bool:
        """Whether no response is in progress: before a complete request including its body, and after the response."""
        return self._before_a_head or self._before_the_end

    @property
    def _before_a_head(self) -> bool:
        return self.conn.our_state in (h11.IDLE, h11.DONE)

    @property
    def _before_the_end(self) -> bool:
        """Whether the connection waits for a request's body.

        That counts as waiting, or many slow uploads could occupy all connections.
        """
        return self.conn.their_state is h11.SEND_BODY and self.cycle is not None and not self.cycle.response_started

    def drop(self) -> None:
        """Close immediately, even if not everything has been sent."""
        self.transport.abort()

    # Callbacks of asyncio

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._limit.admit(self):
            self._watch()
        else:
            self._end(HTTPStatus.SERVICE_UNAVAILABLE, "too many open connections: try again in a moment")

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._spoken = True
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._limit.forget(self)
        self._unwatch()
        super().connection_lost(exc)

    # Called by uvicorn for invalid HTTP

    def send_400_response(self, msg: str) -> None:
        """Refuse an invalid request once.

        If its response has been sent in part, end it; if it isn't sent yet, drop it.
        """
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()
        if self.cycle is not None:
            # A page may still be in progress. uvicorn would write the page's response after this one, and fail.
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    # The timeout of a head

    def _watch(self) -> None:
        """Start the timeout when the connection waits for a head. Further bytes of the same head don't extend it."""
        if not self._before_a_head:
            self._unwatch()
        elif self._timer is None:
            self._timer = self.loop.call_later(self._head_s, self._too_slow)

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        if not self._before_a_head or self.transport.is_closing():
            return
        if self._spoken and self.conn.our_state is h11.IDLE:
            self._end(HTTPStatus.REQUEST_TIMEOUT, f"the request's head didn't arrive within {self._head_s:g} s")
        else:
            # Browsers open connections in advance; a response without a request would confuse them.
            self.transport.close()

    def _end(self, status: HTTPStatus, reason: str) -> None:
        """Send an error response without a request, and close."""
        self.transport.write(_answer(status, reason))
        self.transport.close()


def _answer(status: HTTPStatus, reason: str) -> bytes:
    body = json.dumps({"reason": reason}) + "\n"
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}",
        "content-type: application/json",
        f"content-length: {len(body)}",
        "cache-control: no-store",
        "connection: close",
        *([f"retry-after: {RETRY_S}"] if status is HTTPStatus.SERVICE_UNAVAILABLE else []),
    )
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode()


# File descriptors: enough for the connections, the ledger and the ring.

WANTED = 1024  # at most this many: pyserial uses select(), which can't handle higher descriptors


def descriptors(wanted: int = WANTED) -> int:
    """Raise this process's limit of file descriptors to *wanted* if the system allows it, and return the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft


GRACE_S = 1
DEAD_PEER_MS = 20_000


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket on *host*; port 0 picks a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.create_server((host, port), family=family, backlog=256, dualstack_ipv6=host == "::")
    # The kernel closes a connection whose peer acknowledges nothing for this long, such as a sleeping tablet.
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_PEER_MS)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


class _Server(Server):
    """uvicorn's server with two callbacks: *started* runs in the event loop after the start, *end* before the shutdown.

    It leaves signals to `Service`.
    """

    def __init__(self, config: Config, started: Callable[[], None], end: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._started_up = started
        self._end = end

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._started_up()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._end()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn would raise the signal again at its end, and the ledger would not be closed.
        yield


@shows("_server", "_stopped")
class Service:
    """The web server on one port: `run` serves until `stop`, SIGTERM or SIGINT."""

    def __init__(
        self,
        app: Flask,
        streams: SseStreams,
        host: str,
        port: int,
        names: Collection[str] = (),
        *,
        head_s: float = HEAD_S,
        stall_s: float = STALL_S,
    ) -> None:
        self._socket = listen(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._streams = streams
        # 0 means no limit. With a limit, a client that reads slowly would block one of the few threads.
        pages = WSGIMiddleware(app.wsgi_app, workers=THREADS, send_queue_size=0)  # type: ignore[arg-type]
        asked = app.extensions
        self._workshop: Workshop | None = asked.get("workshop")
        self._front = Gateway(
            pages,  # type: ignore[arg-type]
            streams,
            asked["sent_by_host"],
            names,
            is_own=asked["sent_from_table"],
            stall_s=stall_s,
            device_of=asked["device_of"],
            workshop=self._workshop,
            languages=app.config["LANGUAGES"],
        )
        self._config = _settings(self._front, head_s)
        self._server: _Server | None = None
        self._stopped = False

    def run(self, on_ready: Callable[[int], None] | None = None) -> None:
        """Serve until stopped; *on_ready* is called with the port once the server answers."""
        server = _Server(self._config, partial(self._started, on_ready), self._end)
        self._server = server
        # `stop` sets `_stopped` before it looks for `_server`, so that a stop in between isn't lost.
        server.should_exit = self._stopped
        with _ending_signals(self.stop):
            asyncio.run(server.serve(sockets=[self._socket]))

    def _started(self, on_ready: Callable[[int], None] | None) -> None:
        self._streams.start()
        if self._workshop is not None:
            self._workshop.open()
        if on_ready is not None:
            on_ready(self.port)

    async def _end(self) -> None:
        self._streams.close()
        self._front.close()
        if self._workshop is not None:
            await self._workshop.close()

    def stop(self) -> None:
        """Stop soon: streams end first, then requests in progress. Safe from any thread and from a signal handler."""
        self._stopped = True
        if self._server is not None:
            self._server.should_exit = True


async def _nothing() -> None:
    """Do nothing, because there are no streams to end."""


@shows("port")
class PlainService:
    """Serves an application without event streams in a thread, with the same limits for connections."""

    def __init__(self, app: Flask, host: str, port: int, started: Callable[[], object] = lambda: None) -> None:
        """Start listening. *started* is called when the server answers."""
        self._host, self._started = host, started
        self._socket: socket.socket | None = listen(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._pages = WSGIMiddleware(app.wsgi_app, workers=THREADS, send_queue_size=0)  # type: ignore[arg-type]
        self._server: _Server | None = None
        self._stopped = False

    def run(self) -> None:
        """Serve until `stop`. After an error it can be called again."""
        sock, self._socket = self._socket or listen(self._host, self.port), None
        with sock:
            self._server = _Server(_settings(self._pages, HEAD_S), self._ready, _nothing)
            self._server.should_exit = self._stopped
            asyncio.run(self._server.serve(sockets=[sock]))

    def _ready(self) -> None:
        self._started()

    def stop(self) -> None:
        """Stop soon. Safe from any thread."""
        self._stopped = True
        if self._server is not None:
            self._server.should_exit = True


def _settings(front: Any, head_s: float) -> Config:
    """Return uvicorn's settings.

    Connections may use half of the file descriptors. The rest is for accepted sockets that don't count as connections
    yet, or no longer.
    """
    most = min(MOST, descriptors() // 2)
    return Config(
        front,
        loop="asyncio",
        http=timed_protocol(ConnectionLimit(most), head_s),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=most // 4,  # up to this many connections are accepted together before they are counted
        limit_concurrency=2 * most,  # includes requests of disconnected clients; `ConnectionLimit` limits connections
        timeout_keep_alive=20,
        timeout_graceful_shutdown=GRACE_S,
    )


@contextmanager
def _ending_signals(stop: Callable[[], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ends = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.signal(number, lambda *_: stop()) for number in ends}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def serve(
    app: Flask,
    streams: SseStreams,
    host: str = "127.0.0.1",
    port: int = 0,
    on_ready: Callable[[int], None] | None = None,
    names: Collection[str] = (),
) -> None:
    """Serve *app* and *streams* on one port until SIGTERM or SIGINT; *on_ready* is called with the port."""
    Service(app, streams, host, port, names).run(on_ready)
