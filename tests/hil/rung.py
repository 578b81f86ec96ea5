"""The interface of a rung: one kind of ring, from a virtual one to a real one, with its time and its hand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import pytest

from firmware_bridge.colour import Calibration, Judge, Nominal
from rungs.capture import Transcript
from rungs.load import Load
from rungs.wire import Wire
from tests.hil.person import Person
from tests.hil.transcript import Overheard

Step = Mapping[str, object]
RESTARTED = frozenset({"older", "newer", "wrapped", "store-full"})
"""Troubles that only a restart ends."""


NO_CALIBRATION = "its paint is not ours: hand the suite the ring's calibration, with --calibration=FILE"


class Missing(Exception):
    """A rung is not available on this machine. The message says what to do about it."""


class Rung(ABC):
    """One ring under test.

    *live*: time passes by itself; on other rungs it passes only while a test waits. *patient*: tests that wait for long
    run even though time is real. *standing*: one ring is used for all tests, because it is slow to start. *cannot* says
    what this kind of ring can't do: a word that tests use (`needs`), with the reason. *person*: a person moves the
    cubes, which takes a while. *judge* recognises colours: by their names for a simulated ring, by its calibration for
    a real one, None without. *as_at_first*: the settings are those after a start. *stall* measures how long this
    machine held up a live ring. *changed* collects what orders have changed. *transcript* records what went over the
    wires.
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
        self.stall = Load()
        self.changed: set[str] = set()
        self.transcript = Transcript(self.now)
        self._to_mend = ""

    @abstractmethod
    def now(self) -> float:
        """Return the time in seconds."""

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Let time pass without reading from the ring."""

    def plug(self) -> Overheard:
        """Return an open wire that is recorded. Raises `WireLost` while the ring is unplugged."""
        return Overheard(self.opened(), self.transcript, self.changed)

    def unread(self, seconds: float) -> None:
        """Let time pass with the port open, but without reading from it."""
        wire = self.plug()
        self.wait(seconds)
        wire.close()

    @abstractmethod
    def opened(self) -> Wire:
        """Return an open wire to the ring. Raises `WireLost` while it is unplugged."""

    @abstractmethod
    def do(self, step: Step) -> None:
        """Let the hand do one step of a script, such as `{"slide": 1, "colours": ["red"]}` or `{"do": "lift"}`."""

    def trouble(self, word: str, **more: object) -> None:
        """Cause a trouble that the device must survive. `mend` ends those that last."""
        if word in RESTARTED:
            self._to_mend = "restarted"
        elif word == "sensor-gone":
            self._to_mend = "sensor-back"
        self.do({"trouble": word, **more})

    def mend(self) -> None:
        """End the troubles, so that the ring is as before."""
        if self._to_mend:
            self.do({"trouble": self._to_mend})
        self._to_mend = ""

    @property
    def asks(self) -> bool:
        """Tell whether a person moves the cubes, which takes a while."""
        return self.person is not None

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
        """Return what the record should say about this ring in addition to its hello."""
        return {}

    @abstractmethod
    def close(self) -> None:
        """Release the ring."""
