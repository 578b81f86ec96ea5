"""Publishes a ring's view: at once if its state changes, once a second if only counters change.

Also the sentences that a table sees when something is wrong with its ring.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from operator import attrgetter

from companion.kernel.said import Said, said, word
from companion.kernel.shown import shows
from companion.kernel.supervisor import stopped
from companion.ports.ring import RingListener, RingState, RingView
from firmware_bridge.device.codec import VERSION
from firmware_bridge.protocol.connection import Connection

SHOW_S = 1.0
MOVING = frozenset({"lines_in", "damaged", "repeated", "round_trip_ms"})
LASTING = attrgetter(*[each.name for each in fields(RingView) if each.name not in MOVING])
"""Returns the view's fields without the ones that change all the time."""


@shows("_complaint", "_missing")
class StatusPublisher:
    """Holds a ring's view and publishes it to *listener*. Only the reader thread may use it."""

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
        self._published = self.view
        self._published_at = float("-inf")
        self._complaint = ""
        self._missing = ""

    def show(self, **changes: object) -> None:
        """Update the view with *changes* (fields of `RingView`), and publish it if a lasting field has changed."""
        trip_us = self._link.trip.smoothed_us
        figures = {
            "news": self._news(),
            "lines_in": self._link.lines_in,
            "damaged": self._link.damaged,
            "repeated": self._link.repeated,
            "round_trip_ms": trip_us / 1000 if trip_us >= 0 else None,
        }
        self.view = replace(self.view, **figures, **changes)  # type: ignore[arg-type]  # checked where changes are made
        if LASTING(self.view) != LASTING(self._published):
            self._publish()

    def freshen(self) -> None:
        """Publish the view if the instrument has news."""
        if self.view.news != self._news():
            self.show()

    def refresh(self, now: float) -> None:
        """Publish changed counters too, once a second."""
        if now - self._published_at >= SHOW_S:
            self.show()
            self._published_at = now
            if self.view != self._published:
                self._publish()

    def complain(self, sentence: str) -> None:
        """Show *sentence* as the trouble until an order is carried out."""
        self._complaint = sentence
        self.show(trouble=sentence)

    def content(self) -> None:
        """Clear the last complaint, because an order was carried out. Other trouble is still shown."""
        if self._complaint and self.view.trouble == self._complaint:
            self.show(trouble="")
        self._complaint = ""

    def miss(self, sentence: str) -> None:
        """Show that an event is missing, if there is no other trouble; an empty *sentence* clears it."""
        if sentence and not self.view.trouble:
            self.show(trouble=sentence)
        elif self._missing and not sentence and self.view.trouble == self._missing:
            self.show(trouble="")
        self._missing = sentence

    def _publish(self) -> None:
        view = self.view
        self._listener.ring_changed(view)
        self._published = view  # set last: if the listener fails, the next change publishes this one too


WHY: Mapping[str, Said] = {
    "empty": said("there's nothing under it"),
    "colour": said("it doesn't know one of the colours"),
    "malformed": said("it didn't understand"),
    "unknown": said("it can't do that"),
}


def different_protocol(version: int) -> Said:
    """Return the sentence for a ring that speaks another *version* of the protocol. It says which side to update."""
    if version > VERSION:
        return said(
            "The ring speaks protocol %(version)s, this companion %(ours)s. Update the companion.",
            version=version,
            ours=VERSION,
        )
    return said(
        "The ring speaks protocol %(version)s, this companion needs %(ours)s. Update the ring's firmware.",
        version=version,
        ours=VERSION,
    )


def silent(seconds: float) -> Said:
    """Return the sentence for a ring that has been silent for *seconds*."""
    return said("The ring has been silent for %(seconds)s seconds. You can type draws in.", seconds=f"{seconds:.0f}")


def gone(events: int) -> str:
    """Return the sentence for a number of *events* that another program has acknowledged, or an empty string for 0."""
    if not events:
        return ""
    return said("Another program took %(count)s of the ring's events. Check the last draws.", count=events)


def not_carried_out(order: str, why: str) -> Said:
    """Return the sentence for an order that the ring refused, with the reason."""
    because = WHY.get(why) or word(why)
    return said("The ring didn't do “%(order)s”: %(why)s.", order=order, why=because)


def no_answer(port: str) -> Said:
    """Return the sentence for a port on which no ring answers."""
    return said("No ring answers on %(port)s yet.", port=port)


def no_room(events: int) -> Said:
    """Return the sentence for a number of *events* that the ring had no room to store."""
    return said("The ring had no room for %(count)s events. Check the last draws.", count=events)


def missing(number: int | None) -> str:
    """Return the sentence for a missing event that blocks later ones. *number* is its number; for None, return ""."""
    if number is None:
        return ""
    return said("Something the ring saw isn't arriving. Check the last draws, and unplug and replug the ring.")


def reader_stopped(fault: BaseException, pause_s: float) -> Said:
    """Return the sentence for a reader thread that *fault* has stopped, and that restarts after *pause_s* seconds."""
    return stopped(said("The ring's reader"), fault, pause_s)
