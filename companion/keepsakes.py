"""What the table keeps beside its games, in memory too: copies, and calibrations of their cubes."""

from __future__ import annotations

from companion.copies import Copy, named, on_the_table, shelved
from companion.game import Line
from companion.ledger import Kind, Ledger, Row

MOST_CALIBRATIONS = 30
MOST_COPIES = 300
"""So many rows are looked through: a few for each copy, one for each evening with it."""


class Keepsakes:
    """The newest copies and calibrations of a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        """Read what *ledger* holds."""
        self._copies = ledger.outside(Kind.COPY, MOST_COPIES)
        self._calibrations = ledger.outside(Kind.CALIBRATION, MOST_CALIBRATIONS)

    @property
    def newest(self) -> int:
        """The newest row of them, 0 for none."""
        return max((row.id for row in (*self._copies[-1:], *self._calibrations[-1:])), default=0)

    @property
    def copies(self) -> tuple[Copy, ...]:
        """Every copy, the one used last first."""
        return shelved(self._copies)

    def calibrations(self, copy: str) -> tuple[Line, ...]:
        """Return the calibrations made for *copy*, oldest first."""
        return tuple(row.body for row in self._calibrations if named(row.body) == copy)

    def at_hand(self, played: str) -> str:
        """Return the name of the copy on the table, whose game says that it is *played* with; empty for unknown."""
        return on_the_table(played, self.copies, [row.body for row in self._calibrations])

    def add(self, row: Row) -> None:
        """Go on with *row*, if it is of these kinds."""
        if row.kind == Kind.COPY:
            self._copies = (*self._copies, row)
        elif row.kind == Kind.CALIBRATION:
            self._calibrations = (*self._calibrations, row)[-MOST_CALIBRATIONS:]
