"""`pytest --forks N`: runs tests in N processes, which are forked after all tests were collected.

pytest-xdist starts each worker as a new Python, which imports and collects everything again: ten seconds of a processor
for each, and almost a millisecond for each test's messages. A forked process has all tests at once.

Theory of operation. The main process runs no test. It sends the numbers of tests to its workers, and each worker sends
back the reports of one test after another. A worker gets whole files, so that it sets up a module's fixtures once; when
no file is left, it takes half of another worker's tests. Some tests are sent ahead: a worker must know the next test
before it can tear down the current one, and shall not wait for the main process. If a worker dies, its test has failed,
and a new worker does the rest.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
import traceback
import warnings
import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, NoReturn

import pytest
from _pytest.runner import runtestprotocol

from tests.forkserver.process import server

AHEAD = 3
MANY = 1000
"""A run with more tests shares one server of processes. In a smaller one, most workers need none."""


@dataclass
class Worker:
    """A forked process: its numbers of tests, those that it has received, and those that it has not."""

    pid: int
    wire: Connection
    sent: deque[int | None] = field(default_factory=deque)
    waiting: deque[int] = field(default_factory=deque)


class Shift:
    """The tests of one session, and the workers that run them."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session
        numbers = groupby(range(len(session.items)), key=lambda number: session.items[number].path)
        self._files = deque(deque(file) for _, file in numbers)
        self._workers: list[Worker] = []

    def run(self, forks: int) -> None:
        """Run all tests in *forks* processes, until they are done or the session is stopped."""
        for _ in range(forks):
            self._start()
        try:
            while self._workers:
                ready = wait([worker.wire for worker in self._workers])
                for worker in [worker for worker in self._workers if worker.wire in ready]:
                    self._hear(worker)
        except BaseException:  # such as KeyboardInterrupt, which a terminal sends to the workers, too
            for worker in self._workers:
                os.kill(worker.pid, signal.SIGINT)
            raise

    def _start(self) -> None:
        ours, theirs = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # numpy has threads, but is prepared for forks
            pid = os.fork()
        if not pid:
            for wire in (ours, *(worker.wire for worker in self._workers)):
                wire.close()
            _work(self._session, theirs)
        theirs.close()
        worker = Worker(pid, ours)
        self._workers.append(worker)
        for _ in range(AHEAD):
            self._send(worker)

    def _send(self, worker: Worker) -> None:
        """Send *worker* its next test, or None if there is no more."""
        if None in worker.sent:
            return
        stopped = self._session.shouldfail or self._session.shouldstop
        number = None if stopped else self._next(worker)
        worker.sent.append(number)
        try:
            worker.wire.send(number)
        except BrokenPipeError:
            return  # it has died, and will be heard of

    def _next(self, worker: Worker) -> int | None:
        if not worker.waiting and self._files:
            worker.waiting = self._files.popleft()
        elif not worker.waiting:
            richest = max(self._workers, key=lambda other: len(other.waiting))
            taken = [richest.waiting.pop() for _ in range((len(richest.waiting) + 1) // 2)]
            worker.waiting.extend(reversed(taken))
        return worker.waiting.popleft() if worker.waiting else None

    def _hear(self, worker: Worker) -> None:
        try:
            reports = worker.wire.recv()
        except (EOFError, ConnectionResetError):
            self._bury(worker)
            return
        self._tell(worker.sent.popleft(), reports)
        self._send(worker)

    def _bury(self, worker: Worker) -> None:
        """Wait for a worker that has ended. If it still had a test, report that, and let another do the rest."""
        status = os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1])
        worker.wire.close()
        self._workers.remove(worker)
        left = [number for number in worker.sent if number is not None]
        if not left:
            return
        self._tell(left[0], [self._death(self._session.items[left[0]], status)])
        if rest := deque([*left[1:], *worker.waiting]):
            self._files.appendleft(rest)
            self._start()

    def _death(self, item: pytest.Item, status: int) -> dict[str, Any]:
        report = pytest.TestReport(
            *(item.nodeid, item.location, {}, "failed", f"The worker ended with status {status}."), "call"
        )
        return _packed(item.config, report)

    def _tell(self, number: int | None, reports: Iterable[dict[str, Any]]) -> None:
        assert number is not None
        item = self._session.items[number]
        about = {"nodeid": item.nodeid, "location": item.location}
        item.ihook.pytest_runtest_logstart(**about)
        for data in reports:
            report = item.config.hook.pytest_report_from_serializable(config=item.config, data=data)
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(**about)


class Reports:
    """The plugin of a worker: sends the reports of each test, and keeps them from the worker's other plugins."""

    def __init__(self, wire: Connection) -> None:
        self._wire = wire

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run *item* and send its reports."""
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        self._wire.send([_packed(item.config, report) for report in reports])
        return True


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our option."""
    parser.addoption("--forks", type=int, default=0, metavar="N", help="run the tests in N forked processes")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Print no names of files, because those of several workers would alternate."""
    reporter = config.pluginmanager.getplugin("terminalreporter")
    if reporter and config.getoption("forks"):
        reporter.showfspath = False


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the collected tests in forked processes, if --forks is given."""
    forks = session.config.getoption("forks")
    if not forks or session.config.option.collectonly or session.testsfailed:
        return None
    if len(session.items) > MANY:
        server()
    gc.collect()
    gc.freeze()  # otherwise a collection in a worker would copy this memory
    Shift(session).run(min(forks, len(session.items)))
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)
    return True


def _work(session: pytest.Session, wire: Connection) -> NoReturn:
    """Run the tests whose numbers arrive on *wire*, and end this process."""
    config = session.config
    config.workerinput = {}  # type: ignore[attr-defined]  # to plugins this is a worker, like those of pytest-xdist
    capture = config.pluginmanager.getplugin("capturemanager")
    for made_before in list(weakref.finalize._registry):  # type: ignore[attr-defined]
        made_before.atexit = False  # such as a folder that the main process removes
    status = 0
    try:
        capture.stop_global_capturing()  # its files are the main process's
        capture.start_global_capturing()
        config.pluginmanager.register(Reports(wire))
        for item, following in _pairs(session.items, wire):
            config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        status = 1  # the main process has ended, or somebody interrupts both
    except BaseException:
        status = 1
        traceback.print_exc()
    capture.stop_global_capturing()
    _end(status)


def _pairs(items: list[pytest.Item], wire: Connection) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    """Yield each test of this worker, and the one after it."""
    number = wire.recv()
    while number is not None:
        following = wire.recv()
        yield items[number], None if following is None else items[following]
        number = following


def _packed(config: pytest.Config, report: pytest.TestReport) -> dict[str, Any]:
    packed: dict[str, Any] = config.hook.pytest_report_to_serializable(config=config, report=report)
    return packed


def _end(status: int) -> NoReturn:
    """End as Python does, but without tearing down all modules, which would copy their memory."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
