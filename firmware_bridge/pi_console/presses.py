"""Turns button changes into presses, short or held. The time is passed in."""

from __future__ import annotations

from companion.kernel.shown import shows
from companion.ports.console import Button, Pressed

Key = tuple[Button, str]
"""A button, and its seat (empty for none)."""


@shows("_down")
class Presses:
    """Detects presses.

    A short press counts when it ends. A long press counts as soon as it is long enough, so people
    need not guess.
    """

    def __init__(self, hold_s: float) -> None:
        self._hold_s = hold_s
        self._down: dict[Key, float] = {}

    def moved(self, key: Key, down: bool, at: float) -> Pressed | None:
        """Record that a button went down or up; return the press that this ends."""
        if down:
            self._down.setdefault(key, at)
            return None
        since = self._down.pop(key, None)
        if since is None:
            return None  # it was held, and has already counted
        return Pressed(*key, held=at - since >= self._hold_s)

    def held(self, now: float) -> tuple[Pressed, ...]:
        """Return the presses that are now long enough, each once."""
        ripe = [key for key, since in self._down.items() if now - since >= self._hold_s]
        for key in ripe:
            del self._down[key]
        return tuple(Pressed(*key, held=True) for key in ripe)

    def due_s(self, now: float) -> float | None:
        """Return the seconds until the next press is long enough, or None."""
        return min((max(0.0, since + self._hold_s - now) for since in self._down.values()), default=None)
