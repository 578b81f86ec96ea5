"""Make the summary of a game from its ledger rows, for statistics over many games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.events.table_events import EventEntry, Fate, LineDone, LineUndone, SeatLeft, SeatReturned
from companion.model.game import AnyGame, Result, Seat
from companion.model.people import persons, ranks
from companion.model.snapshot import DEMO, GameEntry, Status
from companion.session.line_reducer import evolved
from companion.session.time_report import Spell, spells
from companion.statistics.summary import Seated, Summary


def counts(entry: GameEntry, via: str) -> bool:
    """Return whether a game counts in statistics: it must be finished, and not begun as a demo."""
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
