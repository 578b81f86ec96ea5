"""The table's own threads: its pulse, and errands that are done when asked for; each is seen when it dies."""

from __future__ import annotations

import threading
from collections.abc import Callable

TICK_S = 1.0


def ticking(tick: Callable[[], None], died: Callable[[Exception], None], every_s: float = TICK_S) -> Callable[[], None]:
    """Call *tick* in a thread of its own until the returned end is called; *died* is told what it died of before."""
    over = threading.Event()

    def beat() -> None:
        try:
            while not over.wait(every_s):
                tick()
        except Exception as fault:
            died(fault)
            raise

    thread = threading.Thread(target=beat, name="tick", daemon=True)
    thread.start()

    def end() -> None:
        over.set()
        thread.join()

    return end


class Errand:
    """Something done in a thread of its own soon after it is asked for; asked twice meanwhile, it is done once more."""

    def __init__(self, do: Callable[[], None], died: Callable[[Exception], None]) -> None:
        """Be ready to *do* it; *died* is told what the thread died of."""
        self._do, self._died = do, died
        self._asked = threading.Event()
        self._over = False
        self._thread = threading.Thread(target=self._run, name="errand", daemon=True)
        self._thread.start()

    def ask(self) -> None:
        """Have it done; returns at once."""
        self._asked.set()

    def end(self) -> None:
        """Do it no more; safe to call twice."""
        self._over = True
        self._asked.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while self._asked.wait() and not self._over:
                # Before the deed, so that what is asked for during it is done once more.
                self._asked.clear()
                self._do()
        except Exception as fault:
            self._died(fault)
            raise
