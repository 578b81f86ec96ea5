"""Server-sent events: tell every open page about a new version, without waiting for slow clients.

A stream carries short messages, not pages: `table` with the version as its id, `ring` without an id, and `beat` if
there was no other message for a while. For each listener only the last version that was sent is stored. If several
messages of one kind arrive while a listener is busy, it gets only the newest, so a slow listener needs no queue.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from secrets import token_hex
from time import monotonic
from typing import Any

from companion.kernel.shown import shows
from companion.model.snapshot import Snapshot
from companion.ports.ring import RingView
from web.http.asgi import Receive, Scope, Send, header, refuse

HEARTBEAT_S = 5.0
MOST_STREAMS = 200
PATIENCE_BEATS = 3  # heartbeats after which a blocked listener is dropped
RETRY_MS = 1000
Sight = tuple[int, bool, str]
"""The table's message to pages: its version, whether the ledger can be written, and which threads have failed."""


def packet(event: str, data: dict[str, Any], number: int | None = None, retry_ms: int | None = None) -> bytes:
    """Return one server-sent event as bytes."""
    lines = [] if retry_ms is None else [f"retry: {retry_ms}"]
    if number is not None:
        lines.append(f"id: {number}")
    lines += [f"event: {event}", f"data: {json.dumps(data, separators=(',', ':'))}", "", ""]
    return "\n".join(lines).encode()


BEAT = packet("beat", {})


def ring_news(view: RingView, now: float) -> dict[str, Any]:
    """Return the ring's state for pages. It contains ages instead of times, since the clocks of devices differ."""
    last = view.last_passage_at
    return {
        "state": view.state.value,
        "simulated": view.simulated,
        "armed": view.armed,
        "gate_open": view.gate_open,
        "lifted": view.lifted,
        "last_passage_age_s": None if last is None else round(max(0.0, now - last), 1),
        "trouble": view.trouble,
        "mark": view.mark,
        "news": view.news,
    }


def _sight(snapshot: Snapshot) -> Sight:
    return snapshot.version, not snapshot.storage, snapshot.unattended


def _table_facts(sight: Sight) -> dict[str, Any]:
    version, stored, unattended = sight
    trouble = {"unattended": unattended} if unattended else {}
    return {"version": version, "kept": stored, **trouble}


def _table_news(sight: Sight) -> bytes:
    return packet("table", _table_facts(sight), sight[0])


@shows("gone", "address")
class _Listener:
    """One open stream: the last messages that were sent on it, and the task that writes to it."""

    def __init__(self, address: str, sight: Sight | None, task: asyncio.Task[Any], own: bool) -> None:
        self.address = address
        self.own = own
        self.sight = sight
        self.ring_number: int | None = None
        self.beats = 0
        self.stuck = 0
        self.writing = False
        self.gone = False
        self.task = task
        self.woken = asyncio.Event()

    def leave(self) -> None:
        self.gone = True
        self.woken.set()


@shows("_ring_number", "_ring_packet", "_beats")
class SseStreams:
    """All open streams and the newest messages; `publish` and `publish_ring` may be called from any thread."""

    def __init__(
        self,
        snapshot: Snapshot | None = None,
        heartbeat_s: float = HEARTBEAT_S,
        most: int = MOST_STREAMS,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.heartbeat_s = heartbeat_s
        self._most = most
        self._now = now
        snapshot = snapshot or Snapshot()
        self._current = _sight(snapshot)
        self._table_packet = _table_news(self._current)
        self._ring = snapshot.ring
        self._ring_number = 1
        self._ring_packet = b""
        self._beats = 0
        self._listeners: dict[_Listener, None] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._start_token = token_hex(4)  # a new value at each start of the server, so that pages notice a restart

    @property
    def open_count(self) -> int:
        """Number of open streams."""
        return len(self._listeners)

    # From any thread

    def publish(self, snapshot: Snapshot) -> None:
        """Publish *snapshot*. This never blocks, and may also be called before and after the event loop runs."""
        self._in_loop(self._take_sight, snapshot)

    def publish_ring(self, view: RingView) -> None:
        """Publish *view* of the ring, unless only its counters and its round-trip time have changed."""
        self._in_loop(self._take_ring, view)

    def _in_loop(self, deed: Callable[[Any], None], news: object) -> None:
        loop = self._loop
        if loop is None:
            deed(news)
            return
        try:
            loop.call_soon_threadsafe(deed, news)
        except RuntimeError:
            # After the loop was closed, there are no listeners.
            if not loop.is_closed():
                raise

    # In the loop

    def start(self) -> None:
        """Start the heartbeat in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._loop.call_later(self.heartbeat_s, self._beat)

    def close(self) -> None:
        """End every stream now, and refuse new ones."""
        self._closed = True
        self._wake()

    def _take_sight(self, snapshot: Snapshot) -> None:
        sight = _sight(snapshot)
        if sight != self._current:
            self._current = sight
            self._table_packet = _table_news(sight)
            self._wake()

    def _take_ring(self, view: RingView) -> None:
        new = (view.mark, view.news) != (self._ring.mark, self._ring.news)
        self._ring = view
        if new:
            self._ring_number += 1
            self._ring_packet = packet("ring", ring_news(view, self._now()))
            self._wake()

    def _wake(self) -> None:
        for listener in self._listeners:
            listener.woken.set()

    def _beat(self) -> None:
        if self._closed or self._loop is None:
            return
        self._loop.call_later(self.heartbeat_s, self._beat)  # first, so that an exception below doesn't end the beat
        self._beats += 1
        for listener in tuple(self._listeners):
            listener.stuck = listener.stuck + 1 if listener.writing else 0
            if listener.stuck >= PATIENCE_BEATS:
                listener.task.cancel()
        self._wake()

    # One stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send, own: bool = False) -> None:
        """Serve one stream until the client disconnects or stops reading, or the server closes.

        *own* says that the stream belongs to a player.
        """
        if scope["method"] != "GET":
            await refuse(send, 405, "this address is a stream: GET it", [(b"allow", b"GET")])
            return
        listener = self._admit(scope, own)
        if listener is None:
            await refuse(send, 503, "too many open streams", [(b"retry-after", b"5")])
            return
        watch = asyncio.create_task(_watch(receive, listener))
        try:
            await self._write(listener, send)
        except asyncio.CancelledError:
            # `_beat` cancels only listeners that stopped reading; uvicorn then closes the connection.
            if listener.stuck < PATIENCE_BEATS:
                raise
        finally:
            self._listeners.pop(listener, None)
            watch.cancel()

    def _admit(self, scope: Scope, own: bool) -> _Listener | None:
        task = asyncio.current_task()
        if self._closed or task is None:
            return None
        address = scope["client"][0] if scope.get("client") else ""
        if len(self._listeners) >= self._most and not self._make_room(address, own):
            return None
        text = header(scope, b"last-event-id")
        # The Last-Event-ID is the version that the page shows. A ledger that can't be written is reported in any case.
        known = (int(text), True, "") if text.isascii() and text.isdigit() and len(text) < 19 else None
        listener = _Listener(address, known, task, own)
        self._listeners[listener] = None
        return listener

    def _make_room(self, address: str, own: bool) -> bool:
        """Drop the oldest stream of the address with the most streams, and return whether that was possible.

        A player's stream is dropped only to make room for another player's.
        """
        strangers = [listener for listener in self._listeners if not listener.own]
        spared = strangers if strangers or not own else list(self._listeners)
        if not spared:
            return False
        greedy, held = Counter(listener.address for listener in spared).most_common(1)[0]
        before_strangers = own and bool(strangers)
        if held == 1 and greedy != address and not before_strangers:
            return False
        oldest = next(listener for listener in spared if listener.address == greedy)
        oldest.leave()
        # Remove it now: its task ends later, but its place is needed at once.
        del self._listeners[oldest]
        return True

    async def _write(self, listener: _Listener, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": list(STREAM_HEADERS)})
        about = {"heartbeat_s": self.heartbeat_s, "version": self._current[0], "house": self._start_token}
        about |= _table_facts(self._current)
        hello = packet("hello", about, retry_ms=RETRY_MS)
        first = hello + packet("ring", ring_news(self._ring, self._now()))
        listener.ring_number, listener.beats = self._ring_number, self._beats
        body = first + self._news(listener)
        while not (listener.gone or self._closed):
            if body:
                listener.writing = True
                await send({"type": "http.response.body", "body": body, "more_body": True})
                listener.writing = False
            else:
                await listener.woken.wait()
            # Clear it before looking for news: messages that arrive during the writing set it again.
            listener.woken.clear()
            body = self._news(listener)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _news(self, listener: _Listener) -> bytes:
        """Return the newest messages that *listener* hasn't got yet, at most one of each kind."""
        news = b""
        if listener.sight != self._current:
            listener.sight = self._current
            news += self._table_packet
        if listener.ring_number != self._ring_number:
            listener.ring_number = self._ring_number
            news += self._ring_packet
        if listener.beats != self._beats:
            listener.beats = self._beats
            news = news or BEAT
        return news


STREAM_HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
)


async def _watch(receive: Receive, listener: _Listener) -> None:
    """Wait until the client has disconnected."""
    try:
        while (await receive())["type"] != "http.disconnect":
            pass
    finally:
        listener.leave()  # also after an error, or the disconnection would go unnoticed
