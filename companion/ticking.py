"""The table's pulse: a thread that calls `tick` about once a second, and is seen when it dies."""

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
