"""The table's own threads: its pulse, and errands that are done when asked for; the supervisor starts both again."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor

TICK_S = 1.0


def ticking(
    threads: Supervisor, name: str, tick: Callable[[], None], what: str = "", every_s: float = TICK_S
) -> Callable[[], None]:
    """Call *tick* in a thread called *name* until the returned end is called; *what* names it to people."""
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
    """Something done in a thread of its own soon after it is asked for; asked twice meanwhile, it is done once more.

    What was asked for and failed is done again when the thread starts again.
    """

    def __init__(self, threads: Supervisor, name: str, do: Callable[[], None], what: str = "") -> None:
        """Be ready to *do* it in a thread called *name*; *what* names it to people."""
        self._do = do
        self._asked = threading.Event()
        self._over = False
        self._thread = threads.start(name, self._run, what)

    def ask(self) -> None:
        """Have it done; returns at once."""
        self._asked.set()

    def end(self) -> None:
        """Do it no more; safe to call twice."""
        self._over = True
        self._asked.set()
        self._thread.end()

    def _run(self) -> None:
        while self._asked.wait() and not self._over:
            # Before the deed, so that what is asked for during it is done once more.
            self._asked.clear()
            try:
                self._do()
            except BaseException:
                self._asked.set()  # it is not done: the restarted thread does it first
                raise
