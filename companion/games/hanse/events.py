"""What happens in a game of Die Kosmische Hanse: facts that can be folded into a state and never refused."""

from __future__ import annotations

from companion.games.hanse.commands import Choices, Correction
from companion.games.hanse.goods import Side
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class GoodsLaid:
    """Five goods cards lie at a planet."""

    planet: str
    cards: tuple[Side, ...]


@dataclass(frozen=True)
class StarterChosen:
    """It is settled who moves first; the other one names the planet."""

    player: str


@dataclass(frozen=True)
class ShipsPlaced:
    """Both ships stand on a planet."""

    planet: str


@dataclass(frozen=True)
class TurnBegan:
    """A turn starts; *price* is what a technology costs in it."""

    player: str
    price: int


@dataclass(frozen=True)
class Hyperjumped:
    """A ship jumped to the innermost (`inward`) or outermost orbit."""

    player: str
    direction: str


@dataclass(frozen=True)
class Rolled:
    """A flight began with so much *energy*."""

    player: str
    dice: tuple[int, ...]
    energy: int


@dataclass(frozen=True)
class Flown:
    """A ship flew to a place for so much *energy*."""

    player: str
    to: str
    energy: int


@dataclass(frozen=True)
class Tunnelled:
    """A ship flew through the sun, outwards."""

    player: str
    energy: int


@dataclass(frozen=True)
class ActionUsed:
    """A planet action is used, from *orbit* by a Space Station; an open flight ends."""

    player: str
    orbit: bool


@dataclass(frozen=True)
class Loaded:
    """All goods at *planet* that are wanted on *to* lie in a container."""

    player: str
    planet: str
    to: str
    container: int


@dataclass(frozen=True)
class Unloaded:
    """A container was emptied at a planet and brought so much."""

    player: str
    planet: str
    container: int
    gained: int


@dataclass(frozen=True)
class Flipped:
    """What was unloaded shows its other sides; two of it, or none, *leave* the game."""

    player: str
    cards: tuple[Side, ...]
    leave: tuple[int, ...]


@dataclass(frozen=True)
class Bought:
    """A technology lies open and is paid."""

    player: str
    card: str
    paid: int


@dataclass(frozen=True)
class Intervened:
    """An intervention was discarded for its effect."""

    player: str
    card: str
    choices: Choices


@dataclass(frozen=True)
class PassengerLanded:
    """A passenger has come to the planet, and paid."""

    player: str
    gained: int


@dataclass(frozen=True)
class Allowed:
    """The opponent lets an intervention happen."""

    player: str


@dataclass(frozen=True)
class Neutralised:
    """The opponent discarded the same card."""

    player: str
    card: str


@dataclass(frozen=True)
class Granted:
    """The turn has one `action`, `flight` or `tunnel` more."""

    player: str
    what: str


@dataclass(frozen=True)
class ContentsExchanged:
    """The contents of two containers changed ships."""

    player: str
    mine: int
    theirs: int


@dataclass(frozen=True)
class ShipsExchanged:
    """The two ships changed places."""

    player: str


@dataclass(frozen=True)
class Reshuffled:
    """Hand, draw pile and discards are one draw pile, and a new *hand* is drawn from it."""

    player: str
    hand: int


@dataclass(frozen=True)
class TurnEnded:
    """Cards were discarded, then others drawn."""

    player: str
    discard: tuple[str | None, ...]
    drawn: int


@dataclass(frozen=True)
class Corrected:
    """The table put something right by hand."""

    player: str
    what: Correction


@dataclass(frozen=True)
class GameEnded:
    """The game is over, by `megagalax` or by `goods`."""

    by: str


Event = (
    GoodsLaid
    | StarterChosen
    | ShipsPlaced
    | TurnBegan
    | Hyperjumped
    | Rolled
    | Flown
    | Tunnelled
    | ActionUsed
    | Loaded
    | Unloaded
    | Flipped
    | Bought
    | Intervened
    | PassengerLanded
    | Allowed
    | Neutralised
    | Granted
    | ContentsExchanged
    | ShipsExchanged
    | Reshuffled
    | TurnEnded
    | Corrected
    | GameEnded
)
