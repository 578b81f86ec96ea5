"""Data types of the statistics: the filter of a query, and the results."""

from __future__ import annotations

from companion.kernel.values import dataclass
from companion.statistics.interval import ShareInterval
from companion.statistics.rating import Rating

HIGHEST, LONGEST, SHORTEST, CLOSEST = "highest", "longest", "shortest", "closest"
"""The kinds of records."""


@dataclass(frozen=True)
class Filter:
    """Selects games by their *kind*, a *person* in them, the number of *players*, and the time of their end.

    A game must meet all conditions; a field that is empty or 0 is ignored. Games must have ended at *since_ms* or
    later, in milliseconds since 1970.
    """

    kind: str = ""
    person: str = ""
    players: int = 0
    since_ms: int = 0

    @property
    def where(self) -> tuple[str, tuple[object, ...]]:
        """The SQL condition on a game `g`, and its parameters. Games that don't count are always excluded."""
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
    """Totals: games, people, milliseconds played, and when the first and the last game ended."""

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
    """The statistics of one person over all chosen games.

    *wins* is the share of won games among the games with a winner. *chance* is the number of wins to expect if all
    players won equally often. *turn_ms* is the mean time of *turns* steps. *rating* is computed from all games of the
    kind, without the other filters; it is None until there are `RATED_FROM` games.
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
    """The result of one seat: whether it won, and its points. The points are None if the game has none.

    A player who *left* early has neither.
    """

    won: bool
    total: int | None
    left: bool = False


@dataclass(frozen=True)
class Meeting:
    """The results of two people against each other, over the *games* in which both were ranked.

    In *ahead* of these games the first person was ahead, and in *level* of them both shared a place.
    """

    person: str
    name: str
    games: int
    ahead: int
    level: int

    @property
    def behind(self) -> int:
        """The number of games in which the other person was ahead."""
        return self.games - self.ahead - self.level


@dataclass(frozen=True)
class SideResult:
    """How often a side won, and how often it would win by chance.

    A side is a colour, or a position in the order of turns.
    """

    name: str
    wins: ShareInterval
    chance: float


@dataclass(frozen=True)
class Lengths:
    """The lengths of games, in milliseconds, for one kind and number of players, or for all.

    Games without a clock are left out.
    """

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
    """The time spent in one step of a kind of game: *ms* milliseconds, in *times* occurrences in *games* games."""

    kind: str
    step: str
    games: int
    times: int
    ms: int


@dataclass(frozen=True)
class Best:
    """A record, such as the highest score.

    *word* is the kind of record, *value* its value, and *names* are the names of the players. *game* is the number of
    the game.
    """

    kind: str
    word: str
    value: int
    names: tuple[str, ...]
    game: int
    ended_ms: int
