"""A look at a ring that takes nothing from it: who answers at an address, what it says of itself, or why none does."""

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
    """Looks at a ring without taking anything from it; *patient* while ports are still being tried."""

    def __init__(self, patient: bool = False) -> None:
        self.settled = threading.Event()
        self._patient = patient

    def heard(self, *events: RingEvent) -> None:
        """Take nothing: a game will."""
        raise Unrecorded

    def ring_changed(self, view: RingView) -> None:
        """Note when the ring has answered, or will not."""
        answered = view.state is RingState.LIVE and view.round_trip_ms is not None
        hopeless = view.state is not RingState.LIVE and view.trouble and not self._patient
        if answered or hopeless:
            self.settled.set()


@dataclass(frozen=True)
class Visit:
    """What was found at *url*: how the ring does and its *hello*, None when none answers."""

    url: str
    view: RingView
    hello: Hello | None

    @property
    def sentence(self) -> str:
        """Who answers, or why nobody does."""
        if self.hello is None:
            return self.view.trouble or f"No ring answers on {self.url}."
        kind = "A simulated ring" if self.view.simulated else "A ring"
        return f"{kind} answers at {self.url}: device {self.view.device}, firmware {self.view.firmware}."


def visit(url: str) -> Visit | None:
    """Look at the ring at *url*, for six seconds at most; None where there is none by name, BadInput for no address."""
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
    """Tell whether all is well at *url*, and what was found there, in one sentence; BadInput for no address."""
    found = visit(url)
    if found is None:
        return True, "No ring in use: type draws in."
    return found.hello is not None, found.sentence
