"""Summaries of games for statistics: how one is made from ledger rows, and a cache that is updated from the ledger."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from threading import Lock
from time import thread_time

from companion.events.table_events import EventEntry, Fate, LineDone, LineUndone, SeatLeft, SeatReturned
from companion.kernel.errors import Malformed
from companion.kernel.progress import ProgressWatch, unwatched
from companion.kernel.shown import shows
from companion.ledger import Ledger, LedgerFault
from companion.model.game import AnyGame, Result, Seat
from companion.model.people import persons, ranks
from companion.model.snapshot import DEMO, GameEntry, Status
from companion.session.line_reducer import evolved
from companion.session.repository import Repository
from companion.session.time_report import Spell, spells
from companion.statistics import Questions, Seated, Summary, SummaryStore, store_of


def counts(entry: GameEntry, via: str) -> bool:
    """Return whether a game counts in statistics: it is finished, and it did not begin as a demo."""
    return entry.status is Status.FINISHED and via != DEMO


def left_early(entries: Iterable[EventEntry]) -> frozenset[str]:
    """Return the seats that had left when the game was finished.

    For an unfinished game, return those that have left so far. Statistics, ratings, luck, exports and the pages after a
    game use this. Such a seat is marked and not rated.
    """
    away: frozenset[str] = frozenset()
    at_the_end: frozenset[str] | None = None
    for entry in entries:
        if isinstance(entry.event, SeatLeft):
            away = away | {entry.event.seat}
        elif isinstance(entry.event, SeatReturned):
            away = away - {entry.event.seat}
        elif entry.event is Fate.FINISHED:
            at_the_end = away
    return away if at_the_end is None else at_the_end


def summary_of(game: AnyGame, entry: GameEntry, entries: Sequence[EventEntry]) -> Summary:
    """Return the summary of a finished game from all its *entries*, or raise `Malformed` if one can't be read."""
    lines = _valid_lines(entries)
    state = game.start(entry.header)
    for line in lines:
        state = evolved(game, state, line)
    result, end = game.result(state), [each for each in entries if each.event is Fate.FINISHED][-1]
    if result is None:
        return listed(entry)
    # A game that was imported from a record without times has no durations.
    took = spells(entries, end.at_ms) if end.at_ms else ()
    return Summary(
        number=entry.id,
        kind=entry.name,
        began_ms=round(entry.began * 1000),
        ended_ms=end.wall_ms,
        counted=True,
        seats=_seats(game.seats(state), result, took, left_early(entries)),
        ms=end.at_ms or None,
        moves=len(lines),
        draws=0 if game.ring is None else sum(len(game.ring.out(line.line)) for line in lines),
        margin=_margin(result, left_early(entries)),
        steps=_steps(took),
    )


def _valid_lines(entries: Iterable[EventEntry]) -> list[LineDone]:
    """Return the lines that were not undone, oldest first."""
    lines: list[LineDone] = []
    for entry in entries:
        match entry.event:
            case LineDone() as line:
                lines.append(line)
            case LineUndone():
                lines.pop()
    return lines


def listed(entry: GameEntry) -> Summary:
    """Return a summary that doesn't count, from a game's header only."""
    players = [(str(each["colour"]), str(each["name"])) for each in _players(entry)]
    known = persons(players)
    seats = tuple(Seated(place, colour, name, known[place]) for place, (colour, name) in enumerate(players))
    began, last = round(entry.began * 1000), round(entry.last * 1000)
    return Summary(entry.id, entry.name, began, last, False, seats, moves=entry.lines)


def _players(entry: GameEntry) -> list[Mapping[str, object]]:
    players = entry.header.get("players", ())
    return [each for each in players if isinstance(each, Mapping) and {"colour", "name"} <= each.keys()]


def _seats(seats: Sequence[Seat], result: Result, took: Iterable[Spell], left: frozenset[str]) -> tuple[Seated, ...]:
    colours = [seat.colour for seat in seats]
    stayed = [colour for colour in colours if colour not in left]
    rated = result.winners and len(stayed) > 1  # a win against players who have left doesn't count
    known = persons([(seat.colour, seat.name) for seat in seats])
    first = colours.index(result.first) if result.first in colours else None
    won = [colour for colour in result.winners if colour in stayed]
    places = ranks(stayed, won, result.totals) if rated else {}
    times = {colour: [each.by_seat[colour] for each in took if colour in each.by_seat] for colour in colours}
    return tuple(
        Seated(
            place=place,
            colour=seat.colour,
            name=seat.name,
            person=known[place],
            turn=None if first is None else (place - first) % len(seats) + 1,
            won=seat.colour in won if rated and seat.colour in stayed else None,
            rank=places.get(seat.colour),
            total=result.totals.get(seat.colour) if seat.colour in stayed else None,
            ms=sum(times[seat.colour]),
            turns=len(times[seat.colour]),
            left=seat.colour in left,
        )
        for place, seat in enumerate(seats)
    )


def _margin(result: Result, left: frozenset[str]) -> int | None:
    """Return how many points the first player is ahead of the second.

    It is 0 if a tie was decided by something other than points.
    """
    totals = sorted((total for colour, total in result.totals.items() if colour not in left), reverse=True)
    return totals[0] - totals[1] if result.winners and len(totals) > 1 else None


def _steps(took: Iterable[Spell]) -> dict[str, tuple[int, int]]:
    steps: dict[str, tuple[int, int]] = {}
    for each in took:
        times, ms = steps.get(each.step, (0, 0))
        steps[each.step] = (times + 1, ms + each.ms)
    return steps


COMPARED = 8
"""The number of players in the table of results against each other. The players with the most games are chosen."""
PIECE = 10
"""The number of summaries that are written in one transaction."""


@shows("_store", "left", "fault")
class Summaries:
    """A cache with a summary of each game of a ledger, in a file in the ledger's folder.

    The ledger doesn't depend on it. It reads through its own connection, so it never blocks the table.
    """

    def __init__(self, ledger: Path, games: Mapping[str, AnyGame]) -> None:
        """Use the ledger at *ledger*. No file is opened yet."""
        self._ledger, self._games = ledger, games
        self._busy = Lock()
        self._store: SummaryStore | None = None
        self._opening = Lock()
        self.left = 0
        """The number of games still to be summarised."""
        self.fault = ""
        """Why the ledger could not be read at the last attempt; it is empty if it could."""

    @property
    def store(self) -> SummaryStore:
        """The file with the summaries, opened at the first use."""
        with self._opening:
            if self._store is None:
                self._store = store_of(self._ledger)
            return self._store

    @property
    def questions(self) -> Questions:
        """Queries over the games that have been summarised so far."""
        return Questions(self.store)

    def drop(self, game: int) -> None:
        """Delete the summary of one game and the ratings that depend on it. The next `catch_up` makes them again.

        Call this after a change of a game that isn't in its rows. It isn't needed for a changed name.
        """
        self.store.drop([game])

    def forget(self, games: Iterable[int]) -> None:
        """Delete the summaries of *games* without a trace, because a name in these games was changed or removed."""
        with suppress(sqlite3.Error):  # The next `catch_up` notices the changed names and deletes these summaries.
            self.store.drop(games)
            self.store.leave_no_trace()

    def close(self) -> None:
        """Close the file."""
        with self._opening:
            if self._store is not None:
                self._store.close()
                self._store = None

    def catch_up(self, rest: Callable[[float], object] = lambda took_s: None, watch: ProgressWatch = unwatched) -> None:
        """Summarise all games that have changed, and delete the summaries of games that no longer exist.

        *rest* is called after each game with the processor seconds it took, so that a background caller can pause.
        *watch* reports the progress. If the ledger can't be read, `fault` is set and the old summaries remain.
        """
        with self._busy:
            try:
                with closing(Ledger.read_only(self._ledger)) as ledger:
                    self._catch_up(ledger, rest, watch)
                self.fault = ""
            except (LedgerFault, sqlite3.Error) as fault:
                self.fault = str(fault)

    def _catch_up(self, ledger: Ledger, rest: Callable[[float], object], watch: ProgressWatch) -> None:
        store, there = self.store, ledger.marks()
        known = store.marks()
        changed = [game for game, mark in there.items() if known.get(game) != mark]
        # This is done first, because summarising takes a while and an outdated summary must not count during that time.
        store.drop(game for game in known if game not in there or known[game] != there[game])
        self.left = len(changed)
        for first in watch(range(0, len(changed), PIECE), -(-len(changed) // PIECE)):
            piece = changed[first : first + PIECE]
            store.put([self._looked_at(ledger, game, there[game], rest) for game in piece])
            while store.rate():
                pass
        self.left = 0
        self.questions.foresee(COMPARED)

    def _looked_at(
        self, ledger: Ledger, game: int, mark: bytes, rest: Callable[[float], object]
    ) -> tuple[Summary, bytes]:
        began = thread_time()
        found = self._summary(ledger, game)
        rest(thread_time() - began)
        self.left -= 1
        return found, mark

    def _summary(self, ledger: Ledger, number: int) -> Summary:
        """Return a game's summary.

        If the game is damaged, of an unknown kind, or doesn't count, the summary contains only the data for a list.
        """
        repository = Repository(ledger, self._games, Random(0))
        entry = repository.entry(number)
        if entry.damage or entry.name not in self._games or not counts(entry, repository.begun_by(number)):
            return listed(entry)
        try:
            return summary_of(self._games[entry.name], entry, repository.all_of(number))
        except (Malformed, LookupError):
            return listed(entry)
