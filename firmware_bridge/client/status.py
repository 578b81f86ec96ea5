"""What the house sees of a ring: one view, told at once when it matters and every second when only figures move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from operator import attrgetter

from companion.kernel.shown import shows
from companion.ports.ring import RingListener, RingState, RingView
from firmware_bridge.protocol.connection import Connection

SHOW_S = 1.0
MOVING = frozenset({"lines_in", "damaged", "repeated", "round_trip_ms"})
LASTING = attrgetter(*[each.name for each in fields(RingView) if each.name not in MOVING])
"""The view without figures that move all the time."""


@shows("_complaint", "_missing")
class StatusPublisher:
    """Keeps the view of a ring, and tells *listener* of it; used by the ring's own thread only."""

    def __init__(
        self,
        listener: RingListener,
        link: Connection,
        now: Callable[[], float],
        port: str,
        news: Callable[[], int] = lambda: 0,
    ) -> None:
        self.view = RingView(state=RingState.SEARCHING, port=port)
        self._listener = listener
        self._link = link
        self._now = now
        self._news = news
        self._told = self.view
        self._told_at = float("-inf")
        self._complaint = ""
        self._missing = ""

    def show(self, **changes: object) -> None:
        """Bring the view up to date with *changes* (names and types are those of `RingView`)."""
        trip_us = self._link.trip.smoothed_us
        figures = {
            "news": self._news(),
            "lines_in": self._link.lines_in,
            "damaged": self._link.damaged,
            "repeated": self._link.repeated,
            "round_trip_ms": trip_us / 1000 if trip_us >= 0 else None,
        }
        self.view = replace(self.view, **figures, **changes)  # type: ignore[arg-type]  # checked where changes are made
        if LASTING(self.view) != LASTING(self._told):
            self._tell()

    def freshen(self) -> None:
        """Tell of news from the instrument."""
        if self.view.news != self._news():
            self.show()

    def refresh(self, now: float) -> None:
        """Tell of moved figures too, once a second."""
        if now - self._told_at >= SHOW_S:
            self.show()
            self._told_at = now
            if self.view != self._told:
                self._tell()

    def complain(self, sentence: str) -> None:
        """Show that an order was not carried out."""
        self._complaint = sentence
        self.show(trouble=sentence)

    def content(self) -> None:
        """An order was carried out: an earlier complaint is settled, any other trouble stays."""
        if self._complaint and self.view.trouble == self._complaint:
            self.show(trouble="")
        self._complaint = ""

    def miss(self, sentence: str) -> None:
        """Show that something of the ring is missing, as long as nothing else is wrong; empty: it has come."""
        if sentence and not self.view.trouble:
            self.show(trouble=sentence)
        elif self._missing and not sentence and self.view.trouble == self._missing:
            self.show(trouble="")
        self._missing = sentence

    def _tell(self) -> None:
        view = self.view
        self._listener.ring_changed(view)
        self._told = view  # last: a listener that failed is called again
