"""What players can ask of a game of Die Kosmische Hanse: the lines of a record, understood."""

from __future__ import annotations

from companion.games.hanse.goods import Cargo, Pair, Side
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class LayGoods:
    """The five goods cards that lie at a planet, by the sides that are seen."""

    planet: str
    cards: tuple[Side, ...]


@dataclass(frozen=True)
class Choose:
    """The younger player moves `first` or names the `planet`."""

    player: str
    take: str


@dataclass(frozen=True)
class Start:
    """The planet where both ships begin."""

    player: str
    planet: str


@dataclass(frozen=True)
class Hyperjump:
    """A jump before all else in the turn: `inward` or `outward`."""

    player: str
    direction: str


@dataclass(frozen=True)
class Roll:
    """A flight: the die, and what it showed when it was rolled again."""

    player: str
    dice: tuple[int, ...]


@dataclass(frozen=True)
class Fly:
    """Straight to a place in the open flight."""

    player: str
    to: str


@dataclass(frozen=True)
class Tunnel:
    """Through the sun, from the innermost orbit to the outermost."""

    player: str


@dataclass(frozen=True)
class Load:
    """All goods for one planet into an empty container."""

    player: str
    to: str


@dataclass(frozen=True)
class Unload:
    """A whole container at its destination."""

    player: str
    container: int


@dataclass(frozen=True)
class Flip:
    """The other sides of what was unloaded, and which two leave the game."""

    player: str
    cards: tuple[Side, ...]
    leave: Pair | None = None


@dataclass(frozen=True)
class Buy:
    """A technology from the hand."""

    player: str
    card: str


@dataclass(frozen=True)
class Loading:
    """What an Inner or Outer Loading takes: all goods at *planet* that are wanted on *to*."""

    planet: str
    to: str


@dataclass(frozen=True)
class Exchange:
    """Which containers an On-Board Transmitter exchanges."""

    mine: int
    theirs: int


Choices = Loading | Exchange | None


@dataclass(frozen=True)
class Intervene:
    """An intervention from the hand, with what its card asks to be named."""

    player: str
    card: str
    choices: Choices = None


@dataclass(frozen=True)
class Allow:
    """The opponent lets the intervention happen."""

    player: str


@dataclass(frozen=True)
class Neutralise:
    """The opponent discards the same card, and nothing happens."""

    player: str


@dataclass(frozen=True)
class EndTurn:
    """Cards discarded (None for one that nobody named), then cards drawn (None for as many as may be)."""

    player: str
    discard: tuple[str | None, ...] = ()
    draw: int | None = None


@dataclass(frozen=True)
class Amount:
    """What the `megagalax` or the `hand` of a player really are."""

    of: str
    amount: int


@dataclass(frozen=True)
class Standing:
    """Where the ship of a player really is."""

    place: str


@dataclass(frozen=True)
class Counts:
    """How many `technologies` lie open, or `discards` are known, by name; what is not named stays."""

    of: str
    cards: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class GoodsAt:
    """What really lies at planets; what is not named stays."""

    planets: tuple[tuple[str, Cargo], ...]


@dataclass(frozen=True)
class Held:
    """What a container really holds."""

    index: int
    cards: Cargo


Correction = Amount | Standing | Counts | GoodsAt | Held


@dataclass(frozen=True)
class Correct:
    """The table repairs the state."""

    player: str
    reason: str
    what: Correction


SetUpCommand = LayGoods | Choose | Start
FlightCommand = Hyperjump | Roll | Fly | Tunnel
PlanetCommand = Load | Unload | Flip | Buy
CardCommand = Intervene | Allow | Neutralise
Command = SetUpCommand | FlightCommand | PlanetCommand | CardCommand | EndTurn | Correct
