"""Tells whoever wants to know, never an older thing after a newer one."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

News = TypeVar("News")


class Publisher(Generic[News]):
    """Those who want to hear; they are told in the thread that has the news, and must only take note."""

    def __init__(self, newest: Callable[[], News]) -> None:
        self._newest = newest
        # Asked and told under one lock, or a slow thread would tell its older news last. It is not re-entrant: who
        # changed the table from here would wait for itself.
        self._telling = Lock()
        # Another one for the list: devices come and go while the others are told.
        self._changing = Lock()
        self._listeners: list[Callable[[News], None]] = []

    def add(self, tell: Callable[[News], None], first: bool = False) -> Callable[[], None]:
        """Have *tell* called with what is newest, whenever `tell` is; returns its end, which may be called twice.

        Who wants to be *first* is told before all others.
        """
        # A new list each time, as `tell` may be walking through the old one.
        with self._changing:
            self._listeners = [tell, *self._listeners] if first else [*self._listeners, tell]

        def end() -> None:
            with self._changing:
                self._listeners = [each for each in self._listeners if each is not tell]

        return end

    def tell(self) -> None:
        """Tell everybody what is newest now."""
        with self._telling:
            news = self._newest()
            for listener in self._listeners:
                listener(news)
