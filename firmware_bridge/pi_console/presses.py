"""What a finger meant: pins going down and up become presses, short or held, by a clock that is handed in."""

from __future__ import annotations

from companion.kernel.shown import shows
from companion.ports.console import Button, Pressed

Key = tuple[Button, str]
"""A button, and the seat it stands before (empty for none)."""


@shows("_down")
class Presses:
    """The fingers on the buttons.

    A short press counts when it ends, a long one as soon as it is long enough,
    so that nobody has to guess for how long.
    """

    def __init__(self, hold_s: float) -> None:
        self._hold_s = hold_s
        self._down: dict[Key, float] = {}

    def moved(self, key: Key, down: bool, at: float) -> Pressed | None:
        """Take note that a button went down or came up; return the short press that this ends."""
        if down:
            self._down.setdefault(key, at)
            return None
        since = self._down.pop(key, None)
        if since is None:
            return None  # it was held, and has counted already
        return Pressed(*key, held=at - since >= self._hold_s)

    def held(self, now: float) -> tuple[Pressed, ...]:
        """Return what has been held for long enough, each once."""
        ripe = [key for key, since in self._down.items() if now - since >= self._hold_s]
        for key in ripe:
            del self._down[key]
        return tuple(Pressed(*key, held=True) for key in ripe)

    def due_s(self, now: float) -> float | None:
        """Return in how many seconds the next one is held for long enough."""
        return min((max(0.0, since + self._hold_s - now) for since in self._down.values()), default=None)
