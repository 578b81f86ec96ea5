"""A game that can be shown at any step, without all of its states in memory.

A usual game has a few hundred lines; a record may have a hundred thousand. The lines are compressed, and only every
16th state is stored. Other states are folded from the last stored state before them. For a long game the gaps are
larger, so that at most `MOST_STATES` states are stored.

A timeline is filled from the stored events of a ledger, or from a record, for which the rules decide each line again.
"""

from __future__ import annotations

import gc
import json
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from threading import Lock
from typing import Any, NamedTuple

from companion.events.table_events import EventEntry, LineDone, LineUndone, Stored
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line, shown
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.model.game import AnyGame, check_lots
from companion.model.snapshot import TranscriptLine
from companion.records import RecordError, game_of, opened, reason_of
from companion.session.state import as_transcript_line

EVERY = 16
"""The gap between stored states, in lines. It is doubled whenever there are more than `MOST_STATES` stored states."""
MOST_STATES = 2048
PACK = 64
"""The number of lines that are compressed together."""
UNPACKED = 8
LATELY = 16
"""The maximum number of cached decompressed packs, and of cached computed states."""
MOST_HIGHS = 5
RECENT = 12
"""The number of recent lines in a `Position`."""
UNDO: Mapping[str, Any] = {"do": "undo"}

Chapter = Callable[[Any], str]
Points = Callable[[Any], Mapping[str, int]]


class StepKind(StrEnum):
    """The kind of a step: the start of the game, a line, or an undo."""

    START = "start"
    LINE = "line"
    UNDO = "undo"


@dataclass(frozen=True)
class Position:
    """A game at one step: its line, the states before and after it, and the newest lines, newest first.

    *line* is the line of the step. For an undo it is the line that was undone, and *undoes* is the step of that line.
    *number* 0 is the start, which has no line. *gone* are the rows of those *recent* lines that were undone later.
    """

    number: int
    kind: StepKind
    line: TranscriptLine | None
    before: Any
    state: Any
    recent: tuple[TranscriptLine, ...] = ()
    undoes: int = 0
    gone: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Route:
    """The steps of a game in order.

    Other lists contain the steps with draws, the first steps of parts, and the steps with the largest gains of points.
    """

    steps: Sequence[int]
    draws: Sequence[int]
    parts: Sequence[int]
    highs: Sequence[int]

    def nearest(self, step: int) -> int:
        """Return the newest step of the route up to *step*."""
        return self.steps[max(0, bisect_right(self.steps, step) - 1)]


def before(steps: Sequence[int], step: int) -> int | None:
    """Return the last of *steps* before *step*, or None."""
    at = bisect_left(steps, step)
    return steps[at - 1] if at else None


def after(steps: Sequence[int], step: int) -> int | None:
    """Return the first of *steps* after *step*, or None."""
    at = bisect_right(steps, step)
    return steps[at] if at < len(steps) else None


class _Row(NamedTuple):
    """One line with its events, in the form that is compressed.

    *undoes* is the step that an undo undoes, or 0 for a line.
    """

    id: int
    line: Line
    who: str
    via: str
    at_ms: int
    ring: int | None
    note: str
    events: list[Line]
    undoes: int


@shows("_stored", "_lately", "_headings")
class Timeline:
    """One game from its start to its newest line. It is filled once by `line` and `undo`; then any thread may read it.

    *chapter* returns the heading of the part of the game that a state belongs to, and *points* the points of all seats.
    """

    def __init__(
        self, game: AnyGame, header: Line, chapter: Chapter | None = None, points: Points | None = None
    ) -> None:
        self.game, self.header = game, header
        self._chapter, self._points = chapter or (lambda state: ""), points or (lambda state: {})
        self.damage = ""
        """Why the timeline ends before the game does; it is empty if it is complete."""
        self._every = EVERY
        start = game.start(header)
        self._now = start
        self._stored: dict[int, Any] = {0: start}
        self._lately: OrderedDict[int, Any] = OrderedDict()
        # For each step: the first step with the same state, the step before that step, and the number of lines up to
        # it.
        self._same, self._parent, self._depth = array("L", [0]), array("L", [0]), array("L", [0])
        self._undone, self._draws, self._gains = bytearray(1), bytearray(1), array("l", [0])
        self._chapters, self._headings = array("L", [0]), {self._chapter(start): 0}
        self._packs: list[bytes] = []
        self._open: list[_Row] = []
        self._unpacked: OrderedDict[int, list[_Row]] = OrderedDict()
        self._notes: dict[int, str] = {}
        self._routes: dict[bool, Route] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """Return the number of steps after the start."""
        return len(self._same) - 1

    @property
    def newest(self) -> Any:
        """The state after the newest step."""
        return self._now

    def line(self, entry: TranscriptLine, events: Iterable[Line]) -> None:
        """Add a line with its packed *events*, or raise `Malformed` if they don't fit the game."""
        row = _Row(entry.id, entry.line, entry.who, entry.via, entry.at_ms, entry.ring, entry.note, list(events), 0)
        before, parent = self._now, self._same[-1]
        after = self._folded(before, row)
        self._add(row, len(self._same), parent, self._depth[-1] + 1)
        self._draws.append(bool(_out(self.game, entry.line)))
        self._gains.append(self._gained(before, after))
        heading = self._chapter(before)
        self._chapters.append(self._headings.setdefault(heading, len(self._headings)))
        self._continue_from(after)

    def undo(self, line: TranscriptLine) -> None:
        """Add an undo of the newest line that counts, or raise `Refused` if no line counts."""
        undone = self._same[-1]
        if undone == 0:
            raise Refused(said("There's nothing left to undo."))
        row = _Row(line.id, UNDO, line.who, line.via, line.at_ms, None, line.note, [], undone)
        back = self._parent[undone]
        self._add(row, back, self._parent[back], self._depth[back])
        self._undone[undone] = 1
        self._notes[undone] = line.note
        for marks in (self._draws, self._gains):
            marks.append(0)
        self._chapters.append(self._chapters[undone])
        self._now = self.state(back)

    def state(self, number: int) -> Any:
        """Return the state at step *number*."""
        at, path = self._same[number], []
        while (found := self._cached(at)) is None:
            path.append(at)
            at = self._parent[at]
        for step in reversed(path):
            found = self._folded(found, self._row(step))
        self._remember(self._same[number], found)
        return found

    def at(self, number: int) -> Position:
        """Return the game at step *number*, from 0 to the last."""
        if number == 0:
            start = self.state(0)
            return Position(0, StepKind.START, None, start, start)
        row = self._row(number)
        if row.undoes:
            line = self._transcript_line(row.undoes)
            before, after, (recent, gone) = self.state(row.undoes), self.state(number), self._recent(number)
            return Position(number, StepKind.UNDO, line, before, after, recent, row.undoes, gone)
        before, after, (recent, gone) = self.state(self._parent[number]), self.state(number), self._recent(number)
        return Position(number, StepKind.LINE, self._transcript_line(number), before, after, recent, 0, gone)

    def route(self, undone: bool = False) -> Route:
        """Return the steps of the game. Undone steps are included only if *undone* is true."""
        if undone not in self._routes:
            self._routes[undone] = self._route(undone)
        return self._routes[undone]

    def _route(self, undone: bool) -> Route:
        every = range(len(self._same))
        steps = array("L", every if undone else (at for at in every if self._same[at] == at and not self._undone[at]))
        draws = array("L", (step for step in steps if self._draws[step]))
        gains = sorted((-self._gains[step], step) for step in steps if self._gains[step] > 1)
        highs = array("L", sorted(step for _, step in gains[:MOST_HIGHS]))
        return Route(steps, draws, array("L", self._parts(steps)), highs)

    def _parts(self, steps: Iterable[int]) -> list[int]:
        """Return the first step of each part of the game; the result is empty if there is only one part."""
        found, last = [], -1
        for step in steps:
            if step and self._chapters[step] != last:
                found.append(step)
                last = self._chapters[step]
        return found if len(found) > 1 else []

    def _add(self, row: _Row, same: int, parent: int, depth: int) -> None:
        self._same.append(same)
        self._parent.append(parent)
        self._depth.append(depth)
        self._undone.append(0)
        self._open.append(row)
        if len(self._open) == PACK:
            self._packs.append(zlib.compress(json.dumps(self._open, separators=(",", ":")).encode(), 1))
            self._open.clear()

    def _continue_from(self, state: Any) -> None:
        """Make *state* the newest state, and store it if its depth is a multiple of the gap."""
        step, self._now = len(self._same) - 1, state
        if self._depth[step] % self._every:
            return self._remember(step, state)
        self._stored[step] = state
        if len(self._stored) > MOST_STATES:
            self._every *= 2
            self._stored = {at: stored for at, stored in self._stored.items() if self._depth[at] % self._every == 0}
        return None

    def _gained(self, before: Any, after: Any) -> int:
        had, has = self._points(before), self._points(after)
        return max((has[seat] - had.get(seat, 0) for seat in has), default=0)

    def _cached(self, step: int) -> Any | None:
        found = self._stored.get(step)
        return self._lately.get(step) if found is None else found

    def _remember(self, step: int, state: Any) -> None:
        with self._lock:
            self._lately[step] = state
            while len(self._lately) > LATELY:
                self._lately.popitem(last=False)

    def _folded(self, state: Any, row: _Row) -> Any:
        for event in row.events:
            state = self.game.evolve(state, self.game.unpack(event, state))
        return state

    def _row(self, step: int) -> _Row:
        pack, at = divmod(step - 1, PACK)
        if pack == len(self._packs):
            return self._open[at]
        found = self._unpacked.get(pack)
        if found is None:
            found = [_Row(*fields) for fields in json.loads(zlib.decompress(self._packs[pack]))]
            with self._lock:
                self._unpacked[pack] = found
                while len(self._unpacked) > UNPACKED:
                    self._unpacked.popitem(last=False)
        return found[at]

    def _transcript_line(self, step: int) -> TranscriptLine:
        row = self._row(step)
        note = self._notes.get(step, row.note)
        return TranscriptLine(row.id, row.line, row.who, row.via, row.at_ms, bool(self._undone[step]), row.ring, note)

    def _recent(self, step: int) -> tuple[tuple[TranscriptLine, ...], frozenset[int]]:
        """Return the newest lines that count at *step*, newest first, and the rows of those that were undone later.

        No line is marked as undone, because at that step it wasn't.
        """
        found, gone, at = list[TranscriptLine](), set[int](), self._same[step]
        while at and len(found) < RECENT:
            row = self._row(at)
            found.append(TranscriptLine(row.id, row.line, row.who, row.via, row.at_ms, False, row.ring, row.note))
            if self._undone[at]:
                gone.add(row.id)
            at = self._parent[at]
        return tuple(found), frozenset(gone)


def _out(game: AnyGame, line: Line) -> tuple[str, ...]:
    return () if game.ring is None else game.ring.out(line)


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
    check_lots(timeline.game, timeline.newest, bare)
    entry = TranscriptLine(number, bare, who, via, envelope.at or 0, note=envelope.note or "")
    return timeline.line(entry, map(timeline.game.pack, events))


def _packed(game: AnyGame, line: LineDone) -> Iterable[Line]:
    return line.events.lines if isinstance(line.events, Stored) else map(game.pack, line.events)
