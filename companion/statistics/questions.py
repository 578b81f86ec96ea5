"""Queries over many games. They read the file of summaries, which is fast enough for a page."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any, TypeVar

from companion.statistics.answers import (
    CLOSEST,
    HIGHEST,
    LONGEST,
    SHORTEST,
    Best,
    Filter,
    Lengths,
    Meeting,
    Person,
    Rated,
    SeatResult,
    SideResult,
    StageTime,
    StatisticsTally,
)
from companion.statistics.interval import share
from companion.statistics.rating import Rating
from companion.statistics.store import EVERY_KIND, SummaryStore

T = TypeVar("T")
RATED_FROM = 5
"""A rating is shown after this many games. Before that it depends mostly on the initial value."""
MOST_CACHED = 16
"""The maximum number of cached answers."""
LISTED = 200
"""The maximum number of people in one list. Those who played most come first."""


class Questions:
    """Queries over the summaries of games. Results are cached until a game is added or changed."""

    def __init__(self, store: SummaryStore) -> None:
        self._store = store
        self._known: dict[object, tuple[int, Any]] = store.answers

    def foresee(self, first: int) -> None:
        """Cache the answers that pages need most, for all games and for each kind, so that the pages open fast.

        Meetings are cached only for the first people in each list; *first* is their number.
        """
        self.names()
        self.player_counts()
        for chosen in (Filter(), *(Filter(kind) for kind in self.kinds())):
            asked = (self.tally, self.colours, self.turns, self.durations, self.lengths, self.stages, self.records)
            for ask in asked:
                ask(chosen)
            for each in self.people(chosen)[:first]:
                self.meetings(each.person, chosen)

    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of the games that count, most played first."""
        query = "SELECT kind FROM game WHERE counted GROUP BY kind ORDER BY count(*) DESC, kind"
        return self._answer("kinds", lambda ask: tuple(kind for (kind,) in ask(query)))

    def player_counts(self) -> tuple[int, ...]:
        """Return the numbers of players of the games that count."""
        query = "SELECT DISTINCT players FROM game WHERE counted AND players > 0 ORDER BY players"
        return self._answer("counts", lambda ask: tuple(count for (count,) in ask(query)))

    def names(self) -> tuple[tuple[str, str], ...]:
        """Return the key and the name of each person in games that count, sorted by number of games, largest first."""
        query = (
            "SELECT s.person, s.name, max(g.ended) FROM seat AS s JOIN game AS g ON g.number = s.game "  # noqa: S608
            f"WHERE g.counted AND s.person <> '' GROUP BY s.person ORDER BY count(*) DESC, s.person LIMIT {LISTED}"
        )
        return self._answer("names", lambda ask: tuple((person, name) for person, name, _ in ask(query)))

    def tally(self, chosen: Filter) -> StatisticsTally:
        """Return the totals of the chosen games."""
        where, values = chosen.where
        games = (
            "SELECT count(*), coalesce(sum(ms), 0), count(ms), coalesce(sum(draws), 0), "  # noqa: S608
            f"coalesce(min(ended), 0), coalesce(max(ended), 0) FROM game AS g WHERE {where}"
        )
        people = (
            "SELECT count(DISTINCT s.person) FROM game AS g JOIN seat AS s ON s.game = g.number "  # noqa: S608
            f"WHERE {where} AND s.person <> ''"
        )

        def answer(ask: _Ask) -> StatisticsTally:
            (count, ms, timed, draws, first, last), (persons,) = ask(games, *values)[0], ask(people, *values)[0]
            return StatisticsTally(count, persons, ms, timed, draws, first, last)

        return self._answer(("tally", chosen), answer)

    def people(self, chosen: Filter) -> tuple[Person, ...]:
        """Return the statistics of all people in the chosen games, sorted by number of games, largest first."""
        where, values = chosen.where
        query = (
            "SELECT s.person, s.name, max(g.ended), count(*), count(s.won), coalesce(sum(s.won), 0), "  # noqa: S608
            "coalesce(sum(CASE WHEN s.won IS NOT NULL THEN 1.0 / g.players END), 0), sum(s.turns), sum(s.ms) "
            f"FROM game AS g JOIN seat AS s ON s.game = g.number WHERE {where} AND s.person <> '' "
            f"GROUP BY s.person ORDER BY count(*) DESC, s.person LIMIT {LISTED}"
        )

        def answer(ask: _Ask) -> tuple[Person, ...]:
            found = ask(query, *values)
            names = {row[0]: row[1] for row in found}
            rivals = _rivals(ask, chosen, names)
            return tuple(_person(ask, chosen.kind, row, rivals.get(row[0])) for row in found)

        return self._answer(("people", chosen), answer)

    def meetings(self, person: str, chosen: Filter) -> tuple[Meeting, ...]:
        """Return the results of *person* against each other person in the chosen games, those met most often first."""
        where, values = chosen.where
        query = (
            "SELECT b.person, b.name, max(g.ended), count(*), sum(a.rank < b.rank), sum(a.rank = b.rank) "  # noqa: S608
            "FROM seat AS a JOIN game AS g ON g.number = a.game "
            "JOIN seat AS b ON b.game = a.game AND b.place <> a.place "
            f"WHERE a.person = ? AND b.person <> '' AND a.rank IS NOT NULL AND b.rank IS NOT NULL AND {where} "
            f"GROUP BY b.person ORDER BY count(*) DESC, b.person LIMIT {LISTED}"
        )

        def answer(ask: _Ask) -> tuple[Meeting, ...]:
            return tuple(
                Meeting(other, name, games, ahead, level)
                for other, name, _, games, ahead, level in ask(query, person, *values)
            )

        return self._answer(("meetings", person, chosen), answer)

    def curve(self, person: str, kind: str = EVERY_KIND) -> tuple[Rated, ...]:
        """Return a person's rating after each game, over all kinds of games or for one."""
        query = "SELECT nth, ended, mu, sigma FROM rating WHERE kind = ? AND person = ? ORDER BY nth"
        return self._answer(("curve", person, kind), lambda ask: tuple(_rated(row) for row in ask(query, kind, person)))

    def colours(self, chosen: Filter) -> tuple[SideResult, ...]:
        """Return how often each colour won, most played first."""
        return self._sides("s.colour", "count(*) DESC, s.colour", chosen)

    def own_colours(self, person: str, chosen: Filter) -> tuple[SideResult, ...]:
        """Return how often a person won with each colour."""
        return self._sides("s.colour", "count(*) DESC, s.colour", chosen, person)

    def own_kinds(self, person: str, chosen: Filter) -> tuple[SideResult, ...]:
        """Return how often a person won games of each kind."""
        return self._sides("g.kind", "count(*) DESC, g.kind", chosen, person)

    def turns(self, chosen: Filter) -> tuple[SideResult, ...]:
        """Return how often the player won who had the first turn, the second turn, and so on."""
        return self._sides("s.turn", "s.turn", chosen)

    def _sides(self, what: str, order: str, chosen: Filter, person: str = "") -> tuple[SideResult, ...]:
        where, values = chosen.where
        if person:
            where, values = f"{where} AND s.person = ?", (*values, person)
        query = (
            f"SELECT {what}, count(*), sum(s.won), sum(1.0 / g.players) FROM game AS g "  # noqa: S608
            f"JOIN seat AS s ON s.game = g.number WHERE {where} AND s.won IS NOT NULL AND {what} IS NOT NULL "
            f"GROUP BY {what} ORDER BY {order} LIMIT 12"
        )

        def answer(ask: _Ask) -> tuple[SideResult, ...]:
            return tuple(
                SideResult(str(name), share(won, n), chance / n) for name, n, won, chance in ask(query, *values)
            )

        return self._answer((what, person, chosen), answer)

    def durations(self, chosen: Filter) -> tuple[int, ...]:
        """Return the length of each game with a clock, in milliseconds, shortest first."""
        where, values = chosen.where
        query = f"SELECT ms FROM game AS g WHERE {where} AND ms IS NOT NULL ORDER BY ms"  # noqa: S608
        return self._answer(("durations", chosen), lambda ask: tuple(ms for (ms,) in ask(query, *values)))

    def lengths(self, chosen: Filter) -> tuple[Lengths, ...]:
        """Return the lengths of games, by kind and number of players."""
        where, values = chosen.where
        query = f"SELECT kind, players, ms FROM game AS g WHERE {where} AND ms IS NOT NULL ORDER BY kind, players, ms"  # noqa: S608

        def answer(ask: _Ask) -> tuple[Lengths, ...]:
            grouped: dict[tuple[str, int], list[int]] = {}
            for kind, players, ms in ask(query, *values):
                grouped.setdefault((kind, players), []).append(ms)
            return tuple(_lengths(kind, players, found) for (kind, players), found in grouped.items())

        return self._answer(("lengths", chosen), answer)

    def stages(self, chosen: Filter) -> tuple[StageTime, ...]:
        """Return the time spent, by kind and step, longest first."""
        where, values = chosen.where
        query = (
            "SELECT g.kind, t.word, count(*), sum(t.times), sum(t.ms) FROM game AS g "  # noqa: S608
            f"JOIN step AS t ON t.game = g.number WHERE {where} GROUP BY g.kind, t.word ORDER BY sum(t.ms) DESC"
        )
        return self._answer(("stages", chosen), lambda ask: tuple(StageTime(*row) for row in ask(query, *values)))

    def records(self, chosen: Filter) -> tuple[Best, ...]:
        """Return for each kind of game the highest score, and the longest, shortest and closest game."""

        def answer(ask: _Ask) -> tuple[Best, ...]:
            where, values = chosen.where
            kinds = ask(f"SELECT kind FROM game AS g WHERE {where} GROUP BY kind ORDER BY count(*) DESC, kind", *values)  # noqa: S608
            found = (_record(ask, chosen, kind, word) for (kind,) in kinds for word in _RECORDS)
            return tuple(each for each in found if each is not None)

        return self._answer(("records", chosen), answer)

    def listed(self, chosen: Filter, before: int, most: int, counted: bool = False) -> tuple[tuple[int, ...], int]:
        """Return the numbers of the newest *most* chosen games, and the count of all chosen games.

        Only games with numbers below *before* are returned. Games that do not count are included unless *counted* is
        true.
        """
        where, values = chosen.where
        where = where if counted else where.replace("g.counted", "1", 1)
        query = f"SELECT number FROM game AS g WHERE {where} AND number < ? ORDER BY number DESC LIMIT ?"  # noqa: S608
        whole = f"SELECT count(*) FROM game AS g WHERE {where}"  # noqa: S608

        def answer(ask: _Ask) -> tuple[tuple[int, ...], int]:
            return tuple(number for (number,) in ask(query, *values, before, most)), ask(whole, *values)[0][0]

        return self._answer(("listed", chosen, before, most, counted), answer)

    def results(self, games: Sequence[int]) -> Mapping[int, tuple[SeatResult, ...]]:
        """Return for each of *games* that counts the result of each seat."""
        query = (
            "SELECT s.game, s.won, s.total, s.left FROM seat AS s JOIN game AS g ON g.number = s.game"  # noqa: S608
            f" WHERE g.counted AND s.game IN ({', '.join('?' * len(games))}) ORDER BY s.game, s.place"
        )

        def answer(ask: _Ask) -> Mapping[int, tuple[SeatResult, ...]]:
            found: dict[int, tuple[SeatResult, ...]] = {}
            for game, won, total, left in ask(query, *games):
                found[game] = (*found.get(game, ()), SeatResult(bool(won), total, bool(left)))
            return found

        return self._answer(("results", tuple(games)), answer)

    def _answer(self, key: object, answer: Callable[[_Ask], T]) -> T:
        revision = self._store.revision
        held = self._known.get(key)
        if held is not None and held[0] == revision:
            known: T = held[1]
            return known
        with self._store.asking() as connection:
            found = answer(partial(_asked, connection))
        while len(self._known) >= MOST_CACHED * 12:
            self._known.pop(next(iter(self._known)), None)
        self._known[key] = (revision, found)
        return found


_Ask = Callable[..., list[tuple[Any, ...]]]


def _asked(connection: sqlite3.Connection, query: str, *values: object) -> list[tuple[Any, ...]]:
    return connection.execute(query, values).fetchall()


def _rated(row: Sequence[Any]) -> Rated:
    nth, ended, mu, sigma = row
    return Rated(nth, ended, Rating(mu, sigma))


def _person(ask: _Ask, kind: str, row: Sequence[Any], rival: Meeting | None) -> Person:
    person, name, _, games, decided, won, chance, turns, ms = row
    newest = "SELECT nth, ended, mu, sigma FROM rating WHERE kind = ? AND person = ? ORDER BY nth DESC LIMIT 1"
    found = [_rated(each) for each in ask(newest, kind, person)]
    rating = found[0] if found and found[0].nth >= RATED_FROM else None
    return Person(person, name, games, share(won, decided), chance, turns, ms / turns if turns else 0.0, rating, rival)


def _rivals(ask: _Ask, chosen: Filter, names: dict[str, str]) -> dict[str, Meeting]:
    """Return for each person the results against the person met most often.

    If several people were met equally often, it is the one with the most balanced results.
    """
    where, values = chosen.where
    query = (
        "SELECT a.person, b.person, count(*), sum(a.rank < b.rank), sum(a.rank = b.rank) FROM game AS g "  # noqa: S608
        "JOIN seat AS a ON a.game = g.number JOIN seat AS b ON b.game = g.number AND b.place <> a.place "
        f"WHERE {where} AND a.person <> '' AND b.person <> '' "
        "AND a.rank IS NOT NULL AND b.rank IS NOT NULL GROUP BY a.person, b.person"
    )
    found: dict[str, Meeting] = {}
    for person, other, games, ahead, level in ask(query, *values):
        called: str = names.get(str(other), str(other))
        meeting = Meeting(other, called, games, ahead, level)
        if person not in found or _rivalry(meeting) > _rivalry(found[person]):
            found[person] = meeting
    return found


def _rivalry(meeting: Meeting) -> tuple[int, int, str]:
    return meeting.games, -abs(meeting.ahead - meeting.behind), meeting.person


def _lengths(kind: str, players: int, ms: Sequence[int]) -> Lengths:
    half = len(ms) // 2
    lower, upper = (ms[:half] or ms), (ms[-half:] if half else ms)
    return Lengths(kind, players, len(ms), ms[0], median(lower), median(ms), median(upper), ms[-1])


_RECORDS = {
    HIGHEST: ("s.total", "s.total DESC", "JOIN seat AS s ON s.game = g.number"),
    LONGEST: ("g.ms", "g.ms DESC", ""),
    SHORTEST: ("g.ms", "g.ms", ""),
    CLOSEST: ("g.margin", "g.margin", ""),
}


def _record(ask: _Ask, chosen: Filter, kind: str, word: str) -> Best | None:
    """Return the record *word* of a kind of game. If several games have the same value, the earliest is returned."""
    where, values = chosen.where
    value, order, more = _RECORDS[word]
    who = "s.name" if more else "NULL"
    query = (
        f"SELECT {value}, g.number, g.ended, {who} FROM game AS g {more} "  # noqa: S608
        f"WHERE {where} AND g.kind = ? AND {value} IS NOT NULL ORDER BY {order}, g.ended, g.number LIMIT 1"
    )
    found = ask(query, *values, kind)
    if not found:
        return None
    best, number, ended, name = found[0]
    everybody = "SELECT name FROM seat WHERE game = ? ORDER BY place"
    names = (name,) if name is not None else tuple(each for (each,) in ask(everybody, number))
    return Best(kind, word, best, names, number, ended)
