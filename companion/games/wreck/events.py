"""What happens in a game of the wreck: facts that can be folded into a state and never refused, and their codec."""

from __future__ import annotations

from typing import Annotated

from companion.games.wreck.cards import MOST_KP, Card
from companion.games.wreck.changes import MOST, Change, RoomOpened, Symbol
from companion.games.wreck.commands import MISSIONS, CardForm, Die, Step
from companion.games.wreck.dice import SYMBOLS, Dice
from companion.games.wreck.state import ROUNDS, State, closed_cells
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields
from companion.kernel.values import dataclass
from companion.model.event_codec import EventCodec
from companion.model.forms import Form, Known, OneOf, Seat, Text, Whole, WordsOfState


class ForEachSymbol(Form):
    """How many dice show each symbol. Example: ``[2, 1, 0, 3, 1, 0]``"""

    def read(self, fields: Fields, name: str, known: Known) -> Dice:
        """Take the numbers."""
        dice = fields.whole_numbers(name, 0, MOST)
        if len(dice) != len(SYMBOLS):
            raise Malformed(said("%(name)s must give a number for each symbol", name=name))
        return dice


class StepsTaken(Form):
    """Steps from an open room to the next. Example: ``[["airlock", "bridge"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Step, ...]:
        """Take the steps."""
        steps = fields.list(name)
        for step in steps:
            rooms = Fields({"rooms": step}).words("rooms", known.state.researchers)
            if len(rooms) != 2:
                raise Malformed(said("%(where)s must be a pair", where=name))
        return tuple((source, target) for source, target in steps)


Count = Annotated[int, Whole(0, MOST)]
Rolled = Annotated[Dice, ForEachSymbol()]
OpenRooms = Annotated[tuple[str, ...], WordsOfState(lambda state: state.researchers)]


@dataclass(frozen=True)
class MissionOpened:
    """The next general mission lies open."""

    card: Annotated[Card | None, CardForm()]


@dataclass(frozen=True)
class MissionExchanged:
    """A personal mission was swapped for another."""

    player: Seat


@dataclass(frozen=True)
class DiceRolled:
    """A round begins with these dice in the pool."""

    number: Annotated[int, Whole(1, ROUNDS)]
    dice: Rolled


@dataclass(frozen=True)
class OfferMade:
    """Dice lie on the lowest free order card, and somebody is asked."""

    player: Seat
    dice: Rolled
    asked: Seat


@dataclass(frozen=True)
class OfferPassed:
    """The offer went on to the next."""

    asked: Seat


@dataclass(frozen=True)
class OfferTaken:
    """Who was asked has the card, its dice and one more."""

    player: Seat
    die: Symbol


@dataclass(frozen=True)
class OffererChanged:
    """Somebody else makes the offers from here on."""

    player: Seat


@dataclass(frozen=True)
class LastCardTaken:
    """The last card went with all remaining dice to the last player."""

    player: Seat


@dataclass(frozen=True)
class TurnBegan:
    """A turn starts."""

    player: Seat


@dataclass(frozen=True)
class ContaminationEnded:
    """The dice with contamination are gone, and so are the markers given up for them."""

    player: Seat
    vaccines: Count


@dataclass(frozen=True)
class ResearchersRemoved:
    """One researcher left each room named: *place* of them for the species' own place, the others for the supply."""

    player: Seat
    rooms: OpenRooms
    place: Count = 0


@dataclass(frozen=True)
class DieUsed:
    """A die paid for an action."""

    player: Seat
    die: Die


@dataclass(frozen=True)
class ResearchersCalled:
    """One researcher went from the species card to each room named."""

    player: Seat
    rooms: OpenRooms


@dataclass(frozen=True)
class ResearchersStepped:
    """Researchers went from room to room, one step after another."""

    player: Seat
    steps: Annotated[tuple[Step, ...], StepsTaken()]


@dataclass(frozen=True)
class MissionFulfilled:
    """A mission lies before a player and counts from now on."""

    player: Seat
    mission: Annotated[str, OneOf(*MISSIONS)]
    name: Annotated[str, Text(empty=True)]
    kp: Annotated[int, Whole(0, MOST_KP)]


@dataclass(frozen=True)
class TurnEnded:
    """A turn is over, and its dice are lost."""

    player: Seat


@dataclass(frozen=True)
class CleanUpBegan:
    """KP are counted and nobody has won: all is made ready, and *drawn* names who takes a new personal mission."""

    starter: Seat
    drawn: Annotated[tuple[str, ...], WordsOfState(lambda state: state.colours)]


@dataclass(frozen=True)
class GameEnded:
    """Somebody has enough KP, or the seventh round is over."""


Event = (
    MissionOpened
    | MissionExchanged
    | DiceRolled
    | OfferMade
    | OfferPassed
    | OfferTaken
    | OffererChanged
    | LastCardTaken
    | TurnBegan
    | ContaminationEnded
    | ResearchersRemoved
    | DieUsed
    | ResearchersCalled
    | ResearchersStepped
    | MissionFulfilled
    | TurnEnded
    | CleanUpBegan
    | GameEnded
    | Change
)


_OFFERED = (OfferPassed, OfferTaken)


def can_follow(state: State, event: Event) -> bool:
    """Tell whether *event* finds what it changes: no more, since it is the rules that say what may happen."""
    if isinstance(event, _OFFERED):
        return state.offer is not None
    match event:
        case RoomOpened(cell, room):
            return room not in state.researchers and cell in closed_cells(state)
        case MissionOpened():
            return state.opened < ROUNDS
        case ResearchersRemoved(_, rooms, place):
            return place <= len(rooms)
        case _:
            return True


CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
pack, unpack = CODEC.pack, CODEC.unpack
