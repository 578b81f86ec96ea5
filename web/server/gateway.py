"""The front door: streams are served here, everything else is handed to the pages whole.

A request's body is read before a thread is taken for it, so that somebody who
sends slowly holds nobody up. Much is read from the host only, which the head
of the request tells; and what strangers send takes nothing of the host's share.
Nor does a device that asks for page after page: each place has a budget of
requests, and waits for its turn behind those who play.

A page that takes long to make is made apart (`web.server.making`). Its view
says what it needs and is done; the request waits here, without a thread, and
the view is asked once more when that is there. Who has left waits no longer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from ipaddress import ip_address
from time import monotonic
from typing import TypeVar

from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from web.http.asgi import App, Headers, Message, Receive, Scope, Send, header, language_of, refuse
from web.http.visitor_address import at_the_machine, place
from web.server.body_limits import SLOWEST, STALL_S, BodyBudget, BodyDeadline
from web.server.making import TICKET, WANTED, RequestNeeds, Ticket, Workshop
from web.server.sse import SseStreams
from web.server.turns import Crowded, Rank, Turn, Turns

# How many requests a place may send: a store that fills by so many a second, so that none takes the table's time.

PLACES = 1024
"""So many places are remembered; what is forgotten beyond them is a store that was used least lately."""


@dataclass(frozen=True)
class Pace:
    """So many requests *a_second* in the long run, and so many *at_once*."""

    a_second: float
    at_once: int


GUESTS = Pace(20.0, 300)  # a tablet asks for thirty files at first, later for a page or two a second
OWN = Pace(200.0, 3000)  # the devices of those who play; what runs on the machine itself needs no network to harm it


@shows("_stores", "_most")
class RequestBudget:
    """What each place has left by *pace*; for the thread of the loop only."""

    def __init__(self, pace: Pace, now: Callable[[], float], places: int = PLACES) -> None:
        self._pace = pace
        self._now = now
        self._most = places
        self._stores: dict[str, tuple[float, float]] = {}

    def take(self, place: str) -> bool:
        """Take one request of *place*; False where nothing is left."""
        now = self._now()
        left, at = self._stores.pop(place, (float(self._pace.at_once), now))
        left = min(float(self._pace.at_once), left + (now - at) * self._pace.a_second)
        # To the end: whoever has asked for nothing for longest is forgotten first.
        self._stores[place] = (max(0.0, left - 1), now) if left >= 1 else (left, now)
        if len(self._stores) > self._most:
            del self._stores[next(iter(self._stores))]
        return left >= 1


# Which names of this house are its own: a page elsewhere must not reach it by renaming itself.
#
# DNS rebinding needs a public name that its owner can point at this machine.
# Numbers, one-word names and the endings that only a home network gives out
# cannot be pointed here by a stranger.

HOME_ENDINGS = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")


def bare(host: str) -> str:
    """Return the name in a Host header without its port and brackets, lower case."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def own(host: str, names: Collection[str] = ()) -> bool:
    """Tell whether *host*, as a browser sent it, can be this house; *names* are further ones of its own."""
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


THREADS = 4  # by which pages are made
FOR_COMMANDS = 1  # of them: the host's commands never find all taken
COMMANDS = ("/table/", "/api/v1/commands", "/api/v1/deeds")
"""Where commands come in that are quick: what takes in files waits with the pages."""
SOON_S = 0.8
"""After so long somebody who waits for a page is shown how far it is."""
TRIES = 4
T = TypeVar("T")
EVENTS = "/api/v1/events"
IMPORT = "/api/v1/import"
BODY_MOST = 65_536 + 4096  # a record's longest line, as a form field too
IMPORT_MOST = 8 * 1024 * 1024
CALIBRATIONS = "/ring/calibrations"
RING_DEEDS = "/api/v1/ring/deeds"
CALIBRATION_MOST = 1024 * 1024  # twelve colours of a hundred passes each are a third of it
REPLAY = "/replay"
REPLAY_MOST = 2 * 1024 * 1024  # a record of a night is a tenth of it; it is gone through while somebody waits
GAME_FILES = "/games/files"
MOST = {
    IMPORT: IMPORT_MOST,
    GAME_FILES: IMPORT_MOST,
    CALIBRATIONS: CALIBRATION_MOST,
    RING_DEEDS: CALIBRATION_MOST,
    REPLAY: REPLAY_MOST,
}
"""Addresses where more than a form comes in: all of them the host's."""
GUEST_SHARE = 15 * BODY_MOST  # of one address
GUESTS_TOGETHER = 16 * GUEST_SHARE
HOST_SHARE = IMPORT_MOST + GUEST_SHARE  # a record, and the game goes on beside it
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
    """Whoever asked has hung up."""


@shows("_closed", "_reading", "_device_of")
class Gateway:
    """The one ASGI application of the house.

    *is_host* tells from a request's head whether the host sends it, *is_own*
    whether anybody who plays does: the host's alone where it is not said.
    *device_of* names the seat or device by a cookie or token that is good;
    nobody without one. What takes long is made in the *workshop*.
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
    ) -> None:
        self._pages = pages
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
            language = language_of(scope)
            await refuse(send, no.status, no.reason, no.extra, read_by=header(scope, b"accept"), language=language)

    def _count(self, scope: Scope) -> None:
        """Take the request from the budget of its place, or refuse it; who plays is looked for only if it matters."""
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
        """End now what was still waiting for a body; requests whose body is here are answered."""
        self._closed = True
        for limit in self._reading:
            limit.reschedule(asyncio.get_running_loop().time())

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = self._is_host(scope)
        if scope["path"] in MOST and not host:
            # The pages say why not, in the visitor's language, and never look at the body.
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
        # The pages read as much as was announced; what came in pieces is announced here.
        headers = [pair for pair in scope["headers"] if pair[0] not in _FRAMING]
        scope["headers"] = [*headers, (b"content-length", b"%d" % len(body))]
        command = host and scope["path"].startswith(COMMANDS)
        await self._answer(scope, body, receive, send, command=command)

    async def _answer(self, scope: Scope, body: bytes, receive: Receive, send: Send, *, command: bool = False) -> None:
        """Have the pages answer when it is this request's turn, as often as something has to be made for it first."""
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
        """Hand the request to the pages; return what they need first, None once they have answered."""

        async def sending(message: Message) -> None:
            turn.give_back()  # the page is made: who reads it slowly holds nobody up
            if WANTED not in scope:
                await send(message)

        try:
            await self._pages(scope, _whole(body), sending)
        finally:
            turn.give_back()
        wanted: RequestNeeds | None = scope.pop(WANTED, None)
        return wanted

    async def _made(self, wanted: RequestNeeds, client: str, rank: Rank) -> Ticket:
        """Wait until what is *wanted* is made; not for long where whoever asks may see how far it is."""
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
        """Fill *body*; False when its sender has left."""
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
            # The house is closing: another part must not give it time again.
            if not self._closed:
                limit.reschedule(until)
            more = message.get("more_body", False)
        return True


class _Watch:
    """Notices that whoever asked has hung up, while their request waits; *receive* has given all of the body."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._gone: asyncio.Task[None] | None = None

    async def unless_gone(self, awaited: Awaitable[T]) -> T:
        """Return what is *awaited*, or give it up and raise `_Left`."""
        task = asyncio.ensure_future(awaited)
        try:
            await asyncio.sleep(0)  # most are there at once: then nobody is watched
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
        """Watch no longer."""
        if self._gone is not None:
            self._gone.cancel()

    async def _hung_up(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass


@shows("_held", "_most", "_address")
class _Body:
    """What has come of one body, and the share of *budget* that is held for it."""

    def __init__(self, most: int, budget: BodyBudget, address: str) -> None:
        self.bytes = bytearray()
        self._most = most
        self._budget = budget
        self._address = address
        self._held = 0

    def announce(self, length: str) -> None:
        """Hold what is going to come, where that was said: too much is refused before it is read."""
        if length.isdecimal():
            self._hold(int(length))

    def add(self, part: bytes) -> None:
        self.bytes += part
        self._hold(len(self.bytes))

    def give_back(self) -> None:
        self._budget.give_back(self._address, self._held)

    def _hold(self, size: int) -> None:
        if size > self._most:
            raise _Refusal(413, said("the upload is larger than %(most)s bytes", most=f"{self._most:,}"))
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
