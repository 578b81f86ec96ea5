"""The league of a club: results from its merged ledger, corrected by its decisions, as ratings and as a table.

Ratings are computed as in the statistics (Plackett-Luce), from the games in the order in which they ended. Rows that
arrive late change them; `Collector.late` returns the tables whose rows have not all arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.club.collector import LEDGER
from companion.club.decisions import Decided
from companion.kernel.names import same_person
from companion.ledger import Ledger, LedgerFault
from companion.model.game import AnyGame
from companion.session.summaries import Summaries
from companion.statistics.rating import Rating, rated

_GAMES = "SELECT number, kind, ended FROM game WHERE counted ORDER BY ended, number"
_SEATS = """SELECT game, place, colour, name, rank, total, left FROM seat
    WHERE game IN (SELECT number FROM game WHERE counted) ORDER BY game, place"""


@dataclass(frozen=True)
class SeatResult:
    """One seat of a finished game. *rank* is None for a seat without a rank, such as that of a player who *left*."""

    place: int
    colour: str
    person: str
    rank: int | None
    total: int | None
    left: bool = False


@dataclass(frozen=True)
class Result:
    """A finished game of the club. *identity* is the same in every ledger."""

    identity: str
    kind: str
    ended_ms: int
    seats: tuple[SeatResult, ...]
    confirmed: bool = False
    corrected: bool = False
    dropped: bool = False


@dataclass(frozen=True)
class Standing:
    """A person in the league. *points* counts the players with a lower rank, summed over all games."""

    person: str
    games: int = 0
    wins: int = 0
    points: int = 0
    rating: Rating = field(default_factory=Rating)

    @property
    def sure(self) -> float:
        """A rating that this person almost certainly reaches: three standard deviations below the estimate."""
        return round(self.rating.mu - 3 * self.rating.sigma, 1)


def raw_results(folder: Path, games: Mapping[str, AnyGame]) -> tuple[Result, ...]:
    """Return the finished games in the ledger of the club in *folder*, oldest first, as the tables have them.

    It is empty if nothing was merged yet. Raises `LedgerFault` if the ledger can't be read.
    """
    if not (folder / LEDGER).exists():
        return ()
    with closing(Summaries(folder / LEDGER, games)) as summaries:
        summaries.catch_up()
        if summaries.fault:
            raise LedgerFault(summaries.fault)
        with summaries.store.asking() as ask:
            rows, seats = ask.execute(_GAMES).fetchall(), ask.execute(_SEATS).fetchall()
    by_game: dict[int, list[SeatResult]] = {}
    for game, place, colour, name, rank, total, left in seats:
        by_game.setdefault(game, []).append(SeatResult(place, colour, name, rank, total, bool(left)))
    with closing(Ledger.read_only(folder / LEDGER)) as ledger:
        return tuple(
            Result(ledger.game_identity(number), kind, ended, tuple(by_game.get(number, ())))
            for number, kind, ended in rows
        )


def results(raw: Iterable[Result], decided: Decided) -> tuple[Result, ...]:
    """Return the results, corrected by the decisions of the club."""
    return tuple(_decided(each, decided) for each in raw)


def _decided(result: Result, decided: Decided) -> Result:
    game, totals = result.identity, decided.totals.get(result.identity)
    seats = [replace(seat, person=decided.person(seat.person, game, seat.place)) for seat in result.seats]
    fits = totals is not None and len(totals) == len(seats)
    if totals is not None and fits:
        there = [total for seat, total in zip(seats, totals, strict=True) if not seat.left]
        seats = [
            seat if seat.left else replace(seat, total=total, rank=1 + sum(other > total for other in there))
            for seat, total in zip(seats, totals, strict=True)
        ]
    return replace(
        result,
        seats=tuple(seats),
        confirmed=game in decided.confirmed,
        corrected=fits,
        dropped=game in decided.dropped,
    )


def standings(played: Iterable[Result], kind: str = "") -> tuple[Standing, ...]:
    """Return the people in the league, best first, over all games or those of one *kind*."""
    found: dict[str, Standing] = {}
    for result in played:
        ranked = [seat for seat in result.seats if seat.rank is not None and seat.person and not seat.left]
        keys = [same_person(seat.person) for seat in ranked]
        if result.dropped or (kind and result.kind != kind) or len(ranked) < 2 or len(set(keys)) < len(keys):
            continue
        before = [found.get(key) or Standing(seat.person) for key, seat in zip(keys, ranked, strict=True)]
        ranks = [seat.rank or 0 for seat in ranked]
        after = rated([each.rating for each in before], ranks)
        for key, each, rank, rating in zip(keys, before, ranks, after, strict=True):
            behind = sum(other > rank for other in ranks)
            counts = (each.games + 1, each.wins + (rank == 1), each.points + behind)
            found[key] = Standing(each.person, *counts, rating)
    return tuple(sorted(found.values(), key=lambda each: (-each.sure, -each.points, each.person)))


def persons(played: Sequence[Result]) -> Mapping[str, int]:
    """Return every person with the number of their games, sorted by name."""
    found: dict[str, int] = {}
    for result in played:
        for seat in result.seats:
            if seat.person:
                found[seat.person] = found.get(seat.person, 0) + 1
    return dict(sorted(found.items(), key=lambda each: same_person(each[0])))
