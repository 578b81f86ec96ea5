"""What players and the ring can ask of a game of Andromeda: the lines of a record, understood."""

from __future__ import annotations

from companion.kernel.values import dataclass

Card = str | None
"""A card laid for trading: a planet's id, a credit's kind, or None for a planet nobody named."""
FACE_DOWN = "face down"
"""What stands for a card in the set of another player while it lies face down (`companion.games.andromeda.secrets`)."""


@dataclass(frozen=True)
class CardSet:
    """Cards played for an action: *cards* real ones of *planet*, and credits as jokers."""

    planet: str
    cards: int
    jokers: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many cards it counts for."""
        return self.cards + len(self.jokers)

    @property
    def true_size(self) -> int:
        """How many cards a true set has: 0 when a joker is in it."""
        return 0 if self.jokers else self.cards


@dataclass(frozen=True)
class SetUp:
    """The face-up set-up cards of a player, counted by planet."""

    player: str
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Deal:
    """The deal is done: every hand at its limit."""


@dataclass(frozen=True)
class Transport:
    """A transport card played (`to_planet`, `to_earth`) or kept (`pass`)."""

    player: str
    move: str
    planet: str | None = None


@dataclass(frozen=True)
class Lay:
    """A card laid for trading."""

    player: str
    card: Card


@dataclass(frozen=True)
class Excuse:
    """No legal card: out of this trading phase."""

    player: str


@dataclass(frozen=True)
class Swap:
    """Two whole sets change places."""

    player: str
    partner: str


@dataclass(frozen=True)
class Keep:
    """The partner takes the new cards into hand."""

    player: str


@dataclass(frozen=True)
class Leave:
    """The partner leaves the new cards on the table."""

    player: str


@dataclass(frozen=True)
class TakeBack:
    """A later trader takes the set back instead of swapping."""

    player: str


@dataclass(frozen=True)
class EndTrading:
    """The table traded without recording it."""


@dataclass(frozen=True)
class Exchange:
    """Cards from the hand for as many from the supply."""

    player: str
    cards: int


@dataclass(frozen=True)
class Move:
    """A set played to move stations from Earth to its planet."""

    player: str
    set: CardSet
    stations: int
    bonus: bool = True


@dataclass(frozen=True)
class Establish:
    """A set played to try for a centre with the ring."""

    player: str
    set: CardSet
    bonus: bool = True


@dataclass(frozen=True)
class Draw:
    """One station left the ring."""

    colour: str


@dataclass(frozen=True)
class DoubleExit:
    """Two stations left the ring at once; *out* is the one that stays out, where one does."""

    colours: tuple[str, str]
    out: str | None = None


@dataclass(frozen=True)
class StopDrawing:
    """The remaining draws are given up."""

    player: str


@dataclass(frozen=True)
class Ship:
    """A set played for the next level of the ship."""

    player: str
    set: CardSet
    bonus: bool = True


@dataclass(frozen=True)
class Technology:
    """A set played for the next level of technology."""

    player: str
    set: CardSet
    bonus: bool = True


@dataclass(frozen=True)
class EndTurn:
    """Fewer actions than allowed, on purpose."""

    player: str


@dataclass(frozen=True)
class StationMove:
    """Stations put from one place to another by hand: `earth`, `p1`, or a centre `p1/0`."""

    source: str
    target: str
    count: int


@dataclass(frozen=True)
class Credits:
    """How many credits of the named kinds a player really holds."""

    held: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Amount:
    """What a track, the transport cards or the hand really stand at."""

    of: str
    amount: int


@dataclass(frozen=True)
class Correct:
    """The table repairs the state."""

    player: str
    reason: str
    what: StationMove | Credits | Amount


TradeCommand = Lay | Excuse | Swap | Keep | Leave | TakeBack | EndTrading
ActionCommand = Exchange | Move | Establish | Ship | Technology | EndTurn
DrawCommand = Draw | DoubleExit | StopDrawing
Command = SetUp | Deal | Transport | TradeCommand | ActionCommand | DrawCommand | Correct
