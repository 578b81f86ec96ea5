"""Single changes of the state. They are events of normal play, and also effects of a card or a correction."""

from __future__ import annotations

from typing import Annotated, Any

from companion.games.wreck.dice import SYMBOLS
from companion.games.wreck.rooms import ROOMS, Cell, cell_from
from companion.kernel.fields import Fields
from companion.kernel.values import dataclass
from companion.model.parser import Flag, Form, Known, OneOf, OneOfState, OrNull, Seat, Whole

MOST = 99

SUPPLY, SPECIES, PLACE = "supply", "species", "place"
"""Places for researchers outside of the ship: the supply, the species card, and a place that only some species have."""


class CellForm(Form):
    """The cell of a tile. Example: ``[1, -2]``"""

    def read(self, fields: Fields, name: str, known: Known) -> Cell:
        """Read the cell from field *name*."""
        return cell_from(fields.take(name), name)

    def write(self, line: dict[str, Any], name: str, value: Cell) -> None:
        """Write the cell to field *name*."""
        line[name] = list(value)


Room = Annotated[str, OneOf(*ROOMS)]
AnyPlace = Annotated[str, OneOfState(lambda state: (SUPPLY, SPECIES, PLACE, *state.researchers))]
PlaceOfATeleporter = Annotated[str, OneOfState(lambda state: (SUPPLY, *state.researchers))]
Symbol = Annotated[str | None, OrNull(*SYMBOLS)]
Signed = Annotated[int, Whole(-MOST, MOST)]
TechnologyId = Annotated[str, OneOfState(lambda state: tuple(each.id for each in state.setting.technologies))]
IsUsed = Annotated[bool, Flag()]


@dataclass(frozen=True)
class ResearchersMoved:
    """Researchers went from one place to another: supply, species card, the species' own place, or an open room."""

    colour: Seat
    source: AnyPlace
    target: AnyPlace
    count: Annotated[int, Whole(1, MOST)]


@dataclass(frozen=True)
class TeleporterMoved:
    """A teleporter went from one place to another. A place is the supply or a room."""

    colour: Seat
    source: PlaceOfATeleporter
    target: PlaceOfATeleporter


@dataclass(frozen=True)
class DieChanged:
    """A player's die was turned from one symbol to another.

    If *source* is None, the die was added. If *target* is None, it was removed.
    """

    colour: Seat
    source: Symbol
    target: Symbol


@dataclass(frozen=True)
class VaccinesMoved:
    """A player took vaccine markers from the stock, or gave some back if *count* is negative."""

    colour: Seat
    count: Signed


@dataclass(frozen=True)
class PointsGiven:
    """A card gave a player permanent KP, or took some away if *count* is negative."""

    colour: Seat
    count: Signed


@dataclass(frozen=True)
class RoomOpened:
    """A tile was turned over and shows *room*."""

    cell: Annotated[Cell, CellForm()]
    room: Room


@dataclass(frozen=True)
class TechnologyTurned:
    """A technology was used for this round, or made ready again."""

    id: TechnologyId
    used: IsUsed


@dataclass(frozen=True)
class RoomActionTurned:
    """A player's room action of this round was used, or made available again."""

    colour: Seat
    used: IsUsed


Change = (
    ResearchersMoved
    | TeleporterMoved
    | DieChanged
    | VaccinesMoved
    | PointsGiven
    | RoomOpened
    | TechnologyTurned
    | RoomActionTurned
)
