"""The interface of a rung: one device that a suite can talk to, from a model in the process to a board on the desk."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from types import MappingProxyType
from typing import Any

from rungs.wire import Wire


class Missing(Exception):
    """A rung is not available on this machine. The message is one sentence that says what to do about it."""


class Unable(Exception):
    """This rung can't do an action. The message is the reason, and the promise is then not applicable."""


@dataclass(frozen=True)
class Spec:
    """The parts of `--rung=NAME:ARGUMENT`. *folder* is the suite's folder, *config* the table `[tool.pytest-rungs]`.

    >>> Spec.of("serial:/dev/ttyACM0", Path("."))
    Spec(name='serial', argument='/dev/ttyACM0', folder=PosixPath('.'), config={})
    """

    name: str
    argument: str = ""
    folder: Path = field(default_factory=Path)
    config: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str, folder: Path, config: Mapping[str, object] | None = None) -> Spec:
        """Return the spec that *text* describes."""
        name, _, argument = text.partition(":")
        return cls(name, argument, folder, config or {})

    def __str__(self) -> str:
        """Return the text that describes this spec."""
        return f"{self.name}:{self.argument}" if self.argument else self.name


class Rung(ABC):
    """One device that tests can use.

    *live*: time passes as in reality; on any other rung it passes only in `wait` and in reads. *cannot*
    lists the capabilities (`needs`) that this rung lacks, each with a sentence that gives the reason.
    *alone*: there is only one such device, so one process of pytest-xdist uses it at a time.
    *longest_s*: the longest time that a test may wait (`waits`) on this rung if it is live; None means
    `--rungs-longest`. *anew*: after a broken promise the rung is closed, and the next test gets a new
    one. *person* is the person at the bench, for rungs with *by_hand*.

    >>> class Echo(Rung):
    ...     name, live = "echo", False
    ...     cannot = {"button": "An echo has no button."}
    ...     def wire(self):
    ...         return open_wire("loop://")
    """

    name = ""
    live = True
    alone = False
    anew = False
    longest_s: float | None = None
    by_hand = False
    person: Any = None
    cannot: Mapping[str, str] = MappingProxyType({})

    @abstractmethod
    def wire(self) -> Wire:
        """Open a new wire to the device and return it. Raise `WireLost` if the device is gone."""

    def now(self) -> float:
        """Return the time of this rung, in seconds."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Let time pass while nobody reads."""
        Event().wait(seconds)

    def do(self, deed: str, **more: object) -> None:
        """Do something to the device, such as `press` or `power-cycle`. Raise `Unable` with a reason if it can't."""
        raise Unable(f"{self.name or type(self).__name__} can't {deed}.")

    def restore(self) -> None:  # noqa: B027 - what needs no restoring has nothing to do
        """Restore the device's initial state. Called after every test, including skipped tests."""

    def facts(self) -> Mapping[str, object]:
        """Return facts about the device for the record, such as its firmware and serial number.

        If a number's name begins with `most` or `least`, the record has the largest or smallest value of the run.
        """
        return {}

    def waited_s(self) -> float:
        """Return how long the device's process has waited for a processor so far, or 0 if that is unknown."""
        return 0.0

    def close(self) -> None:  # noqa: B027 - what holds nothing has nothing to release
        """Release the device. Called once, at the end."""
