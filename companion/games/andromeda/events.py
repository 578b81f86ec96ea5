"""What happens in a game of Andromeda: facts that can be folded into a state and never refused."""

from __future__ import annotations

from companion.games.andromeda.commands import Amount, Card, Credits, StationMove
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class CardsShown:
    """A player's set-up cards lie open and the stations stand on their planets."""

    player: str
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Dealt:
    """Planet cards went from the supply to hands, by colour in seat order."""

    cards: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class RoundBegan:
    """A round starts with its phase of cards."""

    number: int
    starter: str


@dataclass(frozen=True)
class PhaseBegan:
    """A phase starts; *turn* is who is first on the move and *actions* how many they have."""

    phase: str
    turn: str
    actions: int = 0


@dataclass(frozen=True)
class TurnBegan:
    """The turn passes within a phase."""

    player: str
    actions: int = 0


@dataclass(frozen=True)
class Transported:
    """A transport card is used up and took *stations* to (`to_planet`) or from (`to_earth`) a planet."""

    player: str
    move: str
    planet: str
    stations: int


@dataclass(frozen=True)
class TransportPassed:
    """A player keeps the transport cards for this round's phase."""

    player: str


@dataclass(frozen=True)
class CardLaid:
    """A card lies on the table for trading."""

    player: str
    card: Card


@dataclass(frozen=True)
class PlayerExcused:
    """A player has no legal card and takes back what was laid."""

    player: str


@dataclass(frozen=True)
class SetsSwapped:
    """Two sets changed owners: *player* takes the new one into hand, *partner*'s lies on the table."""

    player: str
    partner: str


@dataclass(frozen=True)
class SetLeft:
    """A partner leaves the new set on the table to trade on."""

    player: str


@dataclass(frozen=True)
class SetTaken:
    """A player takes the set on the table into hand and is out of this trading phase."""

    player: str


@dataclass(frozen=True)
class CardsExchanged:
    """Planet cards discarded and as many drawn."""

    player: str
    cards: int


@dataclass(frozen=True)
class SetPlayed:
    """A set left a hand: planet cards to the discards, jokers to their piles."""

    player: str
    cards: int
    jokers: tuple[str, ...] = ()


@dataclass(frozen=True)
class StationsMoved:
    """Stations went from Earth to a planet."""

    player: str
    planet: str
    stations: int


@dataclass(frozen=True)
class AttemptBegan:
    """The ring goes over a planet; *cards* is the size of a true set played, 0 with jokers."""

    player: str
    planet: str
    draws: int
    cards: int
    bonus: bool


@dataclass(frozen=True)
class CentreTaken:
    """The drawing player's station came out and stands on a centre (*slot* counts from 0)."""

    player: str
    planet: str
    slot: int


@dataclass(frozen=True)
class FlewHome:
    """Another player's station came out and is back on its Earth."""

    player: str
    planet: str


@dataclass(frozen=True)
class PutBack:
    """Stations that left the ring at once go back under it."""

    colours: tuple[str, ...]


@dataclass(frozen=True)
class AttemptEnded:
    """The ring goes back beside the board."""


@dataclass(frozen=True)
class CreditEarned:
    """A true set earned a bonus credit from its pile."""

    player: str
    kind: str


@dataclass(frozen=True)
class LevelGained:
    """A track (`ship` or `technology`) goes one level up."""

    player: str
    track: str


@dataclass(frozen=True)
class ActionDone:
    """One action of the turn is used."""


@dataclass(frozen=True)
class Corrected:
    """The table put something right by hand."""

    player: str
    what: StationMove | Credits | Amount


@dataclass(frozen=True)
class GameEnded:
    """The last round is over."""


Event = (
    CardsShown
    | Dealt
    | RoundBegan
    | PhaseBegan
    | TurnBegan
    | Transported
    | TransportPassed
    | CardLaid
    | PlayerExcused
    | SetsSwapped
    | SetLeft
    | SetTaken
    | CardsExchanged
    | SetPlayed
    | StationsMoved
    | AttemptBegan
    | CentreTaken
    | FlewHome
    | PutBack
    | AttemptEnded
    | CreditEarned
    | LevelGained
    | ActionDone
    | Corrected
    | GameEnded
)
