"""A game as a list of moves: each line, including undone lines, with the states before and after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion.events.table_events import EventEntry, LineDone, LineUndone
from companion.kernel.fields import Line
from companion.model.game import AnyGame
from companion.model.snapshot import TranscriptLine
from companion.session.line_reducer import evolved
from companion.session.state import TableState, as_transcript_line


@dataclass(frozen=True)
class RecordedMove:
    """A line as a transcript shows it, with the states before and after it."""

    line: TranscriptLine
    before: Any
    after: Any


def moves_of(game: AnyGame, header: Line, lines: Iterable[EventEntry]) -> tuple[RecordedMove, ...]:
    """Fold the stored events of *lines* and return them as moves, oldest first."""
    entries = tuple(lines)
    undone = {entry.event.undoes: entry.event for entry in entries if isinstance(entry.event, LineUndone)}
    states, found = [game.start(header)], []
    for entry in entries:
        match entry.event:
            case LineUndone():
                states.pop()
            case LineDone() as line:
                states.append(evolved(game, states[-1], line))
                found.append(RecordedMove(as_transcript_line(entry, line, undone.get(entry.id)), *states[-2:]))
    return tuple(found)


def moves_in_memory(play: TableState) -> tuple[RecordedMove, ...]:
    """Return the newest moves that count, oldest first.

    They are read from memory, not from the card, which may be unreadable.
    """
    states = [*(each.state for each in play.past[1:]), play.state]
    return tuple(RecordedMove(each.line, each.state, after) for each, after in zip(play.past, states, strict=False))
