"""The result of a draw or move, shown alone for a few seconds: the piece, its value and the new score."""

from __future__ import annotations

from dataclasses import dataclass

from web.components.players import Face


@dataclass(frozen=True)
class ResultGain:
    """The gain of a result: *points*, and the *total* score after it."""

    points: int
    total: int

    @property
    def before(self) -> int:
        """The score before it."""
        return self.total - self.points

    @property
    def changed(self) -> str:
        """The points with their sign, or "" for 0."""
        return f"+{self.points}" if self.points > 0 else ""


@dataclass(frozen=True)
class ResultMoment:
    """One result. It is shown once, large enough to be seen across the table.

    *at* is its row, *at_ms* its game time. A page shows the result when an update reaches that row. *kind* names its
    picture (`won`, `home`, `miss`, `back`), *cue* its sound. *pieces* are the players' pieces. *value* is the number on
    the coin, 0 without a coin. *missed* is the number on a coin that nobody gets. *words* is the large text: the owner
    of the piece, or after a miss the player whose attempt it was. *small* is the text below.
    *became* says after a miss where the piece went.
    """

    at: int
    at_ms: int
    kind: str
    words: str
    small: str = ""
    pieces: tuple[Face, ...] = ()
    value: int = 0
    missed: int = 0
    gain: ResultGain | None = None
    cue: str = ""
    became: str = ""
