"""One draw as the ledger tells of it, whichever game it belongs to; and which of the questions to a ring it answers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from companion.fairness.evidence import Pull
from companion.kernel.values import dataclass


class CubeSource(StrEnum):
    """Who let the cubes out: a ring that counts, a simulated one, or hands: by a ring, from a bag, through a tower."""

    RING = "ring"
    SIMULATED = "simulated"
    HAND = "hand"
    BAG = "bag"
    TOWER = "tower"


HANDFULS = (CubeSource.BAG, CubeSource.TOWER)
"""Where several come out at once by their nature; from a ring two at once have stuck together."""


@dataclass(frozen=True)
class LetOut:
    """How the cubes of a draw left: by which *ring* (empty when it was typed, or nobody knows).

    *read_as* is the colour the ring took them for, None when it was not sure or there was none; *chance* how likely it
    found that (0 to 1); *by_hand*: it asked, and a person said what it was. *raw* is what the ring sent, line by line.
    """

    source: CubeSource
    ring: str = ""
    read_as: str | None = None
    chance: float | None = None
    by_hand: bool = False
    raw: tuple[str, ...] = ()


@dataclass(frozen=True)
class LoggedDraw:
    """A draw of a game: *under* lay there by colour, *out* came out, one colour or two at once.

    *row* is its line's in the ledger, *at_ms* the game's clock and *wall_ms* the wall clock's (since 1970). *seat* is
    the colour of whoever drew ("": nobody's own), *name* theirs, *place* where. *undone* says why it was taken back,
    None while it stands.
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
        """Whether it is evidence: it stands, one cube alone came out (or a handful), and it was known to lie there."""
        return self.undone is None and not self.several and self._known

    @property
    def several(self) -> bool:
        """Whether more came out than one draw lets out."""
        return len(self.out) != 1 and not (self.out and self.let_out.source in HANDFULS)

    @property
    def _known(self) -> bool:
        return all(self.out.count(colour) <= self.under.get(colour, 0) for colour in self.out)

    @property
    def who(self) -> str:
        """Who drew, by name, or else by colour; empty where nobody draws for themselves."""
        return self.name or self.seat

    def of_colour(self, colour: str) -> Pull:
        """Return it as an answer to whether *colour* is favoured."""
        return Pull(self.under.get(colour, 0), sum(self.under.values()), self.out.count(colour), len(self.out))


@dataclass(frozen=True)
class Passed:
    """A cube that a ring counted and no draw was made of, and *why*, by the word of what became of it.

    `surplus` came after the last draw, `practice` while nobody drew, `not a draw` and `same` (typed in already) were a
    person's answers, `open` has none.
    """

    source: CubeSource
    ring: str
    why: str


@dataclass(frozen=True)
class GameDraws:
    """All that a game tells of draws: those that were made, and what was counted beside them."""

    draws: tuple[LoggedDraw, ...] = ()
    passed: tuple[Passed, ...] = ()
