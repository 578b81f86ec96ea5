"""Publish and subscribe: each subscriber gets the newest value, and never an older one after a newer one."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from companion.kernel.fault_log import log_fault
from companion.kernel.shown import shows

News = TypeVar("News")


@shows("_listeners")
class Publisher(Generic[News]):
    """A list of subscribers. Callbacks run in the publishing thread and must not block.

    If a callback raises an exception, it is logged with its traceback, and the other callbacks are still called.
    """

    def __init__(self, newest: Callable[[], News]) -> None:
        self._newest = newest
        # Read and publish under one lock, or a slow thread would publish its older value last. It is not re-entrant: a
        # callback that changes the table would deadlock.
        self._publishing = Lock()
        # The list has a lock of its own, because devices connect and disconnect during a publication.
        self._changing = Lock()
        self._listeners: list[Callable[[News], object]] = []

    def add(self, callback: Callable[[News], object], first: bool = False) -> Callable[[], None]:
        """Subscribe: every `publish` calls *callback* with the newest value.

        Returns a function that unsubscribes; calling it twice is safe. If *first* is true, it is called before all
        other subscribers.
        """
        # Make a new list each time, because `publish` may be iterating over the old one.
        with self._changing:
            self._listeners = [callback, *self._listeners] if first else [*self._listeners, callback]

        def end() -> None:
            with self._changing:
                self._listeners = [each for each in self._listeners if each is not callback]

        return end

    def publish(self) -> None:
        """Call every subscriber with the newest value."""
        with self._publishing:
            news = self._newest()
            for listener in self._listeners:
                try:
                    listener(news)
                except Exception as fault:
                    log_fault(f"a subscriber failed ({fault!r}); the others were called", fault)
