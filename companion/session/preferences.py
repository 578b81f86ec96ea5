"""What the table keeps beside its games, in memory too: copies, calibrations of their cubes, and the pace it likes."""

from __future__ import annotations

from collections.abc import Mapping

from companion.events import unpacked
from companion.events.table_events import CalibrationKept, CopyKept, CopyUsed, EventEntry, PaceKept
from companion.kernel.errors import Malformed
from companion.kernel.names import same_person
from companion.kernel.shown import shows
from companion.kernel.validation import Line
from companion.ledger import Ledger, RowKind
from companion.model.boxes import Copy, board_of
from companion.model.game import AnyGame

MOST_CALIBRATIONS = 30
MOST_PACES = 30
MOST_COPIES = 300
"""So many rows are looked through: a few for each copy, one for each evening with it."""


@shows("newest", "amiss", "_copies")
class Preferences:
    """The newest copies and calibrations of a ledger.

    *newest* is the newest row of them, 0 for none. *amiss* says why each row that is damaged was left out.
    """

    def __init__(self, ledger: Ledger, games: Mapping[str, AnyGame] | None = None) -> None:
        """Read what *ledger* holds; copies whose board is none of their *games* are left out."""
        self._games = games or {}
        self.amiss: list[str] = []
        self.newest = 0
        self._copies: dict[str, Copy] = {}
        self._calibrations: tuple[CalibrationKept, ...] = ()
        self._paces: dict[str, Line] = {}
        for kind, most in (
            (RowKind.COPY, MOST_COPIES),
            (RowKind.CALIBRATION, MOST_CALIBRATIONS),
            (RowKind.CLOCK, MOST_PACES),
        ):
            self._read(ledger, kind, most)

    @property
    def copies(self) -> tuple[Copy, ...]:
        """All copies, the one used last first."""
        return tuple(reversed(self._copies.values()))

    def copy(self, name: str) -> Copy | None:
        """Return the copy that is kept under *name*, None where none is."""
        return self._copies.get(same_person(name))

    def calibrations(self, copy: str) -> tuple[Line, ...]:
        """Return the calibrations made for *copy*, oldest first."""
        return tuple(each.line for each in self._calibrations if same_person(each.copy) == same_person(copy))

    @property
    def newest_calibrations(self) -> dict[str, Line]:
        """The newest calibration of each copy, by its name."""
        return {each.copy: each.line for each in self._calibrations}

    def current(self, played: str) -> str:
        """Return the name of the copy on the table: its game's, else the one used last, else calibrated last."""
        if played or self._copies:
            return played or next(reversed(self._copies.values())).name
        return self._calibrations[-1].copy if self._calibrations else ""

    def pace(self, game: str) -> Line | None:
        """Return the pace that the table chose last for a *game*, None for the one out of the box."""
        return self._paces.get(game)

    def add(self, entry: EventEntry) -> None:
        """Go on with *entry*, if it is of these kinds."""
        match entry.event:
            case PaceKept(game, pace):
                self._paces[game] = pace
                return
            case CopyKept(copy):
                if copy.game in self._games:
                    board_of(copy, self._games[copy.game])
                self._put_first(copy.name, copy)
            case CopyUsed(name):
                self._put_first(name, self.copy(name))
            case CalibrationKept():
                self._calibrations = (*self._calibrations, entry.event)[-MOST_CALIBRATIONS:]
            case _:
                return
        self.newest = max(self.newest, entry.id)

    def _put_first(self, name: str, copy: Copy | None) -> None:
        self._copies.pop(same_person(name), None)
        if copy is not None:
            self._copies[same_person(name)] = copy

    def _read(self, ledger: Ledger, kind: RowKind, most: int) -> None:
        """Go on with the newest rows of *kind* that can be read."""
        for row in ledger.outside(kind, most, self.amiss):
            try:
                self.add(unpacked(row))
            except Malformed as fault:
                self.amiss.append(fault.reason)
