"""The base class of this suite's rungs: it adds a hand at the ring, troubles and a judge of colours to the kit's."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping

import pytest

from firmware_bridge.colour import Calibration, Judge, Nominal
from rungs.rung import Rung
from rungs.wire import Wire

Step = Mapping[str, object]
SIMULATED_LONGEST_S = 2.0
# The time until a ring has measured white and dark after a start, or after its sensor, tried every second, works again.
SETTLES_S = 2.5
RESTARTED = frozenset({"older", "newer", "wrapped", "store-full"})
"""Troubles that only a restart ends."""
NO_CALIBRATION = "its paint is not ours: hand the suite the ring's calibration, with --calibration=FILE"
ORDER = re.compile(rb"\$(set|arm|lamp|under) ([^*$\n]*)\*")


class Ring(Rung):
    """One ring under test.

    *judge* recognises colours: by their names for a simulated ring, by its calibration for a real one; it is None
    without a calibration. *at_first*: the settings have their values after a start. *heard*: the bytes received on the
    newest wire. *changed*: the settings and orders that a test has sent, which `restore` undoes. *used*: a host of this
    suite may have left events. *learnt*: facts that a host has learnt about the ring.
    """

    anew = True
    longest_s: float | None = SIMULATED_LONGEST_S
    judge: Judge | None = Nominal()
    at_first = False

    def __init__(self, *arguments: object) -> None:
        self.heard = b""
        self.changed: set[str] = set()
        self.used = False
        self.learnt: dict[str, object] = {}
        self._to_mend = ""
        super().__init__(*arguments)

    def wire(self) -> Wire:
        """Return an open wire to the ring. Raises `WireLost` while it is unplugged."""
        self.heard = b""
        return Overheard(super().wire(), self)

    @abstractmethod
    def hand(self, step: Step) -> None:
        """Let the hand do one step of a script, such as `{"slide": 1, "colours": ["red"]}` or `{"do": "lift"}`."""

    def unread(self, seconds: float) -> None:
        """Let time pass with the port open, but without reading from it."""
        wire = self.wire()
        self.wait(seconds)
        wire.close()

    def trouble(self, word: str, **more: object) -> None:
        """Cause a trouble that the device must survive. `mend` ends troubles that last."""
        if word in RESTARTED:
            self._to_mend = "restarted"
        elif word == "sensor-gone":
            self._to_mend = "sensor-back"
        self.hand({"trouble": word, **more})

    def mend(self) -> None:
        """End the troubles, so that the ring is as before."""
        if self._to_mend:
            self.hand({"trouble": self._to_mend})
        self._to_mend = ""

    def restore(self) -> None:
        """Undo what the test has changed. This needs a new session, as the test may have lost its own."""
        from tests.hil.sitting import Sitting

        mended = self._to_mend
        self.mend()
        if mended:
            self.wait(SETTLES_S)
        if self.changed or (self.used and self.by_hand):
            Sitting(self, self.wire).put_back()
        self.used = False
        super().restore()

    def taught(self, *colours: str) -> None:
        """Skip the test if these colours can't be recognised."""
        if self.judge is None:
            pytest.skip(NO_CALIBRATION)
        calibration = getattr(self.judge, "calibration", None)
        if isinstance(calibration, Calibration):
            for colour in colours:
                if colour not in calibration.colours:
                    pytest.skip(f"the calibration knows no {colour}")

    def facts(self) -> Mapping[str, object]:
        """Return what a host has learnt about the ring."""
        return {**super().facts(), **self.learnt}


class Overheard:
    """A wire to *ring* that stores the received bytes, and what the sent orders change, in the ring's attributes."""

    def __init__(self, wire: Wire, ring: Ring) -> None:
        self.name = wire.name
        self.close = wire.close
        self._wire = wire
        self._ring = ring

    def read(self, timeout_s: float) -> bytes:
        """Return bytes as soon as any have arrived."""
        data = self._wire.read(timeout_s)
        self._ring.heard += data
        return data

    def write(self, data: bytes) -> None:
        """Send *data*."""
        self._ring.changed |= changes(data)
        self._wire.write(data)


def changes(said: bytes) -> set[str]:
    """Return what the orders in *said* change: the names of settings, and the words of other orders.

    >>> sorted(changes(b"$set h=a c=1 edge=4000*00000000$arm h=a c=2 tok=5*00000000"))
    ['arm', 'edge']
    """
    found = set()
    for word, fields in ORDER.findall(said):
        keys = {pair.partition(b"=")[0].decode("latin-1") for pair in fields.split(b" ")} - {"h", "c"}
        found |= keys if word == b"set" else {word.decode()}
    return found
