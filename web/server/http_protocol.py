"""uvicorn's HTTP, with an end for whoever does not come to the point.

uvicorn waits for ever for the first request of a connection and for the rest
of any request's head. Its `http=` takes a protocol of one's own; this one asks
`ConnectionLimit` for a place, and gives a head its time.
"""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.kernel.shown import shows
from web.server.connection_limit import ConnectionLimit

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
