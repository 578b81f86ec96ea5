"""A chain of rows followed link by link: what a row that does not follow means is told by the rows after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.kernel.shown import shows
from companion.ledger.digests import digest_of
from companion.ledger.findings import Harm


@dataclass
class Gap:
    """Numbers without a row that can be read, and the row at which each chain misses something there."""

    harm: Harm
    first: int
    last: int
    why: str = ""
    missed: dict[object, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ChainDoubt:
    """Rows of one chain that do not follow on row *after*; *own*: what is behind them follows on their own checksum."""

    harm: Harm
    game: object
    first: int
    last: int
    after: int
    own: bool = True


@shows("_last", "_head", "_doubtful")
class Chain:
    """One game's rows, or those of no game, in the order of their numbers."""

    def __init__(self, game: object) -> None:
        self._game = game
        self._last = 0
        self._head: object = None
        self._doubtful: list[int] = []
        self._either: tuple[object, object] = (None, None)

    def follow(self, number: int, fields: tuple[Any, ...], kept: object, gaps: list[Gap]) -> list[ChainDoubt]:
        """Take the next row with the checksum *kept* with it, and return what is certain now of the rows before it."""
        if digest_of(self._head, fields) == kept:
            found = self._doubts_of(Harm.PUT_IN)
        elif self._doubtful and digest_of(self._either[0], fields) == kept:
            found = self._doubts_of(Harm.CHANGED)
        elif self._doubtful and digest_of(self._either[1], fields) == kept:
            found = self._doubts_of(Harm.CHANGED, own=False)
        elif self._misses(number, gaps):
            found = self._doubts_of(Harm.CHANGED)
        else:
            self._doubt(number, fields, kept)
            return []
        self._last, self._head, self._doubtful = number, kept, []
        return found

    def end(self, known: int | None) -> list[ChainDoubt]:
        """Return what is to be said of rows that nothing follows; whatever lies behind row *known* was put there."""
        if not self._doubtful:
            return []
        added = self._either[0] is None or (known is not None and self._doubtful[0] > known)
        return self._doubts_of(Harm.PUT_IN if added else Harm.CHANGED)

    def _doubts_of(self, harm: Harm, own: bool = True) -> list[ChainDoubt]:
        if not self._doubtful:
            return []
        return [ChainDoubt(harm, self._game, self._doubtful[0], self._doubtful[-1], self._last, own)]

    def _doubt(self, number: int, fields: tuple[Any, ...], kept: object) -> None:
        before = self._either[0] if self._doubtful else self._head
        self._either = (kept, digest_of(before, fields))
        self._doubtful.append(number)

    def _misses(self, number: int, gaps: list[Gap]) -> bool:
        newest = self._doubtful[-1] if self._doubtful else self._last
        between = [gap for gap in gaps if gap.first > newest]
        for gap in between:
            gap.missed[self._game] = number
        return bool(between)
