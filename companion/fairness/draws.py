"""A draw of any game, as the ledger records it, and its use as evidence."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from companion.fairness.evidence import Pull
from companion.kernel.values import dataclass


class CubeSource(StrEnum):
    """The source of the cubes: a counting ring, a simulated ring, a ring without a counter, a bag, or a tower."""

    RING = "ring"
    SIMULATED = "simulated"
    HAND = "hand"
    BAG = "bag"
    TOWER = "tower"


HANDFULS = (CubeSource.BAG, CubeSource.TOWER)
"""Sources from which several cubes may come out at once. If two cubes leave a ring at once, that is a fault."""


@dataclass(frozen=True)
class LetOut:
    """How the cubes of a draw came out.

    *ring* names the ring; it is empty if the draw was typed in or the ring is unknown. *read_as* is the colour that the
    ring recognised, None if it was not sure or there was no ring. *chance* is the probability of that colour (0 to 1).
    *by_hand* means that the ring was not sure and a person entered the colour. *raw* are the lines that the ring sent.
    """

    source: CubeSource
    ring: str = ""
    read_as: str | None = None
    chance: float | None = None
    by_hand: bool = False
    raw: tuple[str, ...] = ()


@dataclass(frozen=True)
class LoggedDraw:
    """A draw in a game. *under* counts the cubes under the ring by colour; *out* lists the colours that came out.

    *row* is its row in the ledger, *at_ms* the game's clock and *wall_ms* the wall clock, in milliseconds since 1970.
    *seat* is the colour of the player who drew, *name* the player's name, and *place* the place of the draw. *seat* is
    "" in games in which draws belong to no player. *undone* is the reason if the draw was undone.
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
        """Whether the draw is evidence.

        It must not be undone, the drawn cubes must be among those recorded, and not too many may have come out at once.
        """
        return self.undone is None and not self.several and self._known

    @property
    def several(self) -> bool:
        """Whether more cubes came out than a single draw from this source releases."""
        return len(self.out) != 1 and not (self.out and self.let_out.source in HANDFULS)

    @property
    def _known(self) -> bool:
        return all(self.out.count(colour) <= self.under.get(colour, 0) for colour in self.out)

    @property
    def who(self) -> str:
        """The name of the player who drew, or the colour if there is none. It is empty if draws belong to no player."""
        return self.name or self.seat

    def of_colour(self, colour: str) -> Pull:
        """Return the draw as evidence on whether *colour* is favoured."""
        return Pull(self.under.get(colour, 0), sum(self.under.values()), self.out.count(colour), len(self.out))


@dataclass(frozen=True)
class Passed:
    """A cube that a ring counted but that was not a draw. *why* is the reason, as one of these words:

    - `surplus`: the cube came after the last draw.
    - `practice`: the cube came while nobody drew.
    - `not a draw`, `same` (typed in already): a person gave this answer.
    - `open`: nobody has answered yet.
    """

    source: CubeSource
    ring: str
    why: str


@dataclass(frozen=True)
class GameDraws:
    """All draws of a game, and the cubes that a ring counted but that were not draws."""

    draws: tuple[LoggedDraw, ...] = ()
    passed: tuple[Passed, ...] = ()
