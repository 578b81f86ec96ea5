"""What can be changed at the table, thing by thing: events of play, and what a card's text or a repair names."""

from __future__ import annotations

from typing import Annotated, Any

from companion.games.wreck.dice import SYMBOLS
from companion.games.wreck.rooms import ROOMS, Cell, cell_from
from companion.kernel.validation import Fields
from companion.kernel.values import dataclass
from companion.model.forms import Flag, Form, Known, OneOf, OneOfState, OrNull, Seat, Whole

MOST = 99

SUPPLY, SPECIES, PLACE = "supply", "species", "place"
"""Where a researcher is who is not aboard: before the player, trained, or at a place that only some species have."""


class CellForm(Form):
    """Where a tile lies. Example: ``[1, -2]``"""

    def read(self, fields: Fields, name: str, known: Known) -> Cell:
        """Take the cell."""
        return cell_from(fields.take(name), name)

    def write(self, line: dict[str, Any], name: str, value: Cell) -> None:
        """Put the cell."""
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
    """Researchers of a colour went from one place to another; a place is one of the three above or an open room."""

    colour: Seat
    source: AnyPlace
    target: AnyPlace
    count: Annotated[int, Whole(1, MOST)]


@dataclass(frozen=True)
class TeleporterMoved:
    """A teleporter went from the supply or a room to another of these."""

    colour: Seat
    source: PlaceOfATeleporter
    target: PlaceOfATeleporter


@dataclass(frozen=True)
class DieChanged:
    """A die of a player turned from one symbol to another; None: it was not there, or is gone."""

    colour: Seat
    source: Symbol
    target: Symbol


@dataclass(frozen=True)
class VaccinesMoved:
    """Vaccine markers went from the stock to a player, or back where *count* is below zero."""

    colour: Seat
    count: Signed


@dataclass(frozen=True)
class PointsGiven:
    """A card gave KP that stay, or took some of them."""

    colour: Seat
    count: Signed


@dataclass(frozen=True)
class RoomOpened:
    """A tile was turned over."""

    cell: Annotated[Cell, CellForm()]
    room: Room


@dataclass(frozen=True)
class TechnologyTurned:
    """A technology is used up for this round, or ready."""

    id: TechnologyId
    used: IsUsed


@dataclass(frozen=True)
class RoomActionTurned:
    """A player's room action of this round is used up, or free."""

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
