"""What happens in a game of Andromeda: facts that can be folded into a state and never refused."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.andromeda.commands import Amount, Card, Credits, StationMove


@dataclass(frozen=True, slots=True)
class CardsShown:
    """A player's set-up cards lie open and the stations stand on their planets."""

    player: str
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """Planet cards went from the supply to hands, by colour in seat order."""

    cards: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round starts with its phase of cards."""

    number: int
    starter: str


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """A phase starts; *turn* is who is first on the move and *actions* how many they have."""

    phase: str
    turn: str
    actions: int = 0


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """The turn passes within a phase."""

    player: str
    actions: int = 0


@dataclass(frozen=True, slots=True)
class Transported:
    """A transport card is used up and took *stations* to (`to_planet`) or from (`to_earth`) a planet."""

    player: str
    move: str
    planet: str
    stations: int


@dataclass(frozen=True, slots=True)
class TransportPassed:
    """A player keeps the transport cards for this round's phase."""

    player: str


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card lies on the table for trading."""

    player: str
    card: Card


@dataclass(frozen=True, slots=True)
class PlayerExcused:
    """A player has no legal card and takes back what was laid."""

    player: str


@dataclass(frozen=True, slots=True)
class SetsSwapped:
    """Two sets changed owners: *player* takes the new one into hand, *partner*'s lies on the table."""

    player: str
    partner: str


@dataclass(frozen=True, slots=True)
class SetLeft:
    """A partner leaves the new set on the table to trade on."""

    player: str


@dataclass(frozen=True, slots=True)
class SetTaken:
    """A player takes the set on the table into hand and is out of this trading phase."""

    player: str


@dataclass(frozen=True, slots=True)
class CardsExchanged:
    """Planet cards discarded and as many drawn."""

    player: str
    cards: int


@dataclass(frozen=True, slots=True)
class SetPlayed:
    """A set left a hand: planet cards to the discards, jokers to their piles."""

    player: str
    cards: int
    jokers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StationsMoved:
    """Stations went from Earth to a planet."""

    player: str
    planet: str
    stations: int


@dataclass(frozen=True, slots=True)
class AttemptBegan:
    """The ring goes over a planet; *cards* is the size of a true set played, 0 with jokers."""

    player: str
    planet: str
    draws: int
    cards: int
    bonus: bool


@dataclass(frozen=True, slots=True)
class CentreTaken:
    """The drawing player's station came out and stands on a centre (*slot* counts from 0)."""

    player: str
    planet: str
    slot: int


@dataclass(frozen=True, slots=True)
class FlewHome:
    """Another player's station came out and is back on its Earth."""

    player: str
    planet: str


@dataclass(frozen=True, slots=True)
class PutBack:
    """Stations that left the ring at once go back under it."""

    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttemptEnded:
    """The ring goes back beside the board."""


@dataclass(frozen=True, slots=True)
class CreditEarned:
    """A true set earned a bonus credit from its pile."""

    player: str
    kind: str


@dataclass(frozen=True, slots=True)
class LevelGained:
    """A track (`ship` or `technology`) goes one level up."""

    player: str
    track: str


@dataclass(frozen=True, slots=True)
class ActionDone:
    """One action of the turn is used."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The table put something right by hand."""

    player: str
    what: StationMove | Credits | Amount


@dataclass(frozen=True, slots=True)
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
