"""What can be changed at the table, thing by thing: events of play, and what a card's text or a repair names."""

from __future__ import annotations

from companion.games.wreck.rooms import Cell
from companion.kernel.values import dataclass

SUPPLY, SPECIES, PLACE = "supply", "species", "place"
"""Where a researcher is who is not aboard: before the player, trained, or at a place that only some species have."""


@dataclass(frozen=True)
class ResearchersMoved:
    """Researchers of a colour went from one place to another; a place is one of the three above or an open room."""

    colour: str
    source: str
    target: str
    count: int


@dataclass(frozen=True)
class TeleporterMoved:
    """A teleporter went from the supply or a room to another of these."""

    colour: str
    source: str
    target: str


@dataclass(frozen=True)
class DieChanged:
    """A die of a player turned from one symbol to another; None: it was not there, or is gone."""

    colour: str
    source: str | None
    target: str | None


@dataclass(frozen=True)
class VaccinesMoved:
    """Vaccine markers went from the stock to a player, or back where *count* is below zero."""

    colour: str
    count: int


@dataclass(frozen=True)
class PointsGiven:
    """A card gave KP that stay, or took some of them."""

    colour: str
    count: int


@dataclass(frozen=True)
class RoomOpened:
    """A tile was turned over."""

    cell: Cell
    room: str


@dataclass(frozen=True)
class TechnologyTurned:
    """A technology is used up for this round, or ready."""

    id: str
    used: bool


@dataclass(frozen=True)
class RoomActionTurned:
    """A player's room action of this round is used up, or free."""

    colour: str
    used: bool


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
