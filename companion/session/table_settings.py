"""The stored copies, calibrations and time limits of a ledger, in memory."""

from __future__ import annotations

from collections.abc import Mapping

from companion.events import unpacked
from companion.events.table_events import CalibrationSaved, CopySaved, CopyUsed, EventEntry, PaceSaved
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.names import same_person
from companion.kernel.shown import shows
from companion.ledger import Ledger, RowKind
from companion.model.boxes import Copy, board_of
from companion.model.game import AnyGame

MOST_CALIBRATIONS = 30
MOST_PACES = 30
MOST_COPIES = 300
"""The number of rows that are read. A copy has a few rows, and one for each evening on which it was used."""


@shows("newest", "amiss", "_copies")
class TableSettings:
    """The newest copies, calibrations and time limits of a ledger.

    *newest* is the newest row of a copy or calibration, or 0. *amiss* has a sentence for each damaged row
    that was skipped.
    """

    def __init__(self, ledger: Ledger, games: Mapping[str, AnyGame] | None = None) -> None:
        """Read the rows of *ledger*. Copies with a board that is invalid for their game in *games* are skipped."""
        self._games = games or {}
        self.amiss: list[str] = []
        self.newest = 0
        self._copies: dict[str, Copy] = {}
        self._calibrations: tuple[CalibrationSaved, ...] = ()
        self._paces: dict[str, Line] = {}
        for kind, most in (
            (RowKind.COPY, MOST_COPIES),
            (RowKind.CALIBRATION, MOST_CALIBRATIONS),
            (RowKind.CLOCK, MOST_PACES),
        ):
            self._read(ledger, kind, most)

    @property
    def copies(self) -> tuple[Copy, ...]:
        """All copies, the most recently used copy first."""
        return tuple(reversed(self._copies.values()))

    def copy(self, name: str) -> Copy | None:
        """Return the stored copy called *name*, or None."""
        return self._copies.get(same_person(name))

    def calibrations(self, copy: str) -> tuple[Line, ...]:
        """Return the calibrations for *copy*, oldest first."""
        return tuple(each.line for each in self._calibrations if same_person(each.copy) == same_person(copy))

    @property
    def newest_calibrations(self) -> dict[str, Line]:
        """The newest calibration of each copy, by the copy's name."""
        return {each.copy: each.line for each in self._calibrations}

    def current(self, played: str) -> str:
        """Return the name of the copy on the table.

        It is *played* (the copy in the game), otherwise the copy used last, otherwise the copy calibrated last.
        """
        if played or self._copies:
            return played or next(reversed(self._copies.values())).name
        return self._calibrations[-1].copy if self._calibrations else ""

    def pace(self, game: str) -> Line | None:
        """Return the time limits chosen last for *game*.

        None means that nothing was chosen and the game's defaults are used.
        """
        return self._paces.get(game)

    def add(self, entry: EventEntry) -> None:
        """Apply *entry* if it concerns a copy, a calibration or time limits."""
        match entry.event:
            case PaceSaved(game, pace):
                self._paces[game] = pace
                return
            case CopySaved(copy):
                if copy.game in self._games:
                    board_of(copy, self._games[copy.game])
                self._put_first(copy.name, copy)
            case CopyUsed(name):
                self._put_first(name, self.copy(name))
            case CalibrationSaved():
                self._calibrations = (*self._calibrations, entry.event)[-MOST_CALIBRATIONS:]
            case _:
                return
        self.newest = max(self.newest, entry.id)

    def _put_first(self, name: str, copy: Copy | None) -> None:
        self._copies.pop(same_person(name), None)
        if copy is not None:
            self._copies[same_person(name)] = copy

    def _read(self, ledger: Ledger, kind: RowKind, most: int) -> None:
        """Add the newest rows of *kind* that can be read, up to *most*."""
        for row in ledger.outside(kind, most, self.amiss):
            try:
                self.add(unpacked(row))
            except Malformed as fault:
                self.amiss.append(fault.reason)
