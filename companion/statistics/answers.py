"""Filters and results of the statistics, as values."""

from __future__ import annotations

from companion.kernel.values import dataclass
from companion.statistics.interval import ShareInterval
from companion.statistics.rating import Rating

HIGHEST, LONGEST, SHORTEST, CLOSEST = "highest", "longest", "shortest", "closest"
"""The kinds of records."""


@dataclass(frozen=True)
class Filter:
    """Chooses games: of a *kind*, with a *person*, for *players* players, ended since *since_ms*.

    An empty or 0 field does not filter.
    """

    kind: str = ""
    person: str = ""
    players: int = 0
    since_ms: int = 0

    @property
    def where(self) -> tuple[str, tuple[object, ...]]:
        """The SQL condition on a game `g`, also that it counts, and its parameters."""
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
    """Totals: games, persons, milliseconds played, and when the first and the last game ended."""

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
    """One person over all chosen games.

    *wins* is the share won of the games that have winners, and *chance* the number of wins if all players won equally
    often. *turn_ms* is the mean time of *turns* steps. *rating* is over all games of the kind, whatever the other
    filters; it has no value after too few games.
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
    """The result of one seat: whether it won, and its points, None if the game has no points.

    A player who *left* early has neither.
    """

    won: bool
    total: int | None
    left: bool = False


@dataclass(frozen=True)
class Meeting:
    """The results of two persons against each other, over the *games* in which both were ranked.

    In *ahead* of them the first person was ahead, and in *level* of them both shared a place.
    """

    person: str
    name: str
    games: int
    ahead: int
    level: int

    @property
    def behind(self) -> int:
        """In how many games the other person was ahead."""
        return self.games - self.ahead - self.level


@dataclass(frozen=True)
class SideResult:
    """How often a colour, or a position in the order of turns, won, and how often it would win by chance."""

    name: str
    wins: ShareInterval
    chance: float


@dataclass(frozen=True)
class Lengths:
    """The lengths of games with a clock, in milliseconds: for one kind and number of players, or for all."""

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
    """A step of a kind of game: *ms* milliseconds in all, over *times* occurrences in *games* games."""

    kind: str
    step: str
    games: int
    times: int
    ms: int


@dataclass(frozen=True)
class Best:
    """A record of the kind *word*: its *value*, the *names* of the players, the game, and when it ended."""

    kind: str
    word: str
    value: int
    names: tuple[str, ...]
    game: int
    ended_ms: int
