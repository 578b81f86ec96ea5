"""What the doctor says: one sentence about one thing, and how much it matters."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class HealthState(StrEnum):
    """FINE is well; NOTE is worth knowing, and an evening can be played and kept; CARE comes before the evening."""

    FINE = "fine"
    NOTE = "note"
    CARE = "care"


class HealthFinding(NamedTuple):
    """How one thing is; *about* is a word for programs."""

    about: str
    state: HealthState
    sentence: str

    @property
    def line(self) -> str:
        """The finding as people read it."""
        return f"{'CARE' if self.state is HealthState.CARE else self.state}  {self.sentence}"


def fine(about: str, sentence: str) -> HealthFinding:
    """Return that it is well."""
    return HealthFinding(about, HealthState.FINE, sentence)


def note(about: str, sentence: str) -> HealthFinding:
    """Return what is worth knowing."""
    return HealthFinding(about, HealthState.NOTE, sentence)


def care(about: str, sentence: str) -> HealthFinding:
    """Return what has to be seen to."""
    return HealthFinding(about, HealthState.CARE, sentence)
