"""What happens in a game of the wreck: facts that can be folded into a state and never refused."""

from __future__ import annotations

from companion.games.wreck.cards import Card
from companion.games.wreck.changes import Change
from companion.games.wreck.dice import Dice
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class MissionOpened:
    """The next general mission lies open."""

    card: Card | None


@dataclass(frozen=True)
class MissionExchanged:
    """A personal mission was swapped for another."""

    player: str


@dataclass(frozen=True)
class DiceRolled:
    """A round begins with these dice in the pool."""

    number: int
    dice: Dice


@dataclass(frozen=True)
class OfferMade:
    """Dice lie on the lowest free order card, and somebody is asked."""

    player: str
    dice: Dice
    asked: str


@dataclass(frozen=True)
class OfferPassed:
    """The offer went on to the next."""

    asked: str


@dataclass(frozen=True)
class OfferTaken:
    """Who was asked has the card, its dice and one more."""

    player: str
    die: str | None


@dataclass(frozen=True)
class OffererChanged:
    """Somebody else makes the offers from here on."""

    player: str


@dataclass(frozen=True)
class LastCardTaken:
    """The last card went with all remaining dice to the last player."""

    player: str


@dataclass(frozen=True)
class TurnBegan:
    """A turn starts."""

    player: str


@dataclass(frozen=True)
class ContaminationEnded:
    """The dice with contamination are gone, and so are the markers given up for them."""

    player: str
    vaccines: int


@dataclass(frozen=True)
class ResearchersRemoved:
    """One researcher left each room named: *place* of them for the species' own place, the others for the supply."""

    player: str
    rooms: tuple[str, ...]
    place: int = 0


@dataclass(frozen=True)
class DieUsed:
    """A die paid for an action."""

    player: str
    die: str


@dataclass(frozen=True)
class ResearchersCalled:
    """One researcher went from the species card to each room named."""

    player: str
    rooms: tuple[str, ...]


@dataclass(frozen=True)
class ResearchersStepped:
    """Researchers went from room to room, one step after another."""

    player: str
    steps: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class MissionFulfilled:
    """A mission lies before a player and counts from now on."""

    player: str
    mission: str
    name: str
    kp: int


@dataclass(frozen=True)
class TurnEnded:
    """A turn is over, and its dice are lost."""

    player: str


@dataclass(frozen=True)
class CleanUpBegan:
    """KP are counted and nobody has won: all is made ready, and *drawn* names who takes a new personal mission."""

    starter: str
    drawn: tuple[str, ...]


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
