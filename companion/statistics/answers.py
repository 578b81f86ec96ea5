"""What is asked of many games, and what is answered: values."""

from __future__ import annotations

from companion.kernel.values import dataclass
from companion.statistics.interval import ShareInterval
from companion.statistics.rating import Rating

HIGHEST, LONGEST, SHORTEST, CLOSEST = "highest", "longest", "shortest", "closest"
"""Words of records."""


@dataclass(frozen=True)
class Filter:
    """Which games are asked about: of a *kind*, with a *person* in them, for so many *players*, ended since *since_ms*.

    What is empty or 0 leaves none out.
    """

    kind: str = ""
    person: str = ""
    players: int = 0
    since_ms: int = 0

    @property
    def where(self) -> tuple[str, tuple[object, ...]]:
        """The conditions on a game `g` that counts, in SQL, with their values."""
        terms: list[tuple[str, object]] = []
        if self.kind:
            terms.append(("g.kind = ?", self.kind))
        if self.players:
            terms.append(("g.players = ?", self.players))
        if self.since_ms:
            terms.append(("g.ended >= ?", self.since_ms))
        if self.person:
            terms.append(("g.number IN (SELECT game FROM seat WHERE person = ?)", self.person))
        return " AND ".join(["g.counted", *(term for term, _ in terms)]), tuple(value for _, value in terms)


@dataclass(frozen=True)
class StatisticsTally:
    """How much there is in all: games, persons, milliseconds played, when the first and last ended."""

    games: int
    persons: int
    ms: int
    timed: int
    draws: int
    first_ms: int
    last_ms: int


@dataclass(frozen=True)
class Rated:
    """A rating after the *nth* game, which ended at *ended_ms*."""

    nth: int
    ended_ms: int
    rating: Rating


@dataclass(frozen=True)
class Person:
    """Somebody over all games that are asked about.

    *wins* are of those that somebody could win, *chance* is how many would be won if each player won as often;
    *turn_ms* is the mean time of *turns* steps. *rating* is of all games of the kind, whatever
    else is left out, None for few.
    """

    person: str
    name: str
    games: int
    wins: ShareInterval
    chance: float
    turns: int
    turn_ms: float
    rating: Rated | None
    rival: Meeting | None = None


@dataclass(frozen=True)
class SeatResult:
    """How a game ended for one seat: whether it won, and its points, None in a game without any.

    Who *left* before the end has neither.
    """

    won: bool
    total: int | None
    left: bool = False


@dataclass(frozen=True)
class Meeting:
    """Two who played together: so many *games* that had places, in so many the first was *ahead* or *level*."""

    person: str
    name: str
    games: int
    ahead: int
    level: int

    @property
    def behind(self) -> int:
        """How often the other was ahead."""
        return self.games - self.ahead - self.level


@dataclass(frozen=True)
class SideResult:
    """A colour, or a place in the order of turns: how often it won, and how often it would have by chance."""

    name: str
    wins: ShareInterval
    chance: float


@dataclass(frozen=True)
class Lengths:
    """How long games took that had a clock, in milliseconds: of one kind and number of players, or of all."""

    kind: str
    players: int
    n: int
    least: int
    lower: float
    middle: float
    upper: float
    most: int


@dataclass(frozen=True)
class StageTime:
    """A step of a kind of game: milliseconds in all, in so many *games*, so many *times*."""

    kind: str
    step: str
    games: int
    times: int
    ms: int


@dataclass(frozen=True)
class Best:
    """A record: *word* says of what, *value* how much, *names* whose; in which game, ended when."""

    kind: str
    word: str
    value: int
    names: tuple[str, ...]
    game: int
    ended_ms: int
