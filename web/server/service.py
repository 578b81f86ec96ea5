"""Opens the one port and keeps it: pages and streams together, and a clean end.

uvicorn alone waits for open streams to end, which they never do; so the end
of the house first ends the streams.
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
from web.server.body_limits import STALL_S
from web.server.connection_limit import MOST, ConnectionLimit
from web.server.gateway import THREADS, Gateway
from web.server.making import Workshop
from web.server.sse import SseStreams

# uvicorn's HTTP, with an end for whoever does not come to the point.
#
# uvicorn waits for ever for the first request of a connection and for the rest
# of any request's head. Its `http=` takes a protocol of one's own; this one asks
# `ConnectionLimit` for a place, and gives a head its time.

# uvicorn alone waits for ever: 500 silent sockets were the whole house.
HEAD_S = 10.0
RETRY_S = 5


def timed_protocol(limit: ConnectionLimit, head_s: float = HEAD_S) -> type[asyncio.Protocol]:
    """Return the protocol for uvicorn's `http=`: places by *limit*, each head within *head_s*."""

    class Timed(TimedProtocol):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(limit, head_s, *given, **named)

    return Timed


@shows("_timer", "_spoken", "_limit")
class TimedProtocol(H11Protocol):
    """One connection: counted from its first moment, and closed when a head takes too long."""

    def __init__(self, limit: ConnectionLimit, head_s: float, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._limit = limit
        self._head_s = head_s
        self._timer: asyncio.TimerHandle | None = None
        self._spoken = False

    # What the limit asks

    @property
    def address(self) -> str:
        """The address it comes from."""
        return self.client[0] if self.client else ""

    @property
    def asked(self) -> bool:
        """Whether a whole request ever came."""
        return self.cycle is not None

    @property
    def waiting(self) -> bool:
        """Whether nothing is being answered: before a whole request, its body too, and after the answer."""
        return self._before_a_head or self._before_the_end

    @property
    def _before_a_head(self) -> bool:
        return self.conn.our_state in (h11.IDLE, h11.DONE)

    @property
    def _before_the_end(self) -> bool:
        """Whether the rest of a request is awaited: many who send slowly must not be the whole house either."""
        return self.conn.their_state is h11.SEND_BODY and self.cycle is not None and not self.cycle.response_started

    def drop(self) -> None:
        """Close at once, whatever has not been sent yet."""
        self.transport.abort()

    # What asyncio tells

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

    # What uvicorn does with what is no HTTP

    def send_400_response(self, msg: str) -> None:
        """Refuse the connection, once: an answer that has begun ends instead, and one still to come goes nowhere."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()
        if self.cycle is not None:
            # The pages may be at it still; uvicorn alone would write their answer after this one, and break.
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    # The time that a head has

    def _watch(self) -> None:
        """Let the time run while a head is awaited: from its first byte, and not anew with every further one."""
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
            # A browser opens connections in advance: an answer to what was never asked would puzzle it.
            self.transport.close()

    def _end(self, status: HTTPStatus, reason: str) -> None:
        """Answer without having been asked, and close."""
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


# Sees to it that the house has descriptors enough for its connections, its ledger and its ring.

WANTED = 1024  # not more: pyserial waits by select(), which cannot name a higher one


def descriptors(wanted: int = WANTED) -> int:
    """Return how many descriptors this process may hold, *wanted* of them where the system lets it."""
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
    # The kernel gives up on a peer that takes nothing for this long, a sleeping tablet's socket included.
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_PEER_MS)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


class _Server(Server):
    """uvicorn, told what to begin in the loop and what to *end* before all else; signals are the service's."""

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
        # uvicorn would raise the signal once more at the end, and the ledger would not be closed.
        yield


@shows("_server", "_stopped")
class Service:
    """The open port: `run` serves until `stop`, SIGTERM or SIGINT."""

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
        # 0 is without bound: else a device that reads slowly would hold one of the few threads.
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
        )
        self._config = _settings(self._front, head_s)
        self._server: _Server | None = None
        self._stopped = False

    def run(self, on_ready: Callable[[int], None] | None = None) -> None:
        """Serve until stopped; *on_ready* hears the port once it answers."""
        server = _Server(self._config, partial(self._started, on_ready), self._end)
        self._server = server
        # `stop` sets these two the other way round, so that one of us sees the other.
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
        """End soon: streams first, then requests under way; safe from any thread and from a signal."""
        self._stopped = True
        if self._server is not None:
            self._server.should_exit = True


def _settings(front: Gateway, head_s: float) -> Config:
    """Return what uvicorn is told; half of the descriptors are left to what is no connection yet, or no more."""
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
        backlog=most // 4,  # so many are accepted at once, before the first is counted
        limit_concurrency=2 * most,  # requests whose sender has left; connections have their own limit
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
    """Serve *app* and *streams* on one port until SIGTERM or SIGINT; *on_ready* hears the port."""
    Service(app, streams, host, port, names).run(on_ready)
