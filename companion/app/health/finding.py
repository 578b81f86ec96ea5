"""One finding of the doctor: a sentence about one thing, and how serious it is."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class HealthState(StrEnum):
    """How serious a finding is.

    - FINE: all is well.
    - NOTE: it is worth knowing, but games can be played and saved.
    - CARE: it must be fixed before a game.
    """

    FINE = "fine"
    NOTE = "note"
    CARE = "care"


class HealthFinding(NamedTuple):
    """One finding: the state of one thing. *about* is a keyword for programs."""

    about: str
    state: HealthState
    sentence: str

    @property
    def line(self) -> str:
        """The finding as one line of text."""
        return f"{'CARE' if self.state is HealthState.CARE else self.state}  {self.sentence}"


def fine(about: str, sentence: str) -> HealthFinding:
    """Return a finding that all is well."""
    return HealthFinding(about, HealthState.FINE, sentence)


def note(about: str, sentence: str) -> HealthFinding:
    """Return a finding that is worth knowing."""
    return HealthFinding(about, HealthState.NOTE, sentence)


def care(about: str, sentence: str) -> HealthFinding:
    """Return a finding that must be fixed."""
    return HealthFinding(about, HealthState.CARE, sentence)
