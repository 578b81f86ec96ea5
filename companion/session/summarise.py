"""A game of the ledger in short, from its rows alone: for statistics over many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.events.table_events import Entry, LineDone, LineUndone, Turn
from companion.model.game import AnyGame, Result, Seat
from companion.model.people import persons, ranks
from companion.model.snapshot import DEMO, GameEntry, Status
from companion.session.line_reducer import evolved
from companion.session.time_report import Spell, spells
from companion.statistics.summary import Seated, Summary


def counts(entry: GameEntry, via: str) -> bool:
    """Tell whether a game may count: it ended, and was not begun as a demo."""
    return entry.status is Status.FINISHED and via != DEMO


def summary_of(game: AnyGame, entry: GameEntry, entries: Sequence[Entry]) -> Summary:
    """Return a game that ended in short, from all its *entries*, or raise `Malformed` where one cannot be read."""
    lines = _standing(entries)
    state = game.start(entry.header)
    for line in lines:
        state = evolved(game, state, line)
    result, end = game.result(state), [each for each in entries if each.event is Turn.FINISHED][-1]
    if result is None:
        return listed(entry)
    # Without a clock, as in a record that tells no times, there is no time to be told of.
    took = spells(entries, end.at_ms) if end.at_ms else ()
    return Summary(
        number=entry.id,
        kind=entry.name,
        began_ms=round(entry.began * 1000),
        ended_ms=end.wall_ms,
        counted=True,
        seats=_seats(game.seats(state), result, took),
        ms=end.at_ms or None,
        moves=len(lines),
        draws=0 if game.ring is None else sum(len(game.ring.out(line.line)) for line in lines),
        margin=_margin(result),
        steps=_steps(took),
    )


def _standing(entries: Iterable[Entry]) -> list[LineDone]:
    """Return the lines that were not taken back, oldest first."""
    lines: list[LineDone] = []
    for entry in entries:
        match entry.event:
            case LineDone() as line:
                lines.append(line)
            case LineUndone():
                lines.pop()
    return lines


def listed(entry: GameEntry) -> Summary:
    """Return what a game's header says of it, nothing of which counts."""
    players = [(str(each["colour"]), str(each["name"])) for each in _players(entry)]
    known = persons(players)
    seats = tuple(Seated(place, colour, name, known[place]) for place, (colour, name) in enumerate(players))
    began, last = round(entry.began * 1000), round(entry.last * 1000)
    return Summary(entry.id, entry.name, began, last, False, seats, moves=entry.lines)


def _players(entry: GameEntry) -> list[Mapping[str, object]]:
    players = entry.header.get("players", ())
    return [each for each in players if isinstance(each, Mapping) and {"colour", "name"} <= each.keys()]


def _seats(seats: Sequence[Seat], result: Result, took: Iterable[Spell]) -> tuple[Seated, ...]:
    colours = [seat.colour for seat in seats]
    known = persons([(seat.colour, seat.name) for seat in seats])
    first = colours.index(result.first) if result.first in colours else None
    places = ranks(colours, result.winners, result.totals) if result.winners else {}
    times = {colour: [each.by_seat[colour] for each in took if colour in each.by_seat] for colour in colours}
    return tuple(
        Seated(
            place=place,
            colour=seat.colour,
            name=seat.name,
            person=known[place],
            turn=None if first is None else (place - first) % len(seats) + 1,
            won=seat.colour in result.winners if result.winners else None,
            rank=places.get(seat.colour),
            total=result.totals.get(seat.colour),
            ms=sum(times[seat.colour]),
            turns=len(times[seat.colour]),
        )
        for place, seat in enumerate(seats)
    )


def _margin(result: Result) -> int | None:
    """Return by how many points the first was ahead of the second, 0 for a tie that something else decided."""
    totals = sorted(result.totals.values(), reverse=True)
    return totals[0] - totals[1] if result.winners and len(totals) > 1 else None


def _steps(took: Iterable[Spell]) -> dict[str, tuple[int, int]]:
    steps: dict[str, tuple[int, int]] = {}
    for each in took:
        times, ms = steps.get(each.step, (0, 0))
        steps[each.step] = (times + 1, ms + each.ms)
    return steps
