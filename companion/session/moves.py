"""A game as moves: each line with the state before and after it, including undone lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion.events.table_events import EventEntry, LineDone, LineUndone
from companion.kernel.validation import Line
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
    """Return the *lines* of a game as moves, oldest first, folded from their stored events."""
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

    They come from memory, not from the card, which may be unreadable.
    """
    states = [*(each.state for each in play.past[1:]), play.state]
    return tuple(RecordedMove(each.line, each.state, after) for each, after in zip(play.past, states, strict=False))
