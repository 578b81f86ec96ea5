"""Timeouts of connections: request headers must arrive in time, however many pieces they come in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from web.http.asgi import Receive, Scope, Send
from web.server.connection_limit import ConnectionLimit
from web.server.service import TimedProtocol, timed_protocol

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class HandedTime(asyncio.SelectorEventLoop):
    """An event loop whose clock is advanced by the test."""

    now = 0.0

    def time(self) -> float:
        return self.now


@dataclass
class Wire(asyncio.Transport):
    """A transport that records all writes, and whether it was closed."""

    protocol: Any = None
    written: bytes = b""
    closed: bool = False
    extra: dict[str, Any] = field(default_factory=lambda: {"peername": ("10.0.0.7", 50000)})

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self.extra.get(name, default)

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def is_closing(self) -> bool:
        return self.closed

    def resume_reading(self) -> None:
        """Do nothing: reading was not paused."""

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            # As in asyncio, the callback runs only after other pending callbacks.
            asyncio.get_running_loop().call_soon(self.protocol.connection_lost, None)

    abort = close


async def pages(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer /stream without end, /reading after the whole body, and everything else with 204."""
    while scope["path"] == "/reading" and (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 204, "headers": []})
    if scope["path"] == "/stream":
        await asyncio.Event().wait()
    await send({"type": "http.response.body", "body": b""})


class Visit:
    """One connection to the pages, and its clock."""

    def __init__(self, loop: HandedTime, limit: ConnectionLimit) -> None:
        self.loop = loop
        config = Config(pages, http=timed_protocol(limit), ws="none", timeout_keep_alive=20)  # type: ignore[arg-type]
        config.load()
        self.protocol: TimedProtocol = config.http_protocol_class(  # type: ignore[call-arg, assignment]
            config=config, server_state=ServerState(), app_state={}, _loop=loop
        )
        self.wire = Wire()
        self.wire.protocol = self.protocol
        self.protocol.connection_made(self.wire)

    def says(self, data: bytes) -> None:
        self.protocol.data_received(data)

    async def after(self, seconds: float) -> Wire:
        """Advance the clock by *seconds*, and run all callbacks due by then."""
        self.loop.now += seconds
        for _ in range(10):
            await asyncio.sleep(0)  # one iteration of the loop
        return self.wire


def story(told: Callable[[HandedTime], Any]) -> None:
    """Run *told* in an event loop with its own clock."""
    loop = HandedTime()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(told(loop))


def test_silence_ends_after_ten_seconds() -> None:
    """Headers: a connection without a request is closed silently after ten seconds, and its place is free."""

    async def told(loop: HandedTime) -> None:
        limit = ConnectionLimit()
        visit = Visit(loop, limit)

        assert not (await visit.after(9.9)).closed
        assert (await visit.after(0.2)).closed
        assert (visit.wire.written, len(limit)) == (b"", 0)

    story(told)


def test_a_head_in_drops_ends_after_ten_seconds() -> None:
    """Headers: more bytes don't extend the time, and incomplete headers are answered with 408."""

    async def told(loop: HandedTime) -> None:
        visit = Visit(loop, ConnectionLimit())
        for letter in b"GET / HTTP":
            visit.says(bytes([letter]))
            await visit.after(1.01)

        assert visit.wire.closed
        assert visit.wire.written.startswith(b"HTTP/1.1 408 ")
        assert b"didn't arrive within 10 s" in visit.wire.written

    story(told)


def test_a_later_head_has_ten_seconds_too() -> None:
    """Headers: after an answer, the next request has the same timeout."""

    async def told(loop: HandedTime) -> None:
        visit = Visit(loop, ConnectionLimit())
        visit.says(REQUEST)
        await visit.after(4)
        visit.says(b"GET /")

        assert not (await visit.after(9.9)).closed
        assert (await visit.after(0.2)).closed

    story(told)


def test_a_body_that_nobody_reads_ends_too() -> None:
    """Headers: after an early answer, the rest of a request has the timeout of headers, and gets no other answer."""

    async def told(loop: HandedTime) -> None:
        visit = Visit(loop, ConnectionLimit())
        visit.says(b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n")
        answer = (await visit.after(0)).written
        for _ in range(11):
            visit.says(b"x")
            await visit.after(1)

        assert visit.wire.closed
        assert visit.wire.written == answer

    story(told)


def test_a_stream_goes_on() -> None:
    """Headers: a request that is being answered has no timeout."""

    async def told(loop: HandedTime) -> None:
        visit = Visit(loop, ConnectionLimit())
        visit.says(REQUEST.replace(b"/ ", b"/stream "))

        assert not (await visit.after(3600)).closed

    story(told)


@pytest.mark.parametrize("cut", range(1, len(REQUEST)))
def test_a_head_may_come_in_two_parts(cut: int) -> None:
    """Headers: a request split anywhere into two pieces is answered if it is in time, and the connection is kept."""

    async def told(loop: HandedTime) -> None:
        visit = Visit(loop, ConnectionLimit())
        visit.says(REQUEST[:cut])
        await visit.after(9)
        visit.says(REQUEST[cut:])
        await visit.after(0)

        assert visit.wire.written.startswith(b"HTTP/1.1 204 ")
        assert not (await visit.after(9)).closed

    story(told)


def test_one_too_many_is_told_so() -> None:
    """Connection: if all connections are busy, the next one is refused with 503 and Retry-After."""

    async def told(loop: HandedTime) -> None:
        limit = ConnectionLimit(most=1, room=0)
        busy = Visit(loop, limit)
        busy.says(REQUEST.replace(b"/ ", b"/stream "))
        await busy.after(0)
        late = Visit(loop, limit)

        assert late.wire.closed
        assert late.wire.written.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 5" in late.wire.written
        assert not busy.wire.closed

    story(told)


BROKEN = b"POST /reading HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("path", [b"/reading", b"/answering", b"/stream"])
@pytest.mark.parametrize("apart", [False, True])
def test_what_is_no_http_after_a_head_is_refused_once(
    capsys: pytest.CaptureFixture[str], path: bytes, apart: bool
) -> None:
    """Body: an invalid chunk gives 400, or ends an answer that has begun; the application isn't disturbed."""

    async def told(loop: HandedTime) -> None:
        visit = Visit(loop, ConnectionLimit())
        visit.says(BROKEN.replace(b"/reading", path) + (b"" if apart else b"no size\r\n"))
        if apart:
            await visit.after(0)
            visit.says(b"no size\r\n")
        await visit.after(0)

        assert visit.wire.closed
        assert visit.wire.written.count(b"HTTP/1.1 ") == 1
        assert visit.wire.written.startswith(b"HTTP/1.1 204 " if apart and path != b"/reading" else b"HTTP/1.1 400 ")
        assert "Traceback" not in capsys.readouterr().err

    story(told)


def test_half_a_request_makes_room() -> None:
    """Connection: slow uploads can be dropped for new clients; requests being answered and streams are not."""

    async def told(loop: HandedTime) -> None:
        limit = ConnectionLimit(most=2, room=0)
        streaming, half = Visit(loop, limit), Visit(loop, limit)
        streaming.says(REQUEST.replace(b"/ ", b"/stream "))
        half.says(b"POST /reading HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx")
        await half.after(1)
        late = Visit(loop, limit)
        late.says(REQUEST)
        await late.after(0)

        assert (streaming.wire.closed, half.wire.closed) == (False, True)
        assert late.wire.written.startswith(b"HTTP/1.1 204 ")

    story(told)
