"""Sentences about a transaction.

Events of the game have the game's own sentences; events of the table have general ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.events.table_events import (
    Abandoned,
    ClockChanged,
    EventEntry,
    Fate,
    LineDone,
    LineUndone,
    PassageAsked,
    SeatLeft,
    SeatReady,
    SeatReturned,
    StepStarted,
    Stored,
)
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.said import all_of, said
from companion.model.game import AnyGame
from companion.model.speech import PAUSE, Utterance, Verbosity
from companion.records import RecordError, Replay, opened
from companion.session.state import Past, TableState
from companion.session.transaction import Happening
from companion.speech.moves import of_events, put_right, result, turn
from companion.speech.questions import question

# `utterances_of` yields all that the table would say during the game in a record.


def utterances_of(games: Mapping[str, AnyGame], lines: Iterable[tuple[int, Line]]) -> Iterator[Utterance]:
    """Yield the sentences about the numbered *lines* of a record, header first.

    Raises `RecordError` for an invalid line.
    """
    numbered = iter(lines)
    number, header = next(numbered)
    try:
        played = Replay(games, header)
        spoken: list[tuple[Utterance, ...]] = []
        for at, line in numbered:
            number = at  # reported in an exception
            yield from _utterances(played, opened(line)[1], spoken, line)
    except (Malformed, Refused) as fault:
        raise RecordError(number, None, fault.reason) from None


def _utterances(played: Replay, own: Line, spoken: list[tuple[Utterance, ...]], line: Line) -> Iterator[Utterance]:
    game, before = played.game, played.state
    if own.get("do") == "undo":
        played.play(line)
        yield from put_right(spoken.pop(), ())
    else:
        said_of, _ = of_events(game, before, game.decide(before, game.parse(own)))
        played.play(line)
        spoken.append(said_of)
        yield from said_of
    yield from _then(game, before, played.state)


def _then(game: AnyGame, before: Any, after: Any) -> Iterator[Utterance]:
    """Yield the announcement of the seat that must act, if a new step began, and the result at the end of the game."""
    if game.step(before) != game.step(after):
        yield from turn(game, after)
    if game.result(before) is None:
        yield from result(game, after)


def narrated(happening: Happening) -> tuple[Utterance, ...]:
    """Return all sentences about *happening*, in the order of speech. They contain no hidden information."""
    before, after = happening.before, happening.after
    if before is None or before.game_id != after.game_id:
        return turn(after.game, after.state)
    moves = _moves(before, happening.entries)
    around = [one for entry in happening.entries for one in _around(entry, after)]
    began = any(
        isinstance(each.event, ClockChanged) and isinstance(each.event.change, StepStarted)
        for each in happening.entries
    )
    return (*moves, *around, *(turn(after.game, after.state) if began else ()))


@dataclass
class _Lines:
    """Collects the sentences about the lines of a transaction: those about undone lines and those about new lines."""

    past: list[Past]
    state: Any
    gone: list[Utterance] = field(default_factory=list)
    new: list[Utterance] = field(default_factory=list)
    undone: bool = False

    def undo(self, game: AnyGame) -> None:
        """Undo the last line, unless it is no longer in memory."""
        self.undone = True
        if self.past:
            last = self.past.pop()
            self.gone = [*_said_of(game, last), *self.gone]
            self.state = last.state


def _moves(before: TableState, entries: Sequence[EventEntry]) -> tuple[Utterance, ...]:
    game, lines = before.game, _Lines(list(before.past), before.state)
    for entry in entries:
        if isinstance(entry.event, LineUndone):
            lines.undo(game)
        elif isinstance(entry.event, LineDone) and not isinstance(entry.event.events, Stored):
            utterances, lines.state = of_events(game, lines.state, entry.event.events)
            lines.new += utterances
    return put_right(lines.gone, lines.new) if lines.undone else tuple(lines.new)


def _said_of(game: AnyGame, past: Past) -> tuple[Utterance, ...]:
    """Return the sentences that were spoken about a line when it was played."""
    try:
        events = game.decide(past.state, game.parse(past.line.line))
    except (Malformed, Refused):
        return ()  # the line was played under an older version of the rules
    return of_events(game, past.state, events)[0]


def _left(after: TableState, names: Mapping[str, str]) -> tuple[Utterance, ...]:
    """Return a sentence about the players who left early. They have no result."""
    left = [names[colour] for colour in names if colour in after.absent]
    return (Utterance(said("%(names)s left early.", names=all_of(left)), ()),) if left else ()


def _around(entry: EventEntry, after: TableState) -> tuple[Utterance, ...]:  # one case per event, without nesting
    names = {seat.colour: seat.name for seat in after.game.seats(after.state)}
    match entry.event:
        case PassageAsked(asked):
            return question(asked, names, after.wanted)
        case ClockChanged(SeatReady(seat)):
            return (Utterance(said("%(name)s is ready.", name=names[seat]), (seat,), Verbosity.ALL),)
        case SeatLeft(seat):
            return (Utterance(said("%(name)s has left the table.", name=names[seat]), (seat,)),)
        case SeatReturned(seat):
            return (Utterance(said("%(name)s is back.", name=names[seat]), (seat,)),)
        case Abandoned():
            return (Utterance(said("The game stops here."), (), Verbosity.FEW, PAUSE),)
        case Fate.PAUSED:
            return (Utterance(said("Pause."), (), Verbosity.FEW, PAUSE),)
        case Fate.RESUMED:
            return (Utterance(said("On we go."), (), Verbosity.FEW, PAUSE),)
        case Fate.FINISHED:
            return (*result(after.game, after.state), *_left(after, names))
        case _:
            return ()
