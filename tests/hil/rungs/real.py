"""The ring on the desk (`pytest --ring=URL`). Tests that need a hand only run if a person is there."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from firmware_bridge.colour import Calibration, Nominal, judge_of
from firmware_bridge.conformance.conversation import Conversation
from firmware_bridge.factory.open import session_name, way_to
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.protocol.messages import Hello
from rungs.rung import Missing, Rung, Unable
from rungs.wire import Bell, Wire, WireLost
from tests.hil import deeds
from tests.hil.ring import Ring, Step

A_HAND = "wants a hand at the ring: --rungs-hand"
NO_SIMULATION = "wants a ring whose troubles can be ordered"
NO_HAND = "no hand is as quick or as even as that"
FOUND_S = 5.0
SIMULATED_ONLY = ("sensor", "wrap", "version", "room", "plug", "weather", "unread", "closed")
TOO_FINE = ("speed", "blink", "midway")


class AtAddress(Rung):
    """A ring at an address of `companion serve --ring`."""

    def __init__(self, url: str) -> None:
        self._bell = Bell()
        try:
            self._opener = way_to(url).opener
        except InputError as fault:
            raise Missing(str(fault)) from None

    def wire(self) -> Wire:
        """Return an open wire to the ring. Raises `WireLost` while it is unplugged."""
        return self._opener(self._bell)

    def close(self) -> None:
        """Release the ring."""
        self._bell.close()


class RealRing(Ring, AtAddress):
    """The ring at *url*."""

    anew, alone, by_hand = False, True, True
    longest_s = inf

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._hello = self._greeted()
        self.judge = Nominal() if self._hello and self._hello.simulated else None

    def judge_by(self, calibration: Calibration) -> None:
        """Recognise colours by *calibration*."""
        self.judge = judge_of(calibration)

    @property
    def cannot(self) -> Mapping[str, str]:
        """Things that neither a real ring nor a person at it can do. At most rings there is no person."""
        found = dict.fromkeys(SIMULATED_ONLY, NO_SIMULATION) | dict.fromkeys(TOO_FINE, NO_HAND)
        if self.person is None:
            found |= dict.fromkeys(("hand", "jolts", "restart"), A_HAND)
            found |= {} if self._hello and "s" in self._hello.abilities else {"slides": A_HAND}
        return found

    def trouble(self, word: str, **more: object) -> None:
        """Ask the person to restart the ring. Other troubles can't be caused on a real ring."""
        if word != "restarted":
            raise Unable(f"a ring on the desk can't be `{word}` by order")
        self._ask(deeds.RESTART)

    def hand(self, step: Step) -> None:
        """Ask the person, and wait until it is done."""
        self._ask(deeds.sentence(step))

    def _ask(self, sentence: str) -> None:
        if self.person is None:
            raise Unable(A_HAND)
        self.person.ask(sentence)

    def _greeted(self) -> Hello | None:
        try:
            wire = self.wire()
        except WireLost as fault:
            raise Missing(str(fault)) from None
        hello = Conversation(wire, self.now, session_name).greet(FOUND_S)
        wire.close()
        return hello if isinstance(hello, Hello) else None
