"""One draw as the ledger tells of it, whichever game it belongs to; and which of the questions to a ring it answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from companion.fairness.evidence import Pull
from companion.kernel.values import dataclass


class Source(StrEnum):
    """Who let the cubes out: a ring that counts, a simulated one, or hands whose draws were typed in."""

    RING = "ring"
    SIMULATED = "simulated"
    HAND = "hand"


@dataclass(frozen=True)
class LetOut:
    """How the cubes of a draw left: by which *ring* (empty when it was typed, or nobody knows).

    *read_as* is the colour the ring took them for, None when it was not sure or there was none; *chance* how likely it
    found that (0 to 1); *by_hand*: it asked, and a person said what it was. *raw* is what the ring sent, line by line.
    """

    source: Source
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
        """Whether it is evidence: it stands, and one cube alone came out of what was known to lie there."""
        return self.undone is None and len(self.out) == 1 and bool(self.under.get(self.out[0]))

    @property
    def who(self) -> str:
        """Who drew, by name, or else by colour; empty where nobody draws for themselves."""
        return self.name or self.seat

    def of_colour(self, colour: str) -> Pull:
        """Return it as an answer to whether *colour* is favoured."""
        return Pull(self.under.get(colour, 0), sum(self.under.values()), self.out == (colour,))


def own_draws(draws: Iterable[LoggedDraw]) -> Iterator[Pull]:
    """Yield the draws that count as answers to whether cubes of whoever draws are favoured."""
    return (draw.of_colour(draw.seat) for draw in draws if draw.counts and draw.seat)


def colour_draws(draws: Iterable[LoggedDraw], colour: str) -> Iterator[Pull]:
    """Yield the draws that count as answers to whether *colour* is favoured."""
    return (draw.of_colour(colour) for draw in draws if draw.counts)
