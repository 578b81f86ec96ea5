"""A supervisor for long-lived threads: it starts each thread by name, and restarts it after an error.

A thread is in one of four states:

- *running*: its function runs.
- *waiting*: an error ended its function. The error is logged in full, one sentence is shown, and after a pause the
  function is called again. The pauses are 1, 2, 4 ... 60 s; after a minute without an error they start again at 1 s.
- *ended*: its function returned, or its owner stopped it.
- *failed*: an error ended it, and it is a one-off (`again=False`). The code that started it decides what to do next.

`docs/architecture.md` lists every thread of the program.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from companion.kernel.fault_log import log_fault
from companion.kernel.publisher import Publisher
from companion.kernel.said import Said, said
from companion.kernel.shown import shows
from companion.kernel.values import dataclass, replace

FIRST_S, LONGEST_S = 1.0, 60.0
WELL_S = 60.0
"""After this many seconds without an error, the next pause is the short first pause again."""
Failed = Callable[[BaseException, float], None]
"""A callback, called in the failed thread with its error and the seconds until it restarts."""


class ThreadState(StrEnum):
    """What a thread is doing."""

    RUNNING = "running"
    WAITING = "waiting"
    FAILED = "failed"
    ENDED = "ended"


@dataclass(frozen=True)
class ThreadView:
    """One thread: *last_error* is the type of its newest error, *restarts* how often it was restarted.

    *trouble* is a sentence for users; it is empty while the thread runs. None of these fields contains the text of the
    error, because that may name files, players or hidden cards; the text is only in the log.
    """

    name: str
    state: ThreadState = ThreadState.RUNNING
    last_error: str = ""
    restarts: int = 0
    trouble: str = ""

    @property
    def failing(self) -> bool:
        """Whether the thread waits or has failed because of an error."""
        return self.state in (ThreadState.WAITING, ThreadState.FAILED)


class RestartPause(Protocol):
    """A pause that can be cut short: a `threading.Event`, or a substitute in a test."""

    def wait(self, timeout: float) -> bool:
        """Wait for *timeout* seconds, or until `set` is called; return whether `set` was called."""

    def set(self) -> None:
        """End every present and later `wait` at once."""

    def is_set(self) -> bool:
        """Return whether `set` was called."""


@shows("_next_s")
class Backoff:
    """Growing pauses between attempts. Each is twice as long as the one before it, up to *longest_s*.

    After an attempt that ran for `WELL_S` seconds without an error, the pauses start again with the first.

    >>> pauses = Backoff()
    >>> [pauses.after(0.0) for _ in range(8)]
    [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]
    >>> pauses.after(61.0)
    1.0
    """

    def __init__(self, first_s: float = FIRST_S, longest_s: float = LONGEST_S) -> None:
        self._first_s, self._longest_s = first_s, longest_s
        self._next_s = first_s

    def after(self, ran_s: float) -> float:
        """Return the pause after an attempt that ran for *ran_s* seconds."""
        if ran_s >= WELL_S:
            self._next_s = self._first_s
        pause_s, self._next_s = self._next_s, min(self._next_s * 2, self._longest_s)
        return pause_s


class Thread:
    """The handle with which an owner stops or joins one supervised thread. `Supervisor.start` creates it."""

    def __init__(
        self,
        view: ThreadView,
        work: Callable[[], object],
        what: str,
        again: bool,
        failed: Failed | None,
        now: Callable[[], float],
        stopped: RestartPause,
        changed: Callable[[], None],
    ) -> None:
        self.view = view
        self._work, self._what, self._again, self._failed = work, what, again, failed
        self._now, self._stopped, self._changed = now, stopped, changed
        self._thread = threading.Thread(target=self._run, name=view.name, daemon=True)

    def __repr__(self) -> str:
        """Return the thread's name and state."""
        return f"<supervised thread {self.view.name!r}, {self.view.state}, {self.view.restarts} restarts>"

    def begin(self) -> None:
        """Start the thread. Only the supervisor calls this."""
        try:
            self._thread.start()
        except RuntimeError as fault:  # the system cannot create another thread
            self.view = replace(self.view, state=ThreadState.FAILED, last_error=type(fault).__name__)
            raise

    @property
    def alive(self) -> bool:
        """Whether the thread runs or waits to restart."""
        return self._thread.is_alive()

    @property
    def is_current(self) -> bool:
        """Whether the caller runs in this thread."""
        return threading.current_thread() is self._thread

    def stop(self) -> None:
        """Prevent a restart, and end a pause at once. Only the owner can end a function that is running."""
        self._stopped.set()

    def join(self, timeout_s: float | None = None) -> None:
        """Wait until the thread has ended, at most *timeout_s* seconds."""
        if not self.is_current:
            self._thread.join(timeout_s)

    def end(self, timeout_s: float | None = None) -> None:
        """Call `stop` and `join`."""
        self.stop()
        self.join(timeout_s)

    def _run(self) -> None:
        backoff = Backoff()
        while self._failed_once(backoff):
            self.view = replace(self.view, state=ThreadState.RUNNING, restarts=self.view.restarts + 1, trouble="")
            self._changed()

    def _failed_once(self, backoff: Backoff) -> bool:
        """Call the function once. If it fails, report the error and wait. Return whether to call the function again."""
        began = self._now()
        try:
            self._work()
        # SystemExit too: otherwise Python ends the thread silently.
        except BaseException as fault:
            pause_s = backoff.after(self._now() - began)
            self._report(fault, pause_s)
            # Otherwise each error would be chained to the error before it, and all their frames would stay in memory.
            del fault
        else:
            self.view = replace(self.view, state=ThreadState.ENDED, trouble="")
            return False
        if self._again and not self._stopped.wait(pause_s):
            return True
        if self._again:
            self.view = replace(self.view, state=ThreadState.ENDED, trouble="")
            self._changed()
        return False

    def _report(self, fault: BaseException, pause_s: float) -> None:
        """Log the error, call the owner's callback, and add a sentence to the list of troubles."""
        kind, again = type(fault).__name__, self._again and not self._stopped.is_set()
        follows = f"it starts again in {pause_s:g} s" if again else "it is not started again"
        unlogged = log_fault(f"thread {self.view.name}: {_text(fault)}; {follows}", fault)
        trouble = stopped(self._what, fault, pause_s) if self._what and again else ""
        error = f"{kind} (not logged: {unlogged})" if unlogged else kind
        state = ThreadState.WAITING if self._again else ThreadState.FAILED
        self.view = replace(self.view, state=state, last_error=error, trouble=trouble)
        if self._failed is not None:
            try:
                self._failed(fault, pause_s)
            except Exception as second:
                log_fault(f"thread {self.view.name}: its error could not be shown: {second!r}", second)
        self._changed()


@shows("_threads")
class Supervisor:
    """All threads of the program, by name.

    *now* returns monotonic seconds. *pause* creates the `RestartPause` of a thread; tests pass a substitute that does
    not wait.
    """

    def __init__(
        self, now: Callable[[], float] = time.monotonic, pause: Callable[[], RestartPause] = threading.Event
    ) -> None:
        self._now, self._pause = now, pause
        self._lock = threading.Lock()
        self._threads: dict[str, Thread] = {}
        self._changes = Publisher(lambda: self.troubles)

    def start(
        self,
        name: str,
        work: Callable[[], object],
        what: str = "",
        again: bool = True,
        failed: Failed | None = None,
    ) -> Thread:
        """Start a thread called *name* that calls *work*. If *again* is true, *work* is called again after each error.

        *what* is its name in messages shown to users ("The console"); it is used in the sentence shown while the thread
        waits. If *what* is empty, no sentence is shown. After an error *failed* is called first, in the same thread, to
        clean up and to show the error.
        """
        with self._lock:
            view = self._fresh(name, again)
            thread = Thread(view, work, what, again, failed, self._now, self._pause(), self._changes.publish)
            self._threads[view.name] = thread
        thread.begin()
        return thread

    @property
    def views(self) -> tuple[ThreadView, ...]:
        """All threads that were ever started, oldest first.

        If a name was used again, only its newest thread is listed.
        """
        with self._lock:
            return tuple(thread.view for thread in self._threads.values())

    @property
    def troubles(self) -> tuple[str, ...]:
        """The sentences to show now, one for each thread that waits to restart."""
        return tuple(view.trouble for view in self.views if view.trouble)

    def subscribe(self, callback: Callable[[tuple[str, ...]], object]) -> Callable[[], None]:
        """Call *callback* with `troubles`, in the thread concerned, whenever a thread fails or restarts.

        Returns a function that unsubscribes.
        """
        return self._changes.add(callback)

    def _fresh(self, name: str, again: bool) -> ThreadView:
        """Return the view of a new thread.

        It inherits the number of restarts from an ended thread with the same name.
        """
        number, free = 1, name
        while (before := self._threads.get(free)) is not None and before.alive:
            number += 1
            free = f"{name} {number}"
        if before is None:
            return ThreadView(free)
        failed_before = not again and before.view.state is ThreadState.FAILED
        return ThreadView(free, last_error=before.view.last_error, restarts=before.view.restarts + failed_before)


@shows("_last", "_name")
class DeedSeries:
    """Runs functions one after another, each in a new thread with the same *name*."""

    def __init__(self, threads: Supervisor, name: str, what: str = "") -> None:
        self._threads, self._name, self._what = threads, name, what
        self._last: Thread | None = None

    def __call__(self, deed: Callable[[], object]) -> None:
        """Start a thread that first joins the thread before it and then calls *deed*."""
        if self._last is not None:
            self._last.join()
        self._last = self._threads.start(self._name, deed, self._what)


def stopped(what: str, fault: BaseException, pause_s: float) -> Said:
    """Return the sentence that a thread stopped, and when it restarts."""
    return said(
        "%(what)s stopped (%(fault)s). It starts again in %(seconds)s s.",
        what=what,
        fault=type(fault).__name__,
        seconds=f"{pause_s:g}",
    )


def _text(fault: BaseException) -> str:
    try:
        return repr(fault)
    except Exception:  # an error without a working repr: its traceback follows
        return type(fault).__name__
