"""What players can ask of a game of the wreck: the lines of a record, understood."""

from __future__ import annotations

from companion.games.wreck.cards import Card
from companion.games.wreck.changes import Change
from companion.games.wreck.rooms import Cell
from companion.kernel.values import dataclass

Step = tuple[str, str]
"""One researcher from a room to the next."""


@dataclass(frozen=True)
class Open:
    """The next general mission lies open; None: nobody has entered what it says."""

    card: Card | None


@dataclass(frozen=True)
class Exchange:
    """A personal mission goes back for another."""

    player: str


@dataclass(frozen=True)
class Roll:
    """All dice are rolled, and those with too much contamination again and again."""

    player: str
    dice: tuple[str, ...]
    rerolls: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Offer:
    """Dice go on the lowest free order card."""

    player: str
    dice: tuple[str, ...]


@dataclass(frozen=True)
class Accept:
    """Who is asked takes the card, its dice and one more die, None for no more."""

    player: str
    die: str | None


@dataclass(frozen=True)
class Decline:
    """Who is asked passes the offer on."""

    player: str


@dataclass(frozen=True)
class Contaminate:
    """All contamination of a turn at once: markers given up, researchers removed, *place* of them to a place."""

    player: str
    vaccines: int
    remove: tuple[str, ...]
    place: int = 0


@dataclass(frozen=True)
class Train:
    """Researchers from the supply to the species card."""

    player: str
    die: str
    count: int


@dataclass(frozen=True)
class Call:
    """Researchers from the species card to rooms with an own teleporter, one for each room named."""

    player: str
    die: str
    to: tuple[str, ...]


@dataclass(frozen=True)
class Move:
    """Steps between rooms side by side."""

    player: str
    die: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Explore:
    """A tile turned over from a room beside it, and one researcher into it."""

    player: str
    die: str
    source: str
    cell: Cell
    room: str


@dataclass(frozen=True)
class Teleport:
    """The technology that everybody knows: a teleporter to a room, None when all three are aboard."""

    player: str
    room: str | None


@dataclass(frozen=True)
class Technology:
    """Another technology, and what it does."""

    player: str
    id: str
    effects: tuple[Change, ...]


@dataclass(frozen=True)
class Armoury:
    """A researcher leaves the ship for its owner's species card."""

    player: str
    colour: str
    source: str


@dataclass(frozen=True)
class Hangar:
    """A researcher goes from the hangar to any open room."""

    player: str
    to: str


@dataclass(frozen=True)
class Quarters:
    """One or two steps."""

    player: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Communications:
    """One researcher trained (*to* is None) or called."""

    player: str
    to: tuple[str, ...] | None


@dataclass(frozen=True)
class Bridge:
    """Personal missions drawn and put back, which nobody sees."""

    player: str


@dataclass(frozen=True)
class Reactor:
    """Two researchers in rooms side by side change places."""

    player: str
    swap: tuple[Step, Step]


@dataclass(frozen=True)
class Fulfil:
    """A mission fulfilled; *card* says what it is where that was not known before."""

    player: str
    mission: str
    sacrifice: tuple[str, ...]
    card: Card | None = None


@dataclass(frozen=True)
class EndTurn:
    """A turn is over; dice that are left are lost."""

    player: str


@dataclass(frozen=True)
class Correct:
    """What a card's text does, or the table's repair."""

    player: str
    reason: str
    effects: tuple[Change, ...]


BetweenTurns = Open | Exchange | Roll
OfferCommand = Offer | Accept | Decline
TurnCommand = Contaminate | Fulfil | EndTurn
DieAction = Train | Call | Move | Explore | Teleport | Technology
RoomAction = Armoury | Hangar | Quarters | Communications | Bridge | Reactor
Command = BetweenTurns | OfferCommand | TurnCommand | DieAction | RoomAction | Correct
