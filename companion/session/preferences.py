"""What the table keeps beside its games, in memory too: copies, calibrations of their cubes, and the pace it likes."""

from __future__ import annotations

from companion.kernel.errors import Malformed
from companion.kernel.validation import Line
from companion.ledger import Kind, Ledger, Row
from companion.session.boxes import shelved
from companion.session.row_validation import checked

MOST_CALIBRATIONS = 30
MOST_PACES = 30
MOST_COPIES = 300
"""So many rows are looked through: a few for each copy, one for each evening with it."""


class Preferences:
    """The newest copies and calibrations of a ledger.

    *copies* are all of them, the one used last first; *newest* is the newest
    row of them, 0 for none. *amiss* says why each row that is damaged was left out.
    """

    def __init__(self, ledger: Ledger) -> None:
        """Read what *ledger* holds."""
        self.amiss: list[str] = []
        self._copies = self._sound(ledger, Kind.COPY, MOST_COPIES)
        self._calibrations = self._sound(ledger, Kind.CALIBRATION, MOST_CALIBRATIONS)
        self.copies = shelved(self._copies)
        self._paces = {row.body["game"]: row.body["pace"] for row in self._sound(ledger, Kind.CLOCK, MOST_PACES)}
        self.newest = max((row.id for row in (*self._copies[-1:], *self._calibrations[-1:])), default=0)

    def calibrations(self, copy: str) -> tuple[Line, ...]:
        """Return the calibrations made for *copy*, oldest first."""
        return tuple(row.body for row in self._calibrations if row.body["copy"] == copy)

    @property
    def newest_calibrations(self) -> dict[str, Line]:
        """The newest calibration of each copy, by its name."""
        return {row.body["copy"]: row.body for row in self._calibrations}

    def at_hand(self, played: str) -> str:
        """Return the name of the copy on the table: its game's, else the one used last, else calibrated last."""
        if played or self.copies:
            return played or self.copies[0].name
        return str(self._calibrations[-1].body["copy"]) if self._calibrations else ""

    def pace(self, game: str) -> Line | None:
        """Return the pace that the table chose last for a *game*, None for the one out of the box."""
        return self._paces.get(game)

    def add(self, row: Row) -> None:
        """Go on with *row*, if it is of these kinds."""
        if row.kind == Kind.CLOCK and row.game is None:
            self._paces[row.body["game"]] = row.body["pace"]
            return
        if row.kind == Kind.COPY:
            self._copies = (*self._copies, row)
            self.copies = shelved(self._copies)
        elif row.kind == Kind.CALIBRATION:
            self._calibrations = (*self._calibrations, row)[-MOST_CALIBRATIONS:]
        else:
            return
        self.newest = row.id

    def _sound(self, ledger: Ledger, kind: Kind, most: int) -> tuple[Row, ...]:
        """Return the newest rows of *kind* that can be read."""
        sound = []
        for row in ledger.outside(kind, most, self.amiss):
            try:
                sound.append(checked(row))
            except Malformed as fault:
                self.amiss.append(fault.reason)
        return tuple(sound)
