"""One draw as the ledger records it, in any game, and how it counts as evidence."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from companion.fairness.evidence import Pull
from companion.kernel.values import dataclass


class CubeSource(StrEnum):
    """Where the cubes came from: a counting ring, a simulated one, or by hand (ring without counter, bag, tower)."""

    RING = "ring"
    SIMULATED = "simulated"
    HAND = "hand"
    BAG = "bag"
    TOWER = "tower"


HANDFULS = (CubeSource.BAG, CubeSource.TOWER)
"""Sources from which several cubes come out at once by design. From a ring, two at once have stuck together."""


@dataclass(frozen=True)
class LetOut:
    """How the cubes of a draw left: through which *ring* (empty if typed or unknown).

    *read_as* is the colour that the ring recognised, None if it was not sure or there was no ring; *chance* is its
    probability (0 to 1). *by_hand*: the ring asked, and a person answered. *raw* are the lines that the ring sent.
    """

    source: CubeSource
    ring: str = ""
    read_as: str | None = None
    chance: float | None = None
    by_hand: bool = False
    raw: tuple[str, ...] = ()


@dataclass(frozen=True)
class LoggedDraw:
    """A draw in a game: the cubes *under* the ring by colour, and the colours that came *out*.

    *row* is its line in the ledger, *at_ms* the game's clock and *wall_ms* the wall clock (since 1970). *seat* is the
    colour of the player who drew ("" if nobody draws for themselves), *name* their name, *place* where they drew.
    *undone* says why it was undone, if it was.
    """

    game_id: int
    game: str
    row: int
    at_ms: int
    wall_ms: int
    seat: str
    name: str
    place: str
    under: Mapping[str, int]
    out: tuple[str, ...]
    let_out: LetOut
    undone: str | None = None

    @property
    def counts(self) -> bool:
        """Whether it is evidence: not undone, and a single cube (or a handful) that was known to be there."""
        return self.undone is None and not self.several and self._known

    @property
    def several(self) -> bool:
        """Whether more came out than a single draw releases."""
        return len(self.out) != 1 and not (self.out and self.let_out.source in HANDFULS)

    @property
    def _known(self) -> bool:
        return all(self.out.count(colour) <= self.under.get(colour, 0) for colour in self.out)

    @property
    def who(self) -> str:
        """The player who drew, by name or else by colour; empty if nobody draws for themselves."""
        return self.name or self.seat

    def of_colour(self, colour: str) -> Pull:
        """Return the draw as evidence on whether *colour* is favoured."""
        return Pull(self.under.get(colour, 0), sum(self.under.values()), self.out.count(colour), len(self.out))


@dataclass(frozen=True)
class Passed:
    """A cube that a ring counted but that was no draw. *why* is the word for what it was.

    `surplus` came after the last draw, `practice` while nobody drew. `not a draw` and `same` (typed in already) are
    answers of a person. `open` has not been answered.
    """

    source: CubeSource
    ring: str
    why: str


@dataclass(frozen=True)
class GameDraws:
    """All draws of a game, and the counted cubes that were no draws."""

    draws: tuple[LoggedDraw, ...] = ()
    passed: tuple[Passed, ...] = ()
