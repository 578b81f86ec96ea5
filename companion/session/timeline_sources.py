"""Fill a timeline: from the stored events of a ledger, or from a record, for which the rules decide each line again."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping

from companion.events.table_events import EventEntry, LineDone, LineUndone, Stored
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line, shown
from companion.kernel.i18n import said
from companion.model.game import AnyGame
from companion.model.snapshot import TranscriptLine
from companion.records import RecordError, game_of, opened, reason_of
from companion.session.state import as_transcript_line
from companion.session.timeline import UNDO, Timeline

Begin = Callable[[AnyGame, Line], Timeline]
"""A function that begins the timeline of a game from its header."""


def add_entries(timeline: Timeline, entries: Iterable[EventEntry]) -> None:
    """Add the lines of a game from the ledger, or raise `Malformed` at the first line that doesn't fit."""
    for entry in entries:
        match entry.event:
            case LineUndone() as undo:
                timeline.undo(TranscriptLine(entry.id, UNDO, entry.who, entry.via, entry.at_ms, note=undo.note or ""))
            case LineDone() as line:
                timeline.line(as_transcript_line(entry, line), _packed(timeline.game, line))


def settled(timeline: Timeline) -> Timeline:
    """Exclude all present objects from garbage collection, which would delay later steps, and return *timeline*."""
    gc.collect()
    gc.freeze()
    return timeline


def of_record(games: Mapping[str, AnyGame], lines: Iterable[tuple[int, Line]], begin: Begin) -> Timeline:
    """Return the timeline of a record's numbered *lines*, header first, without storing it.

    Raises `RecordError` for the first wrong line, like an import.
    """
    numbered = iter(lines)
    number, header = next(numbered)
    try:
        timeline = begin(_known(games, header), header)
    except Malformed as fault:
        raise RecordError(number, None, fault.reason) from None
    for number, line in numbered:
        try:
            _play(timeline, number, line)
        except (Malformed, Refused) as fault:
            do = line.get("do")
            raise RecordError(number, do if isinstance(do, str) else None, fault.reason) from None
    return settled(timeline)


def _known(games: Mapping[str, AnyGame], header: Line) -> AnyGame:
    name, _ = game_of(header)
    if name not in games:
        raise Malformed(said("There's no game called %(name)s here.", name=shown(name)))
    return games[name]


def _play(timeline: Timeline, number: int, line: Line) -> None:
    envelope, bare = opened(line)
    who, via = "import", envelope.via or "import"
    if bare.get("do") == "undo":
        return timeline.undo(TranscriptLine(number, UNDO, who, via, envelope.at or 0, note=reason_of(line) or ""))
    events = timeline.game.decide(timeline.newest, timeline.game.parse(bare))
    entry = TranscriptLine(number, bare, who, via, envelope.at or 0, note=envelope.note or "")
    return timeline.line(entry, map(timeline.game.pack, events))


def _packed(game: AnyGame, line: LineDone) -> Iterable[Line]:
    return line.events.lines if isinstance(line.events, Stored) else map(game.pack, line.events)
