"""Probes a ring without taking its events. Returns its view and hello, or the reason why no ring answers."""

from __future__ import annotations

import threading

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.ports.ring import RingEvent, RingState, RingView, Unrecorded
from firmware_bridge.client.ring import Ring
from firmware_bridge.factory.open import open_ring
from firmware_bridge.protocol.messages import Hello

ANSWER_S = 6.0


@shows("settled")
class Onlooker:
    """A listener that commits no events. If it is *patient*, it waits while several ports are tried."""

    def __init__(self, patient: bool = False) -> None:
        self.settled = threading.Event()
        self._patient = patient

    def heard(self, *events: RingEvent) -> None:
        """Refuse the events, so that they stay in the ring's store for a game."""
        raise Unrecorded

    def ring_changed(self, view: RingView) -> None:
        """Set `settled` as soon as the ring has answered, or it is clear that it will not."""
        answered = view.state is RingState.LIVE and view.round_trip_ms is not None
        hopeless = view.state is not RingState.LIVE and view.trouble and not self._patient
        if answered or hopeless:
            self.settled.set()


@dataclass(frozen=True)
class Visit:
    """The result of probing *url*: the ring's view, and its *hello* or None."""

    url: str
    view: RingView
    hello: Hello | None

    @property
    def sentence(self) -> str:
        """One sentence that says which ring answers, or why none does."""
        if self.hello is None:
            return self.view.trouble or f"No ring answers on {self.url}."
        kind = "A simulated ring" if self.view.simulated else "A ring"
        return f"{kind} answers at {self.url}: device {self.view.device}, firmware {self.view.firmware}."


def visit(url: str) -> Visit | None:
    """Probe the ring at *url* for up to six seconds. Return None if *url* is `none`.

    Raise InputError if *url* is invalid.
    """
    onlooker = Onlooker(patient=url == "auto")
    ring = open_ring(url, onlooker)
    if not isinstance(ring, Ring):
        return None
    try:
        onlooker.settled.wait(ANSWER_S)
        view, hello = ring.view, ring.hello
    finally:
        ring.close()
    return Visit(url, view, hello if view.state is RingState.LIVE else None)


def look_at(url: str) -> tuple[bool, str]:
    """Probe the ring at *url*. Return whether it works, and a sentence about it.

    Raise InputError for an invalid address.
    """
    found = visit(url)
    if found is None:
        return True, "No ring in use: type draws in."
    return found.hello is not None, found.sentence
