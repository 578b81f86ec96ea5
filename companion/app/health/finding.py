"""What the doctor says: one sentence about one thing, and how much it matters."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class State(StrEnum):
    """FINE is well; NOTE is worth knowing, and an evening can be played and kept; CARE comes before the evening."""

    FINE = "fine"
    NOTE = "note"
    CARE = "care"


class Finding(NamedTuple):
    """How one thing is; *about* is a word for programs."""

    about: str
    state: State
    sentence: str

    @property
    def line(self) -> str:
        """The finding as people read it."""
        return f"{'CARE' if self.state is State.CARE else self.state}  {self.sentence}"


def fine(about: str, sentence: str) -> Finding:
    """Return that it is well."""
    return Finding(about, State.FINE, sentence)


def note(about: str, sentence: str) -> Finding:
    """Return what is worth knowing."""
    return Finding(about, State.NOTE, sentence)


def care(about: str, sentence: str) -> Finding:
    """Return what has to be seen to."""
    return Finding(about, State.CARE, sentence)
