"""The gateway: the ASGI application that checks and queues each request and passes it to event streams or pages.

- A request to a host name that can't be this server's is refused (DNS rebinding).
- Each address has a budget of requests. Requests wait in a queue that prefers players (`web.server.fair_turns`).
- A body is read completely before a thread is used, so that a slow upload blocks nobody. Only the host may send large
  bodies, and other clients' bodies have a separate memory budget.
- A page that takes long is made in another process (`web.server.making`). Its view puts a description of the page
  (`Work`) into the request's scope and ends. The request waits in the event loop, without a thread, until the page is
  made. Then the view is called again. A request is given up when its client disconnects.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from ipaddress import ip_address
from time import monotonic
from typing import TypeVar

from companion.kernel.said import said
from companion.kernel.shown import shows
from web.http.asgi import App, Headers, Message, Receive, Scope, Send, header, language_of, refuse
from web.http.i18n import OURS, Languages
from web.http.request_parsing import at_the_machine, place
from web.server.fair_turns import Crowded, Rank, Turn, Turns
from web.server.making import TICKET, WANTED, RequestNeeds, Ticket, Workshop
from web.server.request_limits import GUESTS, OWN, SLOWEST, STALL_S, BodyBudget, BodyDeadline, Pace, RequestBudget
from web.server.sse import SseStreams

# Host names: protection against DNS rebinding, by which a page of a foreign site reaches this server under the name of
# that site.
#
# The attacker needs a public name to point at this machine. So IP addresses, names of one word, and names with an
# ending that only a local network assigns are safe.

HOME_ENDINGS = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")


def bare(host: str) -> str:
    """Return the name in a Host header, in lower case, without port and brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def own(host: str, names: Collection[str] = ()) -> bool:
    """Tell whether the Host header *host* can mean this server. *names* are additional names of the server."""
    name = bare(host).rstrip(".")
    if not name:
        return False
    if name in names or name.endswith(HOME_ENDINGS):
        return True
    try:
        ip_address(name)
    except ValueError:
        return name.replace("-", "").replace("_", "").isalnum()
    return True


THREADS = 4  # threads that render pages
FOR_COMMANDS = 1  # how many of these threads are reserved for the host's commands
COMMANDS = ("/table/", "/api/v1/commands", "/api/v1/deeds")
"""URL prefixes of quick commands. Uploads have the same priority as pages."""
SOON_S = 0.8
"""Seconds after which a page's progress is shown to the waiting client."""
TRIES = 4
T = TypeVar("T")
EVENTS = "/api/v1/events"
IMPORT = "/api/v1/import"
BODY_MOST = 65_536 + 4096  # in bytes: the longest record line, also as a form field
IMPORT_MOST = 8 * 1024 * 1024
CALIBRATIONS = "/ring/calibrations"
RING_DEEDS = "/api/v1/ring/deeds"
CALIBRATION_MOST = 1024 * 1024  # three times the size of twelve colours with a hundred passes each
REPLAY = "/replay"
REPLAY_MOST = 2 * 1024 * 1024  # ten times a usual record; it is replayed while the client waits
GAME_FILES = "/games/files"
MOST = {
    IMPORT: IMPORT_MOST,
    GAME_FILES: IMPORT_MOST,
    CALIBRATIONS: CALIBRATION_MOST,
    RING_DEEDS: CALIBRATION_MOST,
    REPLAY: REPLAY_MOST,
}
"""Largest body in bytes, by the URL of an upload. Only the host may upload."""
GUEST_SHARE = 15 * BODY_MOST  # bodies in progress for one address
GUESTS_TOGETHER = 16 * GUEST_SHARE
HOST_SHARE = IMPORT_MOST + GUEST_SHARE  # enough for an import, and commands during it
HOSTS_TOGETHER = 2 * HOST_SHARE
AGAIN: Headers = [(b"retry-after", b"5")]
SOON: Headers = [(b"retry-after", b"1")]
_FRAMING = (b"content-length", b"transfer-encoding")

IsHost = Callable[[Scope], bool]


class _Refusal(Exception):
    def __init__(self, status: int, reason: str, extra: Headers | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.extra = extra


class _Left(Exception):
    """The client has disconnected."""


@shows("_closed", "_reading", "_device_of")
class Gateway:
    """The one ASGI application of the server.

    *is_host* tells from a request's head whether the host sent it; *is_own* tells whether a player did (default:
    *is_host*). *device_of* returns the seat or device of a valid cookie or token, or an empty text. The *workshop*
    makes slow pages. Error messages are in one of *languages*.
    """

    def __init__(
        self,
        pages: App,
        streams: SseStreams,
        is_host: IsHost,
        names: Collection[str] = (),
        stall_s: float = STALL_S,
        now: Callable[[], float] = monotonic,
        guests: Pace = GUESTS,
        is_own: IsHost | None = None,
        device_of: Callable[[Scope], str] = lambda scope: "",
        workshop: Workshop | None = None,
        soon_s: float = SOON_S,
        languages: Languages = OURS,
    ) -> None:
        self._pages = pages
        self._languages = languages
        self._is_own = is_own or is_host
        self._device_of = device_of
        self._workshop = workshop
        self._soon_s = soon_s
        self._turns = Turns(THREADS, FOR_COMMANDS)
        self._asked_by_guests = RequestBudget(guests, now)
        self._asked_by_own = RequestBudget(OWN, now)
        self._streams = streams
        self._is_host = is_host
        self._names = names
        self._stall_s = stall_s
        self._guests = BodyBudget(GUEST_SHARE, GUESTS_TOGETHER)
        self._hosts = BodyBudget(HOST_SHARE, HOSTS_TOGETHER)
        self._reading: set[asyncio.Timeout] = set()
        self._closed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return
        try:
            self._count(scope)
            await self._serve(scope, receive, send)
        except _Refusal as no:
            spoken, offered = language_of(scope, self._languages), self._languages
            read_by = header(scope, b"accept")
            await refuse(send, no.status, no.reason, no.extra, read_by=read_by, language=spoken, languages=offered)

    def _count(self, scope: Scope) -> None:
        """Take the request from the budget of its address, or refuse it.

        Players have a larger budget, but their cookie is checked only if the budget for guests is used up.
        """
        address = _address(scope)
        if at_the_machine(address) or self._asked_by_guests.take(place(address)):
            return
        if not self._is_own(scope) or not self._asked_by_own.take(place(address)):
            raise _Refusal(429, said("this device asks too much: wait a moment, then try again"), SOON)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not own(header(scope, b"host"), self._names):
            raise _Refusal(421, said("this companion doesn't have that name: use the address that its tablet shows"))
        if scope["path"] == EVENTS:
            await self._streams(scope, receive, send, self._is_own(scope))
        elif not scope["query_string"].isascii():
            raise _Refusal(400, said("the address has characters that aren't allowed: type it again"))
        elif scope["method"] in ("GET", "HEAD"):
            await self._answer(scope, b"", receive, send)
        else:
            await self._with_body(scope, receive, send)

    def close(self) -> None:
        """Refuse at once all requests with an incomplete body. Requests with a complete body are still answered."""
        self._closed = True
        for limit in self._reading:
            limit.reschedule(asyncio.get_running_loop().time())

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = self._is_host(scope)
        if scope["path"] in MOST and not host:
            # The pages send this refusal in the visitor's language, without reading the body.
            await self._hand_on(scope, b"", receive, send, host)
            return
        budget = self._hosts if host else self._guests
        body = _Body(MOST.get(scope["path"], BODY_MOST), budget, place(_address(scope)))
        try:
            body.announce(header(scope, b"content-length"))
            if await self._in_time(body, receive):
                await self._hand_on(scope, bytes(body.bytes), receive, send, host)
        finally:
            body.give_back()

    async def _hand_on(self, scope: Scope, body: bytes, receive: Receive, send: Send, host: bool) -> None:
        # WSGI reads Content-Length bytes, so set it for a chunked body too.
        headers = [pair for pair in scope["headers"] if pair[0] not in _FRAMING]
        scope["headers"] = [*headers, (b"content-length", b"%d" % len(body))]
        command = host and scope["path"].startswith(COMMANDS)
        await self._answer(scope, body, receive, send, command=command)

    async def _answer(self, scope: Scope, body: bytes, receive: Receive, send: Send, *, command: bool = False) -> None:
        """Wait for this request's turn and let the pages answer it.

        If they need something made first, wait for that and repeat.
        """
        address = _address(scope)
        device = self._device_of(scope)
        own = bool(device) or at_the_machine(address) or self._is_own(scope)
        client = device or place(address)
        rank = Rank.COMMAND if command else Rank.OWN if own else Rank.OTHERS
        watch = _Watch(receive)
        try:
            for _ in range(TRIES):
                turn = await watch.unless_gone(self._turns.take(client, rank))
                wanted = await self._paged(scope, body, send, turn)
                if wanted is None:
                    return
                scope[TICKET] = await watch.unless_gone(self._made(wanted, client, rank))
        except Crowded:
            raise _Refusal(429, said("too many requests at once: wait for the answers, then go on"), SOON) from None
        except _Left:
            return
        finally:
            watch.end()
        raise _Refusal(503, said("the game goes on faster than this can be made: try again later"), AGAIN)

    async def _paged(self, scope: Scope, body: bytes, send: Send, turn: Turn) -> RequestNeeds | None:
        """Pass the request to the pages.

        Return what they need before they can answer, or None if they have answered.
        """

        async def sending(message: Message) -> None:
            turn.give_back()  # a client that reads slowly must not occupy a turn
            if WANTED not in scope:
                await send(message)

        try:
            await self._pages(scope, _whole(body), sending)
        finally:
            turn.give_back()
        wanted: RequestNeeds | None = scope.pop(WANTED, None)
        return wanted

    async def _made(self, wanted: RequestNeeds, client: str, rank: Rank) -> Ticket:
        """Wait until *wanted* is made; if the client can be shown its progress, wait only for a short time."""
        assert self._workshop is not None, "asked for by a page that has one"
        if wanted.begin is None:
            job = self._workshop.want(wanted.work, client, rank)
        else:
            job = self._workshop.undertake(wanted.work, wanted.begin)
        try:
            await asyncio.wait((job.future,), timeout=self._soon_s if wanted.shows else None)
            made = None if not job.future.done() or job.future.cancelled() else job.future.result()
            return Ticket(wanted.work, made, self._workshop.progress(job))
        finally:
            self._workshop.leave(job)

    async def _in_time(self, body: _Body, receive: Receive) -> bool:
        """Receive the rest of *body*. Return False if the client has disconnected."""
        try:
            async with asyncio.timeout(self._stall_s) as limit:
                self._reading.add(limit)
                try:
                    return await self._read(body, receive, limit)
                finally:
                    self._reading.discard(limit)
        except TimeoutError:
            reason = said(
                "the upload was slower than %(slowest)s kB a second, or stopped for %(stall)s s",
                slowest=SLOWEST // 1000,
                stall=f"{self._stall_s:g}",
            )
            raise _Refusal(408, reason) from None

    async def _read(self, body: _Body, receive: Receive, limit: asyncio.Timeout) -> bool:
        now = asyncio.get_running_loop().time
        deadline = BodyDeadline(now(), self._stall_s)
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return False
            part = message.get("body", b"")
            body.add(part)
            until = deadline.came(len(part), now())
            # While the server closes, another part must not extend the deadline.
            if not self._closed:
                limit.reschedule(until)
            more = message.get("more_body", False)
        return True


class _Watch:
    """Notices that the client has disconnected while its request waits. The body must have been read from *receive*."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._gone: asyncio.Task[None] | None = None

    async def unless_gone(self, awaited: Awaitable[T]) -> T:
        """Return the result of *awaited*, or cancel it and raise `_Left` if the client disconnects."""
        task = asyncio.ensure_future(awaited)
        try:
            await asyncio.sleep(0)  # most of them are done immediately, and need no watching task
            if not task.done():
                self._gone = self._gone or asyncio.create_task(self._hung_up())
                await asyncio.wait((task, self._gone), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if not task.done():
            task.cancel()
            await asyncio.wait((task,))
            raise _Left
        return task.result()

    def end(self) -> None:
        """Stop watching."""
        if self._gone is not None:
            self._gone.cancel()

    async def _hung_up(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass


@shows("_held", "_most", "_address")
class _Body:
    """The part of a body that has arrived, and its share of *budget*."""

    def __init__(self, most: int, budget: BodyBudget, address: str) -> None:
        self.bytes = bytearray()
        self._most = most
        self._budget = budget
        self._address = address
        self._held = 0

    def announce(self, length: str) -> None:
        """Reserve the announced length, so that a body that is too large is refused before it is read."""
        if length.isdecimal():
            self._hold(int(length))

    def add(self, part: bytes) -> None:
        self.bytes += part
        self._hold(len(self.bytes))

    def give_back(self) -> None:
        self._budget.give_back(self._address, self._held)

    def _hold(self, size: int) -> None:
        if size > self._most:
            raise _Refusal(413, said("the upload is larger than %(most)s kB", most=self._most // 1024))
        more = max(0, size - self._held)
        if not self._budget.take(self._address, more):
            raise _Refusal(429, said("too many uploads at once: try again in a moment"), AGAIN)
        self._held += more


def _address(scope: Scope) -> str:
    return str(scope["client"][0]) if scope.get("client") else ""


def _whole(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
