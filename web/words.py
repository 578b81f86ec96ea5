"""Numbers and moments in the fewest words, the same on every page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from string import ascii_uppercase


def age(seconds: float) -> str:
    """Return how long ago, as live.js counts it on: `12 s`, `4 min`, `3 h`, `2 d`."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min"
    return f"{whole // 3600} h" if whole < 2 * 86400 else f"{whole // 86400} d"


def into_play(ms: int) -> str:
    """Return a moment of the game: `0:07`, `12:30`, `1:02:05`."""
    seconds = max(0, ms) // 1000
    hours, rest = divmod(seconds, 3600)
    if hours:
        return f"{hours}:{rest // 60:02}:{rest % 60:02}"
    return f"{rest // 60}:{rest % 60:02}"


def day(wall: float) -> str:
    """Return a day and an hour in this house's own time: `3 May 2025, 20:15`."""
    moment = datetime.fromtimestamp(wall)
    return f"{moment.day} {moment:%B %Y, %H:%M}"


def listed(names: Sequence[str]) -> str:
    """Return names as one says them: `Ana, Ben and Cem`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def several(count: int, one: str, more: str = "") -> str:
    """Return a count with its noun: `1 line`, `3 lines`."""
    return f"{count} {one if count == 1 else more or one + 's'}"


def named(colour: str) -> str:
    """Return a colour as the table calls it."""
    return "bare wood" if colour == "wood" else colour


def initials(names: Sequence[str]) -> list[str]:
    """Return one letter for each name, all different: the first of its own that is free, else any that is."""
    taken: list[str] = []
    for name in names:
        own = [letter for letter in name.upper() if letter.isalnum()]
        taken.append(next((letter for letter in [*own, *ascii_uppercase] if letter not in taken), "?"))
    return taken
