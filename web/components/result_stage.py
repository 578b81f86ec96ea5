"""The moment of a result: for a breath the page shows nothing but whose piece it is, what it is worth and the score."""

from __future__ import annotations

from dataclasses import dataclass

from web.components.players import Face


@dataclass(frozen=True)
class ResultGain:
    """What a result gave: *points*, and the score it made."""

    points: int
    total: int

    @property
    def before(self) -> int:
        """The score that it was added to."""
        return self.total - self.points

    @property
    def changed(self) -> str:
        """The points with their sign, empty for none."""
        return f"+{self.points}" if self.points > 0 else ""


@dataclass(frozen=True)
class ResultMoment:
    """One result that is to be seen from across the table, and then no more.

    *at* is the row it comes from, of the game's millisecond *at_ms*: a page shows it once, in the swap that goes past
    that row. *kind* names its picture
    (`won`, `home`, `back`), *cue* its sound. *pieces* are those whose it is: the first is named large; *value* is what
    stands on the coin, 0 without one, *missed* on the coin that stays where it is. *words* and *small* say in writing
    what the picture shows.
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
