"""The events of a game of the wreck and their codec. `evolve` applies an event and never refuses it."""

from __future__ import annotations

from typing import Annotated

from companion.games.wreck.cards import MOST_KP, Card
from companion.games.wreck.changes import MOST, Change, RoomOpened, Symbol
from companion.games.wreck.commands import MISSIONS, CardForm, Die, Step
from companion.games.wreck.dice import SYMBOLS, Dice
from companion.games.wreck.state import ROUNDS, State, closed_cells
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.parser import EventCodec, Form, Known, OneOf, Seat, Text, Whole, WordsOfState


class ForEachSymbol(Form):
    """The number of dice for each symbol. Example: ``[2, 1, 0, 3, 1, 0]``"""

    def read(self, fields: Fields, name: str, known: Known) -> Dice:
        """Read the numbers from field *name*."""
        dice = fields.whole_numbers(name, 0, MOST)
        if len(dice) != len(SYMBOLS):
            raise Malformed(said("%(name)s must give a number for each symbol", name=name))
        return dice


class StepsTaken(Form):
    """Steps, each from one open room to another. Example: ``[["airlock", "bridge"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Step, ...]:
        """Read the steps from field *name*."""
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
    """The next general mission was opened."""

    card: Annotated[Card | None, CardForm()]


@dataclass(frozen=True)
class MissionExchanged:
    """A player swapped their personal mission for another."""

    player: Seat


@dataclass(frozen=True)
class DiceRolled:
    """A round began. The event contains the dice in the pool."""

    number: Annotated[int, Whole(1, ROUNDS)]
    dice: Rolled


@dataclass(frozen=True)
class OfferMade:
    """Dice were offered with the lowest free order card. The player *asked* must answer."""

    player: Seat
    dice: Rolled
    asked: Seat


@dataclass(frozen=True)
class OfferPassed:
    """The offer was passed on to the player *asked*."""

    asked: Seat


@dataclass(frozen=True)
class OfferTaken:
    """A player took the offer: the order card, its dice, and one more die from the pool."""

    player: Seat
    die: Symbol


@dataclass(frozen=True)
class OffererChanged:
    """*player* makes the offers from now on."""

    player: Seat


@dataclass(frozen=True)
class LastCardTaken:
    """The last player got the last order card and all remaining dice."""

    player: Seat


@dataclass(frozen=True)
class TurnBegan:
    """A turn began."""

    player: Seat


@dataclass(frozen=True)
class ContaminationEnded:
    """Contamination was resolved: its dice were removed, and *vaccines* markers went back to the stock."""

    player: Seat
    vaccines: Count


@dataclass(frozen=True)
class ResearchersRemoved:
    """One researcher left each of *rooms*. *place* of them went to the species' own place, the others to the supply."""

    player: Seat
    rooms: OpenRooms
    place: Count = 0


@dataclass(frozen=True)
class DieUsed:
    """A die was used for an action."""

    player: Seat
    die: Die


@dataclass(frozen=True)
class ResearchersCalled:
    """One researcher went from the species card to each of *rooms*."""

    player: Seat
    rooms: OpenRooms


@dataclass(frozen=True)
class ResearchersStepped:
    """Researchers went from room to room, in the order of *steps*."""

    player: Seat
    steps: Annotated[tuple[Step, ...], StepsTaken()]


@dataclass(frozen=True)
class MissionFulfilled:
    """A player fulfilled a mission. Its KP count from now on."""

    player: Seat
    mission: Annotated[str, OneOf(*MISSIONS)]
    name: Annotated[str, Text(empty=True)]
    kp: Annotated[int, Whole(0, MOST_KP)]


@dataclass(frozen=True)
class TurnEnded:
    """A turn ended, and its remaining dice were lost."""

    player: Seat


@dataclass(frozen=True)
class CleanUpBegan:
    """A round ended without a winner, and the clean-up began. The players in *drawn* get a new personal mission."""

    starter: Seat
    drawn: Annotated[tuple[str, ...], WordsOfState(lambda state: state.colours)]


@dataclass(frozen=True)
class GameEnded:
    """The game ended: a player has enough KP, or the seventh round is over."""


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
    """Return whether *event* can be applied to *state*: the things it changes must exist. Rules are not checked."""
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
