"""Make slow pages in a separate process with lower priority, one at a time, and cache the results.

A page that takes seconds of processor time would block the server's threads, which share one interpreter. Its view
therefore describes the page as a task (`Work`) and ends. The request waits in the event loop, without a thread, until
the process has made the page. The process starts with the first task and ends after it has been idle for a while. The
cache key of a result contains everything that determines it: address, language, viewer, and the newest row of each game
in it.

Both ends send frames: four bytes of length, then a pickled tuple. The server sends ("make", number, work) and ("drop",
number). The process sends ("at", number, done, of) and ("made", number, result).

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
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.session.hidden import ClockNow
from web.server.fair_turns import Crowded, Rank, RoundRobin

CACHE_BYTES = 32 * 1024 * 1024
MOST_WANTED = 8
"""Number of tasks that one client may wait for."""
IDLE_S = 60.0
LEASE_S = 10.0
"""Seconds for which a task continues although no request waits for it: a reloaded page may request it again."""
LONGEST_S = 300.0
_log = logging.getLogger(__name__)
_LENGTH = struct.Struct(">I")
TOO_LONG = said("This took too long to make. Try again later.")
FELL_OVER = said("This couldn't be made. The companion's log says why.")


@dataclass(frozen=True)
class Work:
    """A task of the process: the *address* of a page, and everything else that determines the result.

    *host* and *seat* identify the viewer; without both, the page is for guests. *games* lists the games and files on
    the page, each with its newest row. *names* is a value that changes whenever a player's name changes. *given* is
    data that the process can't get by itself. A *quick* task may interrupt a long one. *clock* is the clock of the live
    game, if that game is on the page. Face-down cards are hidden until the countdown is over, so such a page is valid
    for one step of the clock only.
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
        """The same task without the newest rows of its games."""
        return replace(self, games=tuple((game, None) for game, _ in self.games))


@dataclass(frozen=True)
class Made:
    """The result of a task: the *parts* of a page to put into its frame, or a complete response, or a *fault* to raise.

    *mark* is an unguessable text in *parts*. The server replaces it with values for one browser or for the present
    moment. A result that doesn't *last* goes only to the requests that wait for it, and isn't cached.
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
    """The progress of a task: *done* of *of* steps (0 of 0 if unknown).

    *before* is the number of tasks before it in the queue.
    """

    done: int = 0
    of: int = 0
    before: int = 0


Begin = Callable[[Callable[[Made], None]], None]
"""Starts a task in a thread; the thread calls the given function with the result."""


class Job:
    """A task that requests are waiting for. *future* receives the result, in the event loop."""

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
        """Count one waiting request fewer."""
        self.waiting -= 1
        self._left_at = now

    def wanted(self, now: float) -> bool:
        """Tell whether a request waits for it, or one has waited within the last `LEASE_S` seconds."""
        return self.waiting > 0 or now - self._left_at < LEASE_S


class ResultCache:
    """A cache of results by task, limited in bytes. It drops the least recently used results.

    It may be used from any thread.
    """

    def __init__(self, most_bytes: int = CACHE_BYTES) -> None:
        self._most = most_bytes
        self._lock = Lock()
        self._held: OrderedDict[Work, tuple[Made, int]] = OrderedDict()
        self.bytes = 0

    def __repr__(self) -> str:
        return f"<ResultCache {len(self._held)} works, {self.bytes:,} bytes of {self._most:,}>"

    def find(self, work: Work) -> Made | None:
        """Return the result of *work*, or None."""
        with self._lock:
            found = self._held.get(work)
            if found is None:
                return None
            self._held.move_to_end(work)
            return found[0]

    def put(self, work: Work, made: Made, size: int) -> None:
        """Store a result. *size* is the size of result and key in bytes.

        A result that is larger than the whole cache isn't stored.
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
    """Runs tasks one at a time in a process started by *command*.

    A quick task may interrupt a long one between two steps.

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
        self._cache = ResultCache()
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
        return f"<Workshop pid={pid} jobs={list(self._jobs.values())} {self._cache}>"

    # From any thread

    def find(self, work: Work) -> Made | None:
        """Return the cached result of *work*, or None."""
        return self._cache.find(work)

    def begin(self, work: Work) -> None:
        """Start the task *work* although no request waits for it yet."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._begun, work)

    # In the loop

    def open(self) -> None:
        """Use the running event loop. The process isn't started yet."""
        self._loop = asyncio.get_running_loop()

    def want(self, work: Work, client: str, rank: Rank = Rank.OTHERS) -> Job:
        """Return the job for *work*, or raise `Crowded` if *client* already waits for too many.

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
        """Return the job for *work*, which *begin* runs in the server after earlier jobs. Call `leave` afterwards.

        It runs to its end even if all requests that waited for it are gone.
        """
        job = self._deeds.get(work)
        if job is None:
            if self._closed:
                raise Crowded
            job = self._deeds[work] = Job(work, self._now())
            loop, done = asyncio.get_running_loop(), partial(self._done, job)

            def callback(made: Made) -> None:
                with suppress(RuntimeError):  # the loop is closed
                    loop.call_soon_threadsafe(done, made)

            self._begins.append(partial(begin, callback))
            if len(self._begins) == 1:
                self._begins[0]()
        job.come()
        return job

    def leave(self, job: Job) -> None:
        """Record that one request fewer waits for *job*."""
        job.leave(self._now())

    def progress(self, job: Job) -> Progress:
        """Return the progress of *job*."""
        return job.progress if job in self._sent.values() else Progress(before=len(self._jobs) - 1)

    async def close(self) -> None:
        """End the process and all jobs permanently."""
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
        """Run one task after another until there has been none for a while."""
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
                while self._sent:  # quick tasks that were sent meanwhile may be answered after it
                    self._hear(process, *await _frame(process))
        except TimeoutError:
            await self._give_up(job, TOO_LONG)
        except (asyncio.IncompleteReadError, OSError):
            await self._give_up(job, FELL_OVER)
        except Exception:
            # A bug of ours: the waiting requests are refused, and the next task starts a new process.
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
        kind, number, *content = frame
        if kind == "at":
            self._sent[number].progress = Progress(*content)
            self._between(process, number)
            return
        job, (made,) = self._sent.pop(number), content
        self._jobs.pop(job.work, None)
        if made is None:
            job.future.cancel()  # it was dropped because no request waits
            return
        if made.lasts:
            self._cache.put(job.work, made, size + sum(len(raw) for _, raw in job.work.given))
        job.future.set_result(made)

    def _between(self, process: asyncio.subprocess.Process, number: int) -> None:
        """Between two steps of a long task: cancel it if no request waits for it, and start waiting quick tasks."""
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


def framed(*content: object) -> bytes:
    """Return a frame: the length of the pickled tuple *content*, and that pickled tuple.

    >>> pickle.loads(framed("drop", 3)[4:])
    ('drop', 3)
    """
    raw = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(raw)) + raw


def read_frame(descriptor: int) -> tuple[Any, ...] | None:
    """Wait for a frame on a pipe and return its content, or None if the other end has closed the pipe."""
    head = _read(descriptor, _LENGTH.size)
    raw = _read(descriptor, _LENGTH.unpack(head)[0]) if head else b""
    return tuple(pickle.loads(raw)) if raw else None  # noqa: S301 - our own process


def _read(descriptor: int, size: int) -> bytes:
    """Return *size* bytes, or empty bytes if the other end closes the pipe before that."""
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
"""Keys in the scope of a request: for what a page needs (`RequestNeeds`), and for the result (`Ticket`)."""


@dataclass(frozen=True)
class RequestNeeds:
    """What a request needs before it can be answered. With *shows*, the client may be shown the progress meanwhile.

    If *begin* is given, it runs the task in the server instead of the process.
    """

    work: Work
    shows: bool
    begin: Begin | None = None


@dataclass(frozen=True)
class Ticket:
    """The outcome of a request's task: the result *made*, or None and the progress."""

    work: Work
    made: Made | None
    progress: Progress

    def good_for(self, work: Work) -> bool:
        """Tell whether this is a result for *work*.

        The result may be from an earlier row, but not from before a change of a player's name.
        """
        return self.work.whatever_version == work.whatever_version
