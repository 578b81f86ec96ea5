"""Check one chain of rows, link by link.

The checksum of a row covers the checksum of the row before it in the same chain. A row that does not fit is doubtful
until a later row of its chain is read:

- If that row follows the last good row, the doubtful rows were inserted.
- If it follows the checksum stored in the doubtful row, the contents of the doubtful row were changed.
- If it follows the checksum computed for the doubtful row, the stored checksum was changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.kernel.shown import shows
from companion.ledger.digests import digest_of
from companion.ledger.findings import Harm


@dataclass
class Gap:
    """A range of row numbers that are missing or unreadable.

    *missed* maps each chain that breaks at this gap to the number of the first row after the break.
    """

    harm: Harm
    first: int
    last: int
    why: str = ""
    missed: dict[object, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ChainDoubt:
    """Rows *first* to *last* of one chain that do not follow row *after*.

    *own* is False if the next row follows the checksum computed for the doubtful row, not the one stored with it.
    """

    harm: Harm
    game: object
    first: int
    last: int
    after: int
    own: bool = True


@shows("_last", "_head", "_doubtful")
class Chain:
    """One chain of rows, in the order of their numbers: the rows of one game, or the rows that belong to no game."""

    def __init__(self, game: object) -> None:
        self._game = game
        self._last = 0
        self._head: object = None
        self._doubtful: list[int] = []
        self._either: tuple[object, object] = (None, None)

    def follow(self, number: int, fields: tuple[Any, ...], kept: object, gaps: list[Gap]) -> list[ChainDoubt]:
        """Add the next row with its stored checksum *kept*, and return what is now certain about the rows before it."""
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
        """Return the doubts about rows that no later row decides.

        Rows after *known*, the last row that the companion is known to have written, were inserted.
        """
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
