"""Background threads of the table: periodic ticks, and work on request. The supervisor restarts both."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor

TICK_S = 1.0


def ticking(
    threads: Supervisor, name: str, tick: Callable[[], None], what: str = "", every_s: float = TICK_S
) -> Callable[[], None]:
    """Call *tick* every *every_s* seconds in a thread called *name* until the returned function is called.

    *what* is the name of this work in messages shown to users.
    """
    over = threading.Event()

    def beat() -> None:
        while not over.wait(every_s):
            tick()

    thread = threads.start(name, beat, what)

    def end() -> None:
        over.set()
        thread.end()

    return end


@shows("_over")
class Worker:
    """Runs a function in a thread of its own, soon after a request. Requests during a run cause one more run.

    A failed run is repeated when the thread restarts.
    """

    def __init__(self, threads: Supervisor, name: str, do: Callable[[], None], what: str = "") -> None:
        """Prepare to run *do* in a thread called *name*; *what* is its name in messages shown to users."""
        self._do = do
        self._asked = threading.Event()
        self._over = False
        self._thread = threads.start(name, self._run, what)

    def ask(self) -> None:
        """Request a run, and return immediately."""
        self._asked.set()

    def end(self) -> None:
        """Stop the thread. It is safe to call this twice."""
        self._over = True
        self._asked.set()
        self._thread.end()

    def _run(self) -> None:
        while self._asked.wait() and not self._over:
            # Clear this before the run, so that a request during the run causes one more run.
            self._asked.clear()
            try:
                self._do()
            except BaseException:
                self._asked.set()  # this run failed, so the restarted thread repeats it first
                raise
