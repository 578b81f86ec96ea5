"""Opens the one port and keeps it: pages and streams together, and a clean end.

uvicorn alone waits for open streams to end, which they never do; so the end
of the house first ends the streams.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial

from a2wsgi import WSGIMiddleware
from flask import Flask
from uvicorn import Config, Server

from companion.kernel.shown import shows
from web.server.body_limits import STALL_S
from web.server.connection_limit import MOST, ConnectionLimit
from web.server.descriptors import descriptors
from web.server.gateway import THREADS, Gateway
from web.server.http_protocol import HEAD_S, timed_protocol
from web.server.making import Workshop
from web.server.sse import SseStreams

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
