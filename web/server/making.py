"""Make slow pages in a separate process with lower priority, one at a time, and cache the results.

A page that needs seconds of processor time would block the server's threads, which share one interpreter. Its view
therefore says what it needs (`Work`) and ends. The request waits in the event loop, without a thread, until the process
has made it. The process starts at the first need and ends after it has been idle for a while. A result is cached by
everything that decides it: address, language, viewer, and the newest row of each game in it.

Both ends send frames: four bytes of length, then a pickled tuple. To the process: ("make", number, work) and ("drop",
number). From it: ("at", number, done, of) and ("made", number, result).

Long tasks that change the ledger run in the server itself, one after another in a thread, and requests wait for them in
the same way.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import struct
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any

from companion.kernel.errors import Refused
from companion.kernel.i18n import said
from companion.kernel.values import dataclass
from companion.session.hidden import ClockNow
from web.server.fair_turns import Crowded, Rank, RoundRobin

KEPT_BYTES = 32 * 1024 * 1024
MOST_WANTED = 8
"""Number of works that one client may wait for."""
IDLE_S = 60.0
LEASE_S = 10.0
"""Seconds that a work goes on when no request waits for it: a reloaded page asks for it again."""
LONGEST_S = 300.0
_log = logging.getLogger(__name__)
_LENGTH = struct.Struct(">I")
TOO_LONG = said("This took too long to make. Try again later.")
FELL_OVER = said("This couldn't be made. The companion's log says why.")


@dataclass(frozen=True)
class Work:
    """A page to be made: its *address*, and everything else that decides the result.

    *host* and *seat* say who may see it; without both it is for guests. *games* are the games and files in it, each
    with its newest row. *names* changes with every changed name. *given* is data that the process can't get by itself.
    *quick* work may interrupt a long one. *clock* is the clock of the live game, if that is in the page: face-down
    cards are hidden until the countdown is over, so a page is valid for one step of the clock only.
    """

    address: str
    language: str
    host: bool = False
    seat: str | None = None
    games: tuple[tuple[str, object], ...] = ()
    names: int = 0
    given: tuple[tuple[str, bytes], ...] = ()
    quick: bool = False
    clock: tuple[tuple[int, ClockNow], ...] = ()

    @property
    def whatever_version(self) -> Work:
        """The same work regardless of how far its games are."""
        return replace(self, games=tuple((game, None) for game, _ in self.games))


@dataclass(frozen=True)
class Made:
    """The result of a work: the *parts* of a page to put into its frame, or a complete response, or a *fault* to raise.

    *mark* is an unguessable text in *parts*; it is replaced by what belongs to one browser or to this moment. A result
    that doesn't *last* goes only to the requests that wait for it and isn't cached.
    """

    parts: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    mark: str = ""
    value: Any = None
    fault: Exception | None = None
    lasts: bool = True


@dataclass(frozen=True)
class Progress:
    """How far a work is: *done* of *of* steps, 0 of 0 if unknown; *before* is its position in the queue, from 0."""

    done: int = 0
    of: int = 0
    before: int = 0


Begin = Callable[[Callable[[Made], None]], None]
"""Starts a task in a thread; the thread calls the given function with the result."""


class Job:
    """A work that requests wait for; *future* gets its result, in the event loop."""

    def __init__(self, work: Work, now: float) -> None:
        self.work = work
        self.future: asyncio.Future[Made] = asyncio.get_running_loop().create_future()
        self.progress = Progress()
        self.waiting = 0
        self._left_at = now

    def __repr__(self) -> str:
        return f"<Job {self.work.address} {self.progress} waiting={self.waiting} done={self.future.done()}>"

    def come(self) -> None:
        """Count one more waiting request."""
        self.waiting += 1

    def leave(self, now: float) -> None:
        """Count one waiting request less."""
        self.waiting -= 1
        self._left_at = now

    def wanted(self, now: float) -> bool:
        """Tell whether a request waits for it, or had waited until less than `LEASE_S` ago."""
        return self.waiting > 0 or now - self._left_at < LEASE_S


class Shelf:
    """A cache of results by work, limited in bytes; the least recently used are dropped.

    Safe to use from any thread.
    """

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        self._most = most_bytes
        self._lock = Lock()
        self._held: OrderedDict[Work, tuple[Made, int]] = OrderedDict()
        self.bytes = 0

    def __repr__(self) -> str:
        return f"<Shelf {len(self._held)} works, {self.bytes:,} bytes of {self._most:,}>"

    def find(self, work: Work) -> Made | None:
        """Return the result of *work*, or None."""
        with self._lock:
            found = self._held.get(work)
            if found is None:
                return None
            self._held.move_to_end(work)
            return found[0]

    def put(self, work: Work, made: Made, size: int) -> None:
        """Store a result; *size* is the size of result and key in bytes.

        One larger than the whole cache isn't stored.
        """
        with self._lock:
            self._take_out(work)
            if size > self._most:
                return
            self._held[work] = (made, size)
            self.bytes += size
            while self.bytes > self._most:
                self._take_out(next(iter(self._held)))

    def _take_out(self, work: Work) -> None:
        found = self._held.pop(work, None)
        self.bytes -= 0 if found is None else found[1]


class Workshop:
    """Makes works one at a time in a process, which *command* starts. A quick work may interrupt a long one at a step.

    `find` and `begin` are safe from any thread; call the other methods in the event loop's thread.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        now: Callable[[], float] = monotonic,
        idle_s: float = IDLE_S,
        longest_s: float = LONGEST_S,
    ) -> None:
        self._command, self._environment = command, environment
        self._now, self._idle_s, self._longest_s = now, idle_s, longest_s
        self._shelf = Shelf()
        self._jobs: dict[Work, Job] = {}
        self._queues = {rank: RoundRobin[Job]() for rank in Rank}
        self._sent: dict[int, Job] = {}
        self._deeds: dict[Work, Job] = {}
        self._begins: deque[Callable[[], None]] = deque()
        self._number = 0
        self._wake = asyncio.Event()
        self._runs: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self.process: asyncio.subprocess.Process | None = None

    def __repr__(self) -> str:
        pid = None if self.process is None else self.process.pid
        return f"<Workshop pid={pid} jobs={list(self._jobs.values())} {self._shelf}>"

    # From any thread

    def find(self, work: Work) -> Made | None:
        """Return the cached result of *work*, or None."""
        return self._shelf.find(work)

    def begin(self, work: Work) -> None:
        """Start to make *work* although no request waits for it yet."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._begun, work)

    # In the loop

    def open(self) -> None:
        """Use the running event loop. The process isn't started yet."""
        self._loop = asyncio.get_running_loop()

    def want(self, work: Work, client: str, rank: Rank = Rank.OTHERS) -> Job:
        """Return the job that makes *work*, or raise `Crowded` if *client* waits for too many.

        Call `leave` afterwards.
        """
        job = self._jobs.get(work)
        if job is None:
            waits = self._queues[rank]
            if waits.count(client) >= MOST_WANTED or self._closed:
                raise Crowded
            job = self._jobs[work] = Job(work, self._now())
            waits.at(client).append(job)
            if self._runs is None or self._runs.done():
                self._runs = asyncio.create_task(self._run())
            self._wake.set()
        job.come()
        return job

    def undertake(self, work: Work, begin: Begin) -> Job:
        """Return the job of a *work* that *begin* runs in the server, after earlier ones. Call `leave` afterwards.

        It runs to its end even if all requests that waited for it are gone.
        """
        job = self._deeds.get(work)
        if job is None:
            if self._closed:
                raise Crowded
            job = self._deeds[work] = Job(work, self._now())
            loop, done = asyncio.get_running_loop(), partial(self._done, job)

            def tell(made: Made) -> None:
                with suppress(RuntimeError):  # the loop is closed
                    loop.call_soon_threadsafe(done, made)

            self._begins.append(partial(begin, tell))
            if len(self._begins) == 1:
                self._begins[0]()
        job.come()
        return job

    def leave(self, job: Job) -> None:
        """Count one request less that waits for *job*."""
        job.leave(self._now())

    def progress(self, job: Job) -> Progress:
        """Return how far *job* is."""
        return job.progress if job in self._sent.values() else Progress(before=len(self._jobs) - 1)

    async def close(self) -> None:
        """End the process and all jobs, for good."""
        self._closed = True
        for job in (*self._jobs.values(), *self._deeds.values()):
            self._fail(job, TOO_LONG)
        self._begins.clear()
        if self._runs is not None:
            self._runs.cancel()
            await asyncio.wait((self._runs,))

    def _done(self, job: Job, made: Made) -> None:
        self._deeds.pop(job.work, None)
        if not job.future.done():
            job.future.set_result(made)
        if self._begins:
            self._begins.popleft()
        if self._begins:
            self._begins[0]()

    def _begun(self, work: Work) -> None:
        if self.find(work) is None:
            with suppress(Crowded):
                self.leave(self.want(work, "the house", Rank.OTHERS))

    # The process

    async def _run(self) -> None:
        """Make one work after another until there has been none for a while."""
        try:
            while True:
                job = self._next()
                if job is not None:
                    await self._make(job)
                elif self.process is None:
                    return
                elif not await self._woken():
                    await self._end_process()
        finally:
            await self._end_process()

    async def _woken(self) -> bool:
        self._wake.clear()
        try:
            async with asyncio.timeout(self._idle_s):
                return await self._wake.wait()
        except TimeoutError:
            return False

    def _next(self, quick: bool = False) -> Job | None:
        """Return the next job that is still wanted; with *quick*, only a quick one."""
        for rank in Rank:
            waiting = self._queues[rank]

            def may(client: str, waiting: RoundRobin[Job] = waiting) -> bool:
                return not quick or waiting.at(client)[0].work.quick

            while (found := waiting.pop(may)) is not None:
                job = found[1]
                if job.wanted(self._now()):
                    return job
                self._jobs.pop(job.work, None)
                job.future.cancel()
        return None

    async def _make(self, job: Job) -> None:
        try:
            async with asyncio.timeout(self._longest_s):
                process = await self._started()
                self._send(process, job)
                while self._sent:  # quick works that were sent meanwhile may be answered after it
                    self._hear(process, *await _frame(process))
        except TimeoutError:
            await self._give_up(job, TOO_LONG)
        except (asyncio.IncompleteReadError, OSError):
            await self._give_up(job, FELL_OVER)
        except Exception:
            # A bug of ours: the waiting requests are refused, and the next work starts a new process.
            _log.exception("Pages are made anew after a fault")
            await self._give_up(job, FELL_OVER)

    async def _give_up(self, job: Job, why: str) -> None:
        await self._end_process()
        for each in (job, *self._sent.values()):
            self._fail(each, why)
        self._sent.clear()

    async def _started(self) -> asyncio.subprocess.Process:
        if self.process is None or self.process.returncode is not None:
            self.process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=None if self._environment is None else dict(self._environment),
            )
        return self.process

    def _send(self, process: asyncio.subprocess.Process, job: Job) -> None:
        assert process.stdin is not None, "asked for"
        self._number += 1
        self._sent[self._number] = job
        process.stdin.write(framed("make", self._number, job.work))

    def _hear(self, process: asyncio.subprocess.Process, size: int, frame: tuple[Any, ...]) -> None:
        kind, number, *told = frame
        if kind == "at":
            self._sent[number].progress = Progress(*told)
            self._between(process, number)
            return
        job, (made,) = self._sent.pop(number), told
        self._jobs.pop(job.work, None)
        if made is None:
            job.future.cancel()  # it was dropped because no request waits
            return
        if made.lasts:
            self._shelf.put(job.work, made, size + sum(len(raw) for _, raw in job.work.given))
        job.future.set_result(made)

    def _between(self, process: asyncio.subprocess.Process, number: int) -> None:
        """Between two steps of a long work: cancel it if no request waits any more, and start quick works that wait."""
        assert process.stdin is not None, "asked for"
        if not self._sent[number].wanted(self._now()):
            process.stdin.write(framed("drop", number))
        while (quick := self._next(quick=True)) is not None:
            self._send(process, quick)

    def _fail(self, job: Job, why: str) -> None:
        self._jobs.pop(job.work, None)
        self._deeds.pop(job.work, None)
        if not job.future.done():
            job.future.set_result(Made(fault=Refused(why)))

    async def _end_process(self) -> None:
        process, self.process = self.process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def framed(*told: object) -> bytes:
    """Return a frame with *told*: its length and the pickled tuple.

    >>> pickle.loads(framed("drop", 3)[4:])
    ('drop', 3)
    """
    raw = pickle.dumps(told, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(raw)) + raw


def heard(descriptor: int) -> tuple[Any, ...] | None:
    """Wait for a frame on a pipe and return its content, None if the other end has closed."""
    head = _read(descriptor, _LENGTH.size)
    raw = _read(descriptor, _LENGTH.unpack(head)[0]) if head else b""
    return tuple(pickle.loads(raw)) if raw else None  # noqa: S301 - our own process


def _read(descriptor: int, size: int) -> bytes:
    """Return *size* bytes, or none if the other end closes before that."""
    found = bytearray()
    while len(found) < size:
        piece = os.read(descriptor, size - len(found))
        if not piece:
            return b""
        found += piece
    return bytes(found)


async def _frame(process: asyncio.subprocess.Process) -> tuple[int, tuple[Any, ...]]:
    assert process.stdout is not None, "asked for"
    (length,) = _LENGTH.unpack(await process.stdout.readexactly(_LENGTH.size))
    raw = await process.stdout.readexactly(length)
    return length, tuple(pickle.loads(raw))  # noqa: S301 - our own process


WANTED, TICKET = "companion.wanted", "companion.ticket"
"""Keys in the scope of a request: for what a page needs, and for the result."""


@dataclass(frozen=True)
class RequestNeeds:
    """What a request needs before it can be answered; *shows*: its progress may be shown to the client meanwhile.

    If *begin* is given, it runs the work in the server instead of the process.
    """

    work: Work
    shows: bool
    begin: Begin | None = None


@dataclass(frozen=True)
class Ticket:
    """The outcome of a request's work: the result *made*, or None and the progress."""

    work: Work
    made: Made | None
    progress: Progress

    def good_for(self, work: Work) -> bool:
        """Tell whether this is an answer to *work*.

        It may be of an earlier row, but not from before a change of a name.
        """
        return self.work.whatever_version == work.whatever_version
