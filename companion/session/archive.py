"""Reads past games: lists, records, histories, timelines, draws, luck, copies and calibrations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from itertools import chain
from pathlib import Path
from threading import Lock

from companion.events import packed
from companion.events.ring_rows import judgement_of
from companion.events.table_events import EventEntry, LineDone, LineUndone
from companion.fairness import GameDraws, LoggedDraw
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.progress import ProgressWatch, unwatched
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.ledger import Unreadable
from companion.luck import LuckReport, reckoned
from companion.model.boxes import Copy
from companion.model.game import AnyGame, Result, Viewer
from companion.model.snapshot import GameEntry, Snapshot, TranscriptLine, Who
from companion.ports.ring import Judgement, RingView
from companion.records import Origin
from companion.session.live_game import LiveGame, snapshot_of
from companion.session.logged_draws import game_draws
from companion.session.moves import RecordedMove, moves_in_memory, moves_of
from companion.session.night import night_of, written
from companion.session.reclassify import Rejudging, passages_of, rejudged
from companion.session.summaries import Summaries, left_early
from companion.session.time_report import Spell, spells
from companion.session.timeline import Begin, Timeline, add_entries, settled

TIMELINES = 3
"""The number of timelines that are cached, so that the next step of a replay doesn't read the ledger."""
REMEMBERED = 200
"""The number of games that can still be listed when the memory card can no longer be read."""


@dataclass(frozen=True)
class PartialGame:
    """A game up to its last readable row. *damage* says why later rows can't be read; it is empty if there are none.

    *final* is the final state, including hidden information. *left* are the seats that did not play to the end.
    """

    record: tuple[Line, ...]
    moves: tuple[RecordedMove, ...]
    snapshot: Snapshot
    final: Line
    damage: str
    spells: tuple[Spell, ...] = ()
    left: frozenset[str] = frozenset()
    origin: Origin = field(default_factory=Origin)
    """The game's identity, and its status at that row."""


@dataclass(frozen=True)
class TouchedGames:
    """The games that have rows after a given row, oldest first; the newest row of the ledger; and the game in play.

    *names* counts the changes of names, in all games.
    """

    last: int
    live: int | None
    games: tuple[int, ...]
    names: int = 0


@shows("_unlisted", "_timelines", "_games")
class Archive:
    """Reads the ledger of a live game. Nothing here changes what the table shows.

    Commands need the same lock. Therefore reads that take longer for long games, or for many games, use `_past`, which
    takes the lock for a hundred rows at a time. Short reads hold the lock and use `_repository`.
    """

    def __init__(self, live: LiveGame) -> None:
        """Read past games from the ledger of *live*, and its game in play from memory."""
        self._live = live
        self._ledger = live.ledger
        self._games = live.games
        self._lock = live.lock
        self._repository = live.repository
        self._past = live.repository.with_lock(live.lock)
        self.summaries = Summaries(live.ledger.path, live.games)
        self._folded: tuple[object, tuple[RecordedMove, ...]] = ((), ())
        self._listed: tuple[GameEntry, ...] = ()
        self._unlisted = ""
        self._timelines: dict[int, tuple[object, Timeline]] = {}
        self._reading = Lock()

    def history(self, before: int | None = None, most: int = 50) -> tuple[TranscriptLine, ...]:
        """Return up to *most* lines of the live game from rows below *before*, newest first, including undone lines."""
        with self._lock:
            if self._live.play is None:
                return ()
            end = self._ledger.last + 1 if before is None else before
            try:
                return self._repository.newest_lines(self._live.play.game_id, end, most)
            except Unreadable:
                return tuple(line for line in self._live.play.recent if line.id < end)[:most]

    def moves(self) -> tuple[RecordedMove, ...]:
        """Return the live game's moves, oldest first.

        If the card can't be read, only the moves in memory are returned.
        """
        with self._lock:
            play, last, names = self._live.play, self._ledger.last, self._live.names_changed
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
        # If the card can't be read, the last list is shown.
        try:
            self._listed = self._past.entries(self._live_id())
            self._unlisted = ""
        except Unreadable as fault:
            self._unlisted = fault.refusal
        return self._listed

    def games_before(self, before: int, most: int) -> tuple[GameEntry, ...]:
        """Return the newest *most* games of the ledger with numbers below *before*, the newest first."""
        return self._some(lambda: self._ledger.games_before(before, most), lambda each: each.id < before)[:most]

    def entries(self, games: Sequence[int]) -> tuple[GameEntry, ...]:
        """Return an entry in a list of games for each of these *games* of the ledger."""
        return self._some(lambda: games, lambda each: each.id in games)

    def entry(self, game_id: int) -> GameEntry | None:
        """Return the entry in a list of games for a game of the ledger, or None if no game has that number."""
        return next((each for each in self.games_before(game_id + 1, 1) if each.id == game_id), None)

    @property
    def game_count(self) -> int:
        """The number of games in the ledger."""
        with self._lock:
            try:
                return self._ledger.game_count
            except Unreadable:
                return len(self._listed)

    def _some(self, numbers: Callable[[], Sequence[int]], fits: Callable[[GameEntry], bool]) -> tuple[GameEntry, ...]:
        # If the card can't be read, the games that were listed before are shown.
        try:
            with self._lock:
                wanted = tuple(numbers())
            found = self._past.some(wanted, self._live_id())
            self._listed = tuple({each.id: each for each in (*self._listed, *found)}.values())[-REMEMBERED:]
            self._unlisted = ""
            return found
        except Unreadable as fault:
            self._unlisted = fault.refusal
            remembered = sorted(self._listed, key=lambda each: each.id, reverse=True)
            return tuple(filter(fits, remembered))

    def _live_id(self) -> int | None:
        play = self._live.play
        return None if play is None else play.game_id

    @property
    def unlisted(self) -> str:
        """Why the last list of games may be incomplete; it is empty if it is complete."""
        return self._unlisted

    @property
    def misnamed(self) -> tuple[str, ...]:
        """A sentence for each game read so far in which a name was changed by damage."""
        return self._ledger.misnamed

    def amiss(self) -> tuple[str, ...]:
        """Return a sentence for each game that can't be loaded, and for each copy or calibration that can't be read."""
        return (*self._past.amiss(), *self._live.settings.amiss)

    def record(self, game_id: int | None = None) -> Iterator[Line]:
        """Return the record of a game: its header, then every line, including `undo`. The default is the live game."""
        return self._record(game_id)[1]

    def exported(self, game_id: int | None = None) -> Iterator[Line]:
        """Return the record of a game for another program. Its header also contains `id`, `started` and `ended`."""
        number, record = self._record(game_id)
        with self._lock:
            try:
                origin = self._repository.origin(number)
            except Unreadable:
                origin = Origin()  # the card can't be read, but the record is in memory
        return chain([{**next(record), **origin.line()}], record)

    def _record(self, game_id: int | None) -> tuple[int, Iterator[Line]]:
        with self._lock:
            if self._live.transcript is not None and game_id in (None, self._live.transcript.game_id):
                return self._live.transcript.game_id, self._live.transcript.record()
        if game_id is None:
            raise Malformed(said("There's no game on the table."))
        return game_id, self._past.record(game_id)

    def transcript_lines(self, game_id: int) -> tuple[TranscriptLine, ...]:
        """Return every line of a game of the ledger, oldest first. Undone lines are marked."""
        return self._past.transcript_lines(game_id)

    def logged_draws(self, game_id: int) -> tuple[LoggedDraw, ...]:
        """Return every draw of a game of the ledger, oldest first, up to a damaged row."""
        return self.game_draws(game_id).draws

    def game_draws(self, game_id: int) -> GameDraws:
        """Return the draws of a game of the ledger, each with the stations under the ring, up to a damaged row."""
        game, header, entries = self._past.readable(game_id)
        try:
            return _drawn(game, game_id, header, entries)
        except Malformed:
            # A row is readable but invalid. To find it, all rows are folded, which takes longer.
            last = self._past.partial(game_id).last
            return _drawn(game, game_id, header, [entry for entry in entries if entry.id <= last])

    def newest_of(self, game_id: int) -> int | None:
        """Return the number of a game's newest row, or None if there is no game.

        Caches of the game are valid until it changes.
        """
        with self._lock:
            return self._ledger.newest_of(game_id)

    @property
    def newest_row(self) -> int:
        """The number of the ledger's newest row. Caches of all games are valid until it changes."""
        with self._lock:
            return self._ledger.last

    @property
    def names_changed(self) -> int:
        """How often names were changed, in all games. Caches that contain names are valid until it changes."""
        return self._live.names_changed

    def touched(self, since: int) -> TouchedGames:
        """Return the games with rows after row *since* (0 means all games), and the number of the newest row."""
        with self._lock:
            live = None if self._live.play is None else self._live.play.game_id
            return TouchedGames(self._ledger.last, live, self._ledger.touched(since), self._live.names_changed)

    def luck(self, game_id: int, watch: ProgressWatch = unwatched) -> LuckReport | None:
        """Return the luck report of a game of the ledger, up to a damaged row, or None if the game has no luck model.

        This takes up to a few seconds, but doesn't hold the table's lock for that time.
        """
        play, _, last, _ = self._past.partial(game_id)
        lines, left = self._past.lines(game_id, last), left_early(self._past.all_of(game_id, last))
        moves = (move for move in watch(moves_of(play.game, play.header, lines), len(lines)) if not move.line.undone)
        positions = ((move.line.id, move.line.line, move.before, move.after) for move in moves)
        report = reckoned(play.game, play.game.start(play.header), positions)
        stayed = None if report is None else report.without(left)
        return stayed if stayed is not None and stayed.seats else None

    def timeline(self, game_id: int, begin: Begin) -> Timeline:
        """Return a game of the ledger step by step, up to a damaged line.

        *begin* creates an empty timeline. Raises `Malformed` if the header can't be read.
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

    def partial(self, game_id: int) -> PartialGame:
        """Return a game of the ledger up to its last readable row, or raise `Malformed` if the header can't be read."""
        play, transcript, last, damage = self._past.partial(game_id)
        entries = self._past.all_of(game_id, last)
        with self._lock:
            origin = self._repository.origin(game_id, play.status)
        lines = [entry for entry in entries if isinstance(entry.event, LineDone | LineUndone)]
        seen = snapshot_of(play, (), "", RingView(), 0.0)
        final = play.game.view(play.state, Viewer(owner=True))
        moves, took = moves_of(play.game, play.header, lines), spells(entries, play.clock.game_ms)
        return PartialGame(tuple(transcript.record()), moves, seen, final, damage, took, left_early(entries), origin)

    def take_timelines(self, before: Archive) -> None:
        """Take over the cached timelines of *before*, an earlier archive.

        If a game has changed, its timeline is read again.
        """
        self._timelines = before._timelines

    def _read(self, game_id: int, timeline: Timeline) -> Timeline:
        """Fill *timeline* with the game's lines, up to a damaged line."""
        try:
            add_entries(timeline, self._past.each_line(game_id))
        except Malformed as fault:
            timeline.damage = fault.reason
        return settled(timeline)

    def night(self, target: Path) -> tuple[int, ...]:
        """Write the games of the newest night to a new ledger at *target*, and return their numbers.

        Raises `Refused` if the ledger can't be read or *target* can't be written. It reads through a connection of its
        own, so it doesn't block commands.
        """
        games = night_of(self.games())
        if games:
            written(self._ledger.path, games, target)
        return games

    def final(self, game_id: int) -> Line:
        """Return the final state of a game of the ledger as JSON, including hidden information."""
        play, _ = self._past.take_up(game_id)
        return play.game.view(play.state, Viewer(owner=True))

    def result(self, game_id: int) -> Result | None:
        """Return the result of a game of the ledger, or None if it has not ended."""
        play, _ = self._past.take_up(game_id)
        return play.game.result(play.state)

    def left(self, game_id: int) -> frozenset[str]:
        """Return the seats of a game of the ledger that did not play to the end."""
        return left_early(self._past.all_of(game_id))

    def people(self) -> Mapping[str, tuple[int, ...]]:
        """Return for each name the games in which it occurs, the newest first; 0 means rows outside of games."""
        with self._lock:
            return self._ledger.people()

    def games_of(self, name: str) -> tuple[int, ...]:
        """Return the games in which the name *name* occurs, in any spelling; 0 means rows outside of games."""
        with self._lock:
            return self._ledger.games_of(name)

    @property
    def known_games(self) -> Mapping[str, AnyGame]:
        """The rules of the games that this companion can play, by the name in a header."""
        return self._games

    def judge_again(self, game_id: int, judged: Callable[[Sequence[str]], Line | None], who: Who) -> Rejudging:
        """Judge the ring's passages of a game again, add the judgements to the ledger, and return the differences.

        *judged* is `Instrument.judged_again`: it judges the raw lines of one passage. No draw is changed.
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
        """Return how long each step of the live game has taken, oldest first; it is empty if the card can't be read."""
        with self._lock:
            play, last = self._live.play, self._ledger.last
        with suppress(Unreadable):
            if play is not None:
                return spells(self._past.all_of(play.game_id, last), play.clock.game_ms)
        return ()

    def copies(self) -> tuple[Copy, ...]:
        """Return the saved copies, the most recently used copy first."""
        with self._lock:
            return self._live.settings.copies

    def calibrations(self, copy: str) -> tuple[Line, ...]:
        """Return the saved calibrations of *copy*, oldest first."""
        with self._lock:
            return self._live.settings.calibrations(copy)


def _judgement(line: Line | None) -> Judgement | None:
    return None if line is None else judgement_of(line)


def _drawn(game: AnyGame, game_id: int, header: Line, entries: Sequence[EventEntry]) -> GameDraws:
    lines = [entry for entry in entries if isinstance(entry.event, LineDone | LineUndone)]
    return game_draws(game, game_id, moves_of(game, header, lines), entries)
