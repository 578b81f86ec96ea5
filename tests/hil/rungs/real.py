"""The ring on the desk (`pytest --ring=URL`). Tests that need a hand only run if a person is there."""

from __future__ import annotations

import threading
import time

import pytest

from firmware_bridge.colour import Calibration, Nominal, judge_of
from firmware_bridge.conformance.conversation import Conversation
from firmware_bridge.factory.open import session_name, way_to
from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.protocol.messages import Hello
from rungs.wire import Bell, Wire, WireLost
from tests.hil import deeds
from tests.hil.person import QUIT, SKIP, Person
from tests.hil.rung import Missing, Rung, Step

A_HAND = "wants a hand at the ring: run with -s to be asked"
NO_SIMULATION = "wants a ring whose troubles can be ordered"
NO_HAND = "no hand is as quick or as even as that"
FOUND_S = 5.0
SIMULATED_ONLY = ("sensor", "wrap", "version", "room", "plug", "weather", "unread", "closed")
TOO_FINE = ("speed", "blink", "midway")


class RealRing(Rung):
    """The ring at *url*. *person* can be asked to do something, if there is one."""

    live = True
    patient = True

    def __init__(self, url: str, person: Person | None, calibration: Calibration | None = None) -> None:
        super().__init__()
        self.name = "real"
        self.person = person
        self._bell = Bell()
        self._pause = threading.Event()
        try:
            self._opener = way_to(url).opener
        except BadInput as fault:
            raise Missing(str(fault)) from None
        self.cannot = dict.fromkeys(SIMULATED_ONLY, NO_SIMULATION) | dict.fromkeys(TOO_FINE, NO_HAND)
        hello = self._hello()
        self.judge = judge_of(calibration) if calibration else Nominal() if hello and hello.simulated else None
        if person is None:
            self.cannot |= dict.fromkeys(("hand", "jolts", "restart"), A_HAND)
            self.cannot |= {} if hello and "s" in hello.abilities else {"slides": A_HAND}

    def now(self) -> float:
        """Return the time in seconds."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Let time pass without reading from the ring."""
        self._pause.wait(seconds)

    def opened(self) -> Wire:
        """Return an open wire to the ring. Raises `WireLost` while it is unplugged."""
        return self._opener(self._bell)

    def trouble(self, word: str, **more: object) -> None:
        """Ask the person to restart the ring. Other troubles can't be caused on a real ring."""
        if word != "restarted":
            raise Missing(f"a ring on the desk can't be `{word}` by order")
        self._asked(deeds.RESTART)

    def do(self, step: Step) -> None:
        """Ask the person at the terminal, and wait until it is done."""
        self._asked(deeds.sentence(step))

    def close(self) -> None:
        """Release the ring."""
        self._bell.close()

    def _asked(self, sentence: str) -> None:
        if self.person is None:
            pytest.skip(A_HAND)
        self.person.ask(sentence)
        while (answer := self.person.answer(1.0)) is None:
            pass
        heed(answer)

    def _hello(self) -> Hello | None:
        try:
            wire = self.plug()
        except WireLost as fault:
            raise Missing(str(fault)) from None
        hello = Conversation(wire, self.now, session_name).greet(FOUND_S)
        wire.close()
        return hello if isinstance(hello, Hello) else None


def heed(answer: str) -> None:
    """Skip the promise, or end the run, if the person has typed so."""
    if answer == SKIP:
        pytest.skip("skipped by the person at the ring")
    if answer == QUIT:
        pytest.exit("ended by the person at the ring")
