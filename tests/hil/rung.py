"""The seam of a rung: one kind of ring, from a virtual one to one on the desk, with its time and the hand at it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import pytest

from firmware_bridge.colour import Calibration, Judge, Nominal
from firmware_bridge.conformance.stall import Stall
from firmware_bridge.transport.streams import Wire
from tests.hil.person import Person
from tests.hil.transcript import Overheard, Transcript

Step = Mapping[str, object]
RESTARTED = frozenset({"older", "newer", "wrapped", "store-full"})
"""Troubles after which only a start makes a ring what it was."""


NO_CALIBRATION = "its paint is not ours: hand the suite the ring's calibration, with --calibration=FILE"


class Missing(Exception):
    """A rung cannot be had on this machine; the sentence says what to do about it."""


class Rung(ABC):
    """One ring at hand.

    *live*: time passes by itself; on all others it passes while somebody
    waits. *patient*: tests that wait for long are run all the same though it
    does. *standing*: one is made for all tests, as its start costs more
    than a test. *cannot* says what this kind of ring cannot do, each by the
    word that tests ask for (`needs`) and with the reason. *person*: its hand
    is one, who takes a while. *judge* tells colours: by their names for a
    simulated ring, by its own calibration for any other, None without one. *as_at_first*: its settings are
    those of a start. *stall* is what the machine of a live one has withheld. *changed* collects what orders have
    changed since; *transcript* has what went over its wires.
    """

    name = ""
    live = False
    patient = False
    standing = True
    person: Person | None = None
    judge: Judge | None = Nominal()
    as_at_first = False
    cannot: ClassVar[Mapping[str, str]] = {}

    def __init__(self) -> None:
        self.stall = Stall()
        self.changed: set[str] = set()
        self.transcript = Transcript(self.now)
        self._to_mend = ""

    @abstractmethod
    def now(self) -> float:
        """Return the time in seconds."""

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Let time pass, with nobody reading."""

    def plug(self) -> Overheard:
        """Return an open wire to the ring, which is put on record; `WireLost` while it is unplugged."""
        return Overheard(self.opened(), self.transcript, self.changed)

    def unread(self, seconds: float) -> None:
        """Let time pass with the port open and nobody reading from it."""
        wire = self.plug()
        self.wait(seconds)
        wire.close()

    @abstractmethod
    def opened(self) -> Wire:
        """Return an open wire to the ring; `WireLost` while it is unplugged."""

    @abstractmethod
    def do(self, step: Step) -> None:
        """Have the hand do one step of a script: `{"slide": 1, "colours": ["red"]}`, `{"do": "lift"}`."""

    def trouble(self, word: str, **more: object) -> None:
        """Let one of the troubles come that the device has to bear; `mend` ends what lasts."""
        if word in RESTARTED:
            self._to_mend = "restarted"
        elif word == "sensor-gone":
            self._to_mend = "sensor-back"
        self.do({"trouble": word, **more})

    def mend(self) -> None:
        """Make the ring what it was before its troubles."""
        if self._to_mend:
            self.do({"trouble": self._to_mend})
        self._to_mend = ""

    @property
    def asks(self) -> bool:
        """Tell whether its hand is a person, who takes a while."""
        return self.person is not None

    def taught(self, *colours: str) -> None:
        """Leave the test out where nobody can tell these colours."""
        if self.judge is None:
            pytest.skip(NO_CALIBRATION)
        calibration = getattr(self.judge, "calibration", None)
        if isinstance(calibration, Calibration):
            for colour in colours:
                if colour not in calibration.colours:
                    pytest.skip(f"the calibration knows no {colour}")

    def facts(self) -> Mapping[str, object]:
        """Return what the record should know of this ring beside its hello."""
        return {}

    @abstractmethod
    def close(self) -> None:
        """Let it go."""
