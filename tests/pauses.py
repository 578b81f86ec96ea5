"""Pauses for supervised threads: some take no time, others end when a test says so."""

from __future__ import annotations

from queue import Queue
from threading import Semaphore

from companion.kernel.supervisor import Supervisor

PATIENCE_S = 60.0


class NoPause:
    """A pause that is over at once. Its seconds are appended to *waited*."""

    def __init__(self, waited: list[float] | None = None) -> None:
        self._waited = [] if waited is None else waited
        self._set = False

    def wait(self, timeout: float) -> bool:
        self._waited.append(timeout)
        return self._set

    def set(self) -> None:
        self._set = True

    def is_set(self) -> bool:
        return self._set


class HeldPause:
    """A pause that lasts until `go`. `reached` blocks until a thread is in it, and returns its seconds."""

    def __init__(self) -> None:
        self._begun: Queue[float] = Queue()
        self._go = Semaphore(0)
        self._set = False

    def reached(self) -> float:
        return self._begun.get(timeout=PATIENCE_S)

    def go(self) -> None:
        self._go.release()

    def wait(self, timeout: float) -> bool:
        self._begun.put(timeout)
        assert self._set or self._go.acquire(timeout=PATIENCE_S)
        return self._set

    def set(self) -> None:
        self._set = True
        self._go.release()

    def is_set(self) -> bool:
        return self._set


def at_once() -> Supervisor:
    """Return a supervisor whose threads restart without a pause."""
    return Supervisor(pause=NoPause)


def held() -> tuple[Supervisor, HeldPause]:
    """Return a supervisor of one thread, and its pause."""
    pause = HeldPause()
    return Supervisor(pause=lambda: pause), pause
