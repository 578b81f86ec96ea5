"""What can be asked of the table's past: games and their records, copies and calibrations, judgements made again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from itertools import chain
from pathlib import Path
from random import Random
from threading import Lock

from companion.events import packed
from companion.events.table_events import EventEntry, LineDone, LineUndone
from companion.fairness import GameDraws, LoggedDraw
from companion.kernel.errors import Malformed, Refused
from companion.kernel.i18n import said
from companion.kernel.progress import ProgressWatch, unwatched
from companion.kernel.shown import shows
from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.ledger import Ledger, Unreadable
from companion.luck import LuckReport, reckoned
from companion.model.boxes import Copy
from companion.model.game import AnyGame, Result, Viewer
from companion.model.snapshot import GameEntry, Snapshot, TranscriptLine, Who
from companion.ports.ring import Judgement, RingView
from companion.records import Origin
from companion.ring.event_codec import judgement_of
from companion.session.logged_draws import game_draws
from companion.session.moves import RecordedMove, moves_in_memory, moves_of
from companion.session.night import night_of, written
from companion.session.preferences import Preferences
from companion.session.reclassify import Rejudging, passages_of, rejudged
from companion.session.repository import Repository
from companion.session.snapshot_of import snapshot_of
from companion.session.state import TableState
from companion.session.summaries import Summaries
from companion.session.summarise import left_early
from companion.session.time_report import Spell, spells
from companion.session.timeline import Timeline
from companion.session.timeline_sources import Begin, add_entries, settled
from companion.session.transcript import Transcript

TIMELINES = 3
"""So many games that were looked through last are not read again for their next step."""
REMEMBERED = 200
"""Games listed last that can still be listed where a card is dead."""


@dataclass(frozen=True)
class GameSoFar:
    """A game as far as its rows can be read: record, moves, times, how it stood; *damage* says why no further.

    *final* hides nothing from its owner, what a *snapshot* shows is for the pages to say. *left* are the seats that did
    not play to the end.
    """

    record: tuple[Line, ...]
    moves: tuple[RecordedMove, ...]
    snapshot: Snapshot
    final: Line
    damage: str
    spells: tuple[Spell, ...] = ()
    left: frozenset[str] = frozenset()
    origin: Origin = field(default_factory=Origin)
    """Which game it is, and how it stood then."""


@dataclass(frozen=True)
class TouchedGames:
    """The newest row of the ledger, the game on the table, and which games have rows after some row, oldest first.

    *names* is another number once names were changed, in whichever games.
    """

    last: int
    live: int | None
    games: tuple[int, ...]
    names: int = 0


@shows("_unlisted", "_timelines", "_games")
class Archive:
    """The ledger behind a table; what is asked here changes nothing that anybody sees.

    A command waits for the same lock. So what grows with a game, or with their number, goes through `_past`, which
    takes the lock for a piece at a time; only what is short is asked of `_repository`, under the lock.
    """

    def __init__(self, ledger: Ledger, games: Mapping[str, AnyGame], lots: Random) -> None:
        self._ledger = ledger
        self._games = games
        self._repository = Repository(ledger, games, lots)
        self._preferences = Preferences(ledger, games)
        self.summaries = Summaries(ledger.path, games)
        self._names_changed = 0
        self._lock = Lock()
        self._past = self._repository.beside(self._lock)
        self._folded: tuple[object, tuple[RecordedMove, ...]] = ((), ())
        self._play: TableState | None = None
        self._transcript: Transcript | None = None
        self._listed: tuple[GameEntry, ...] = ()
        self._unlisted = ""
        self._timelines: dict[int, tuple[object, Timeline]] = {}
        self._reading = Lock()

    def history(self, before: int | None = None, most: int = 50) -> tuple[TranscriptLine, ...]:
        """Return the live game's lines before row *before*, newest first, those taken back included."""
        with self._lock:
            if self._play is None:
                return ()
            end = self._ledger.last + 1 if before is None else before
            try:
                return self._repository.told(self._play.game_id, end, most)
            except Unreadable:
                return tuple(line for line in self._play.recent if line.id < end)[:most]

    def moves(self) -> tuple[RecordedMove, ...]:
        """Return the live game move by move, oldest first; the newest ones alone where the card cannot be read."""
        with self._lock:
            play, last, names = self._play, self._ledger.last, self._names_changed
        if play is None:
            return ()
        asked, known = (play.game_id, play.version, names), self._folded
        if known[0] == asked:
            return known[1]
        try:
            found = moves_of(play.game, play.header, self._past.lines(play.game_id, last))
        except Unreadable:
            return moves_in_memory(play)
        self._folded = asked, found
        return found

    def games(self) -> tuple[GameEntry, ...]:
        """Return the games of the ledger, the newest first."""
        # What a dead card holds stays as it was listed last.
        try:
            self._listed = self._past.entries(self._live())
            self._unlisted = ""
        except Unreadable as fault:
            self._unlisted = fault.refusal
        return self._listed

    def games_before(self, before: int, most: int) -> tuple[GameEntry, ...]:
        """Return the newest *most* games of the ledger before game *before*, the newest first."""
        return self._some(lambda: self._ledger.games_before(before, most), lambda each: each.id < before)[:most]

    def entries(self, games: Sequence[int]) -> tuple[GameEntry, ...]:
        """Return these games of the ledger for a list."""
        return self._some(lambda: games, lambda each: each.id in games)

    def entry(self, game_id: int) -> GameEntry | None:
        """Return one game of the ledger for a list, None where there is none of that number."""
        return next((each for each in self.games_before(game_id + 1, 1) if each.id == game_id), None)

    @property
    def game_count(self) -> int:
        """How many games the ledger holds."""
        with self._lock:
            try:
                return self._ledger.game_count
            except Unreadable:
                return len(self._listed)

    def _some(self, numbers: Callable[[], Sequence[int]], fits: Callable[[GameEntry], bool]) -> tuple[GameEntry, ...]:
        # What a dead card holds stays as it was listed last.
        try:
            with self._lock:
                wanted = tuple(numbers())
            found = self._past.some(wanted, self._live())
            self._listed = tuple({each.id: each for each in (*self._listed, *found)}.values())[-REMEMBERED:]
            self._unlisted = ""
            return found
        except Unreadable as fault:
            self._unlisted = fault.refusal
            kept = sorted(self._listed, key=lambda each: each.id, reverse=True)
            return tuple(filter(fits, kept))

    def _live(self) -> int | None:
        play = self._play
        return None if play is None else play.game_id

    @property
    def unlisted(self) -> str:
        """Why the newest list of games may lack some, empty where it has all: a short list must not pass for whole."""
        return self._unlisted

    @property
    def misnamed(self) -> tuple[str, ...]:
        """Which games, of those asked for so far, have a name that is not as it was written."""
        return self._ledger.misnamed

    def amiss(self) -> tuple[str, ...]:
        """Return why games that cannot be taken up cannot, and why a copy or a calibration is left out."""
        return (*self._past.amiss(), *self._preferences.amiss)

    def record(self, game_id: int | None = None) -> Iterator[Line]:
        """Return the record of a game, the live one if not said: its header, then every line, `undo` included."""
        return self._record(game_id)[1]

    def exported(self, game_id: int | None = None) -> Iterator[Line]:
        """Return the record of a game as it leaves the house: its header says which game it is and how it stands."""
        number, record = self._record(game_id)
        with self._lock:
            try:
                origin = self._repository.origin(number)
            except Unreadable:
                origin = Origin()  # a dead card: the record itself is in memory
        return chain([{**next(record), **origin.line()}], record)

    def _record(self, game_id: int | None) -> tuple[int, Iterator[Line]]:
        with self._lock:
            if self._transcript is not None and game_id in (None, self._transcript.game_id):
                return self._transcript.game_id, self._transcript.record()
        if game_id is None:
            raise Malformed(said("There's no game on the table."))
        return game_id, self._past.record(game_id)

    def told(self, game_id: int) -> tuple[TranscriptLine, ...]:
        """Return every line of a game of the ledger, oldest first, those taken back struck through."""
        return self._past.every_told(game_id)

    def logged_draws(self, game_id: int) -> tuple[LoggedDraw, ...]:
        """Return every draw of a game of the ledger, oldest first, as far as its rows can be read."""
        return self.game_draws(game_id).draws

    def game_draws(self, game_id: int) -> GameDraws:
        """Return all that a game of the ledger tells of draws, as far as its rows can be read."""
        game, header, entries = self._past.readable(game_id)
        try:
            return _drawn(game, game_id, header, entries)
        except Malformed:
            # A row is whole and yet leads nowhere: it is found by folding all that was done, which takes longer.
            last = self._past.partial(game_id).last
            return _drawn(game, game_id, header, [entry for entry in entries if entry.id <= last])

    def newest_of(self, game_id: int) -> int | None:
        """Return the newest row of a game, None where there is none: what is told of it stays the same until then."""
        with self._lock:
            return self._ledger.newest_of(game_id)

    @property
    def newest_row(self) -> int:
        """The newest row of the ledger: what is told of all games stays the same until there is another."""
        with self._lock:
            return self._ledger.last

    @property
    def names_changed(self) -> int:
        """Another number once names were changed, in whichever games."""
        return self._names_changed

    def touched(self, since: int) -> TouchedGames:
        """Return which games have rows after row *since*, and up to which row that is; of all games for nought."""
        with self._lock:
            live = None if self._play is None else self._play.game_id
            return TouchedGames(self._ledger.last, live, self._ledger.touched(since), self._names_changed)

    def luck(self, game_id: int, watch: ProgressWatch = unwatched) -> LuckReport | None:
        """Return what was luck and what was not in a game of the ledger, as far as its rows can be read.

        None for a game that does not tell. It costs up to some seconds, and holds up nobody at the table.
        """
        play, _, last, _ = self._past.partial(game_id)
        lines, left = self._past.lines(game_id, last), left_early(self._past.all_of(game_id, last))
        moves = (move for move in watch(moves_of(play.game, play.header, lines), len(lines)) if not move.told.undone)
        positions = ((move.told.id, move.told.line, move.before, move.after) for move in moves)
        report = reckoned(play.game, play.game.start(play.header), positions)
        stayed = None if report is None else report.without(left)
        return stayed if stayed is not None and stayed.seats else None

    def timeline(self, game_id: int, begin: Begin) -> Timeline:
        """Return a game of the ledger to be looked through step by step, as far as its lines can be read.

        *begin* begins a timeline. Raises `Malformed` where not even its header can be read.
        """
        with self._reading:
            begun, game, stamp = self._past.stamp(game_id)
            known = self._timelines.pop(game_id, None)
            if known is None or known[0] != stamp:
                known = stamp, self._read(game_id, begin(game, begun.header))
            self._timelines[game_id] = known
            for oldest in list(self._timelines)[:-TIMELINES]:
                del self._timelines[oldest]
        return known[1]

    def partial(self, game_id: int) -> GameSoFar:
        """Return a game of the ledger as far as its rows can be read, or raise `Malformed` where none can."""
        play, transcript, last, damage = self._past.partial(game_id)
        entries = self._past.all_of(game_id, last)
        with self._lock:
            origin = self._repository.origin(game_id, play.status)
        lines = [entry for entry in entries if isinstance(entry.event, LineDone | LineUndone)]
        seen = snapshot_of(play, (), "", RingView(), 0.0)
        final = play.game.view(play.state, Viewer(owner=True))
        moves, took = moves_of(play.game, play.header, lines), spells(entries, play.clock.game_ms)
        return GameSoFar(tuple(transcript.record()), moves, seen, final, damage, took, left_early(entries), origin)

    def _read(self, game_id: int, timeline: Timeline) -> Timeline:
        """Fill *timeline* with the game's lines, up to one that is damaged."""
        try:
            add_entries(timeline, self._past.each_line(game_id))
        except Malformed as fault:
            timeline.damage = fault.reason
        return settled(timeline)

    def night(self, target: Path) -> tuple[int, ...]:
        """Write the games of the newest night into a ledger at *target*, and return their numbers, none without one.

        Raises `Refused` while nothing can be kept or read. Nobody at the table is held up: it has a view of its own.
        """
        games = night_of(self.games())
        if games:
            written(self._ledger.path, games, target)
        return games

    def final(self, game_id: int) -> Line:
        """Return how a game of the ledger stands, by its stored events, as JSON that hides nothing from its owner."""
        play, _ = self._past.take_up(game_id)
        return play.game.view(play.state, Viewer(owner=True))

    def result(self, game_id: int) -> Result | None:
        """Return how a game of the ledger ended, None while it has not."""
        play, _ = self._past.take_up(game_id)
        return play.game.result(play.state)

    def left(self, game_id: int) -> frozenset[str]:
        """Return the seats of a game of the ledger that did not play it to its end."""
        return left_early(self._past.all_of(game_id))

    def people(self) -> Mapping[str, tuple[int, ...]]:
        """Return in which games each name stands, the newest first; 0 is for what was done outside of games."""
        with self._lock:
            return self._ledger.people()

    def games_of(self, name: str) -> tuple[int, ...]:
        """Return the games in which somebody is called *name*, in any spelling; with 0 for what was done outside."""
        with self._lock:
            return self._ledger.games_of(name)

    @property
    def shelf(self) -> Mapping[str, AnyGame]:
        """The games that can be kept here, by their names in a header."""
        return self._games

    def judge_again(self, game_id: int, judged: Callable[[Sequence[str]], Line | None], who: Who) -> Rejudging:
        """Judge the ring's passages of a game again, put that on record beside them, and tell what would be different.

        *judged* is what `Instrument.judged_again` says of raw lines. No draw
        is touched.
        """
        try:
            entries, draws = self._past.all_of(game_id), self._past.draws(game_id)
        except Unreadable as fault:
            raise Refused(fault.refusal) from fault
        again = {entry.id: _judgement(judged(event.raw)) for entry, event in passages_of(entries)}
        with self._lock:
            more = self._repository.judged_again(game_id, again, who)
            if more:
                self._ledger.append(tuple(map(packed, more)))
        return rejudged(game_id, entries, again, draws)

    def spells(self) -> tuple[Spell, ...]:
        """Return how long each step of the live game took so far, oldest first; none where the card cannot be read."""
        with self._lock:
            play, last = self._play, self._ledger.last
        with suppress(Unreadable):
            if play is not None:
                return spells(self._past.all_of(play.game_id, last), play.clock.game_ms)
        return ()

    def copies(self) -> tuple[Copy, ...]:
        """Return the copies that are kept, the one used last first."""
        with self._lock:
            return self._preferences.copies

    def calibrations(self, copy: str) -> tuple[Line, ...]:
        """Return the calibrations that are kept for *copy*, oldest first."""
        with self._lock:
            return self._preferences.calibrations(copy)


def _judgement(line: Line | None) -> Judgement | None:
    return None if line is None else judgement_of(line)


def _drawn(game: AnyGame, game_id: int, header: Line, entries: Sequence[EventEntry]) -> GameDraws:
    lines = [entry for entry in entries if isinstance(entry.event, LineDone | LineUndone)]
    return game_draws(game, game_id, moves_of(game, header, lines), entries)
