"""The games in the ledger: begin, load and list games, and read their records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from random import Random
from typing import NamedTuple

from companion.events import understood, unpacked
from companion.events.table_events import (
    Abandoned,
    Aside,
    Begun,
    Event,
    EventEntry,
    Fate,
    Judged,
    LineDone,
    LineUndone,
    RingEventReceived,
)
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.said import Said, said
from companion.kernel.shown import shows
from companion.ledger import Ledger, PagesDamaged, Row, RowKind, damaged
from companion.model.capabilities import RingWords
from companion.model.game import AnyGame
from companion.model.header import check_names, check_texts
from companion.model.snapshot import GameEntry, Notice, Status, TranscriptLine, Who
from companion.ports.ring import Judgement, RingEvent
from companion.records import ORIGIN, Origin, ended_as, game_of, origin_of
from companion.ring.draw_policy import RingPassage, passage_of, practised
from companion.ring.faults import worth_a_look
from companion.session.line_reducer import MISFITS, Deeper, misfit, past_of
from companion.session.reclassify import Out
from companion.session.reducer import fold
from companion.session.state import Past, TableState, Transcript, as_transcript_line, begin, line_of
from companion.session.transaction import COMPANION, Lines, Transaction

PIECE = 100
"""The number of rows that are read under the table's lock at a time."""


class GameUpTo(NamedTuple):
    """A game up to row *last*: its state and its record.

    *damage* says why it ends early; it is empty if it is complete.
    """

    play: TableState
    transcript: Transcript
    last: int
    damage: str = ""


@shows("_damage", "_games")
class Repository:
    """Reads the games of one ledger. *games* maps the names of games, as in headers, to their rules."""

    def __init__(self, ledger: Ledger, games: Mapping[str, AnyGame], lots: Random) -> None:
        self._ledger = ledger
        self._games = games
        self._lots = lots
        self._damage: dict[int, str] = {}
        self._held: AbstractContextManager[object] = nullcontext()

    def with_lock(self, lock: AbstractContextManager[object]) -> Repository:
        """Return a repository for reading past games from threads that don't hold the table's *lock*.

        It takes the lock for `PIECE` rows at a time, so that commands needn't wait until a whole game is read.
        """
        other = Repository(self._ledger, self._games, self._lots)
        other._damage, other._held = self._damage, lock
        return other

    def transaction(self, play: TableState, transcript: Transcript, as_of: float) -> Transaction:
        """Return a transaction that continues *play*. Its clock was read at the monotonic second *as_of*."""
        lines = partial(self.lines, play.game_id)
        return Transaction(play, transcript, as_of, self._ledger.last, self._ledger.wall_ms(), self._lots, lines)

    def begin(self, header: Line, who: Who, as_of: float, imported: bool = False, lines: Lines = list) -> Transaction:
        """Return the transaction that begins a game, or raise `Malformed`.

        *lines* returns the lines of the game that are already stored elsewhere; undo needs them.
        """
        name, _ = game_of(header)
        if name not in self._games:
            raise Malformed(said("There's no game called %(name)s here.", name=repr(name)))
        number = self._ledger.last + 1
        # The seal of a game that was played elsewhere isn't stored here. Its origin isn't stored either, because this
        # row has the start.
        own = {field: value for field, value in header.items() if field not in ("sealed", *ORIGIN)}
        begun, started = Begun(own, self._games[name].rules, imported), origin_of(header).started
        play, transcript = begin(self._games[name], number, begun), Transcript(number, begun.header)
        check_names(play.game.seats(play.state))
        check_texts(own)
        dated = self._ledger.wall_ms() if started is None or not imported else started
        entry = EventEntry(number, number, who.name, who.via, 0, 0, dated, begun)
        return Transaction(play, transcript, as_of, number - 1, entry.wall_ms, self._lots, lines, (entry,))

    def without_game(self, event: RingEvent, who: Who) -> tuple[tuple[EventEntry, ...], tuple[Notice, ...]]:
        """Return the entries for a ring event without a game, and the notices to show."""
        raw = self.aside(RingEventReceived(event), who)
        entries: tuple[EventEntry, ...] = (raw,)
        if event.judgement is not None:
            judged = self.aside(Judged(raw.id, event.judgement), COMPANION)
            # `aside` gave both the same number, because neither is in the ledger yet.
            entries = (raw, replace(judged, id=raw.id + 1))
        passage = passage_of(raw.id, event)
        said = ("practice", practised(passage, RingWords())) if passage is not None else worth_a_look(event, False)
        return entries, () if said is None else (Notice(raw.id, *said),)

    def passage(self, raw: int) -> RingPassage | None:
        """Return the passage in a ring's raw row, or None. In older ledgers this row also contains the judgement."""
        row, judged = self._ledger.row(raw), self._ledger.judged(raw)
        passage = None
        for found in (row, judged):
            match None if found is None else unpacked(found).event:
                case RingEventReceived(event):
                    passage = passage_of(raw, event)
                case Judged(_, judgement) if passage is not None:
                    passage = passage.seen_as(judgement)
        return passage

    def aside(self, event: Aside | RingEventReceived | Judged, who: Who) -> EventEntry:
        """Return *event* as the next entry; it belongs to no game."""
        return EventEntry(self._ledger.last + 1, None, who.name, who.via, 0, 0, self._ledger.wall_ms(), event)

    def all_of(self, number: int, last: int | None = None) -> tuple[EventEntry, ...]:
        """Return all entries of a game up to row *last*, oldest first, or raise `Malformed`."""
        self._first(number)
        return tuple(map(unpacked, self._rows(number, 1 + (self._last() if last is None else last))))

    def readable(self, number: int) -> tuple[AnyGame, Line, tuple[EventEntry, ...]]:
        """Return a game's rules, its header, and its entries up to the first damaged one, or raise `Malformed`."""
        header = self._first(number)[1].header
        game = self._games.get(header["game"])
        if game is None:
            raise Malformed(said("Game %(number)s is of a kind this companion doesn't have.", number=number))
        entries: list[EventEntry] = []
        with suppress(Malformed):
            for row in self._rows(number, self._last() + 1):
                entries.append(unpacked(row))
        return game, header, tuple(entries)

    def draws(self, number: int) -> Out:
        """Return the function that maps a line of a game to the colours that left the ring in that line.

        For a game without a ring the function always returns an empty tuple.
        """
        play, _ = self.take_up(number)
        return (lambda line: ()) if play.game.ring is None else play.game.ring.out

    def judged_again(self, number: int, again: Mapping[int, Judgement | None], who: Who) -> tuple[EventEntry, ...]:
        """Return the entries for new judgements of a game's passages. *again* maps raw rows to the judgements."""
        judged = [Judged(raw, judgement, True) for raw, judgement in again.items() if judgement is not None]
        entries = (replace(self.aside(each, who), game=number) for each in judged)
        return tuple(replace(entry, id=entry.id + at) for at, entry in enumerate(entries))

    def take_up(self, number: int) -> tuple[TableState, Transcript]:
        """Return the state and record of game *number* after all of its rows, or raise `Malformed`."""
        found = self.partial(number)
        if found.damage:
            raise Malformed(found.damage)
        return _by_other_rules(found.play), found.transcript

    def partial(self, number: int) -> GameUpTo:
        """Return game *number* up to its last undamaged row, or raise `Malformed` if even its header can't be read."""
        try:
            begun = self._first(number)[1]
        except Malformed as fault:
            if self._misled(number, number, damaged=True):
                raise self._disorder() from fault
            raise
        game = self._games.get(begun.header["game"])
        if game is None:
            raise Malformed(said("Game %(number)s is of a kind this companion doesn't have.", number=number))
        try:
            found = self._folded(game, number, begun)
        except Malformed as fault:
            raise Malformed(_why_not(number, begun.rules, game, fault.reason)) from fault
        if found.damage:
            self._damage[number] = found.damage
        return found

    def amiss(self) -> tuple[str, ...]:
        """Return a sentence for each game that can't be loaded, newest first."""
        return tuple(filter(None, map(self._amiss, self._numbers())))

    def entries(self, live: int | None) -> tuple[GameEntry, ...]:
        """Return the entries of all games, newest first. For a game that can't be read, only its `damage` is set."""
        return tuple(self.entry(number, live) for number in self._numbers())

    def some(self, numbers: Iterable[int], live: int | None) -> tuple[GameEntry, ...]:
        """Return the entries of the games with these *numbers*."""
        return tuple(self.entry(number, live) for number in numbers)

    def begun_by(self, number: int) -> str:
        """Return the `via` with which a game was begun: a device, a record, or a demo."""
        return self._first(number)[0].via

    def newest_lines(self, number: int, before: int, most: int) -> tuple[TranscriptLine, ...]:
        """Return up to *most* lines of a game from rows below *before*, newest first. Undone lines are marked."""
        with self._held:
            rows = self._ledger.newest_lines(number, before, most)
            undoings = self._ledger.undoings(row.id for row in rows)
        undone = {number: unpacked(row).event for number, row in undoings.items()}
        return tuple(_transcript_line(entry, undone.get(entry.id)) for entry in map(unpacked, rows))

    def transcript_lines(self, number: int) -> tuple[TranscriptLine, ...]:
        """Return all lines of a game, oldest first. Undone lines are marked."""
        entries = self.lines(number)
        undone = {entry.event.undoes: entry.event for entry in entries if isinstance(entry.event, LineUndone)}
        return tuple(
            _transcript_line(entry, undone.get(entry.id)) for entry in entries if isinstance(entry.event, LineDone)
        )

    def lines(self, number: int, last: int | None = None, after: int = 0) -> list[EventEntry]:
        """Return the lines and undos of a game from rows above *after* up to row *last*, oldest first."""
        return list(self.each_line(number, last, after))

    def each_line(self, number: int, last: int | None = None, after: int = 0) -> Iterator[EventEntry]:
        """Yield the same entries as `lines`; raise `Malformed` at a damaged row."""
        before = 1 + (self._last() if last is None else last)
        return map(unpacked, self._in_pieces(self._ledger.lines, number, before, after))

    def stamp(self, number: int) -> tuple[Begun, AnyGame, object]:
        """Return a game's first event, its rules, and a value that changes with each new line and each changed name.

        Raises `Malformed` like `partial` if the header can't be read.
        """
        begun = self._first(number)[1]
        game = self._games.get(begun.header["game"])
        if game is None:
            raise Malformed(said("Game %(number)s is of a kind this companion doesn't have.", number=number))
        with self._held:
            volume = self._ledger.volume(number)
        return begun, game, (volume.lines, volume.last_ms, begun.header["players"])

    def record(self, number: int) -> Iterator[Line]:
        """Return the record of a game, header first, or raise `Malformed`."""
        begun = self._first(number)[1]
        header, game = begun.header, self._games.get(begun.header["game"])
        if game is not None and game.rules == begun.rules:
            # Fold all rows and not only lines, because a damaged row of another kind may change the result of the
            # lines.
            return self.take_up(number)[1].record()
        found = ((entry, entry.event) for entry in self.lines(number))
        lines = [line_of(entry, event) for entry, event in found if isinstance(event, LineDone | LineUndone)]
        return iter([header, *lines])

    def _first(self, number: int) -> tuple[EventEntry, Begun]:
        with self._held:
            row = self._ledger.row(number)
        if row is None or (row.kind != RowKind.GAME and row.game != number):
            raise Malformed(said("There's no game %(number)s in the ledger.", number=number))
        entry = None if row.kind != RowKind.GAME or row.game != number else unpacked(row)
        if entry is None or not isinstance(entry.event, Begun):
            raise damaged(number, said("it should begin its game, but doesn't"))
        return entry, entry.event

    def _amiss(self, number: int) -> str:
        try:
            self.take_up(number)
            return ""
        except Malformed as fault:
            return fault.reason

    def _folded(self, game: AnyGame, number: int, begun: Begun) -> GameUpTo:
        play, transcript, last = _begun(game, number, begun), Transcript(number, begun.header), number
        rows = self._rows(number, self._last() + 1)
        # Skip the header's row, which `_begun` has folded. It could be read by its number; if it is missing or damaged
        # here, then the index by game is wrong.
        try:
            header = next(rows, None)
        except Malformed as fault:
            raise self._disorder() from fault
        if header is None:
            raise self._disorder()
        try:
            for entry in map(unpacked, rows):
                if play.rules == game.rules:
                    understood(entry, game)
                play = _followed(play, entry, partial(self._past, play, entry.id + 1))
                transcript.add((entry,))
                last = entry.id
        except Malformed as fault:
            damage: str = _why_not(number, begun.rules, game, fault.reason)
        else:
            damage = ""
        if self._misled(number, last + 1, bool(damage)):
            raise self._disorder()
        return GameUpTo(play, transcript, last, damage)

    def _misled(self, number: int, following: int, damaged: bool) -> bool:
        """Return True if the index is damaged but the rows of the game are not.

        A damaged index may skip a row or end too early.
        """
        # If the game seems damaged, compare all rows with the index once, so that an intact game isn't reported as
        # damaged.
        looked_at = number in self._damage
        with self._held:
            if self._ledger.pending:
                return False
            hidden = self._ledger.hides(number, following)
            return hidden or (damaged and not looked_at and self._ledger.mixes_up(number))

    def _disorder(self) -> PagesDamaged:
        with self._held:
            return self._ledger.disorder()

    def _past(self, play: TableState, before: int) -> tuple[Past, ...]:
        return past_of(play.game, play.header, self.lines(play.game_id, before - 1))

    def _last(self) -> int:
        with self._held:
            return self._ledger.last

    def _numbers(self) -> tuple[int, ...]:
        with self._held:
            return self._ledger.games()

    def _rows(self, number: int, before: int) -> Iterator[Row]:
        return self._in_pieces(self._ledger.rows, number, before, 0)

    def _in_pieces(
        self, ask: Callable[[int, int, int], Iterator[Row]], number: int, before: int, after: int
    ) -> Iterator[Row]:
        """Yield rows of a game. The lock is taken for `PIECE` rows at a time; rows never change, so this is safe."""
        while True:
            with self._held:
                piece, fault = _piece(ask(number, before, after))
            yield from piece
            if fault is not None:
                raise fault
            if len(piece) < PIECE:
                return
            after = piece[-1].id

    def origin(self, number: int, status: Status | None = None) -> Origin:
        """Return a game's identity, start and status for the header of its record, or raise `Malformed`.

        *status* replaces the present status; it is needed for a record that ends at an earlier row.
        """
        first, _ = self._first(number)
        ended = ended_as(self.entry(number).status if status is None else status)
        return Origin(self._ledger.game_identity(number), first.wall_ms, ended)

    def entry(self, number: int, live: int | None = None) -> GameEntry:
        """Return the entry of a game in the list of games. If the game can't be read, only its `damage` is set."""
        try:
            first, begun = self._first(number)
            with self._held:
                volume = self._ledger.volume(number)
            status, reason = _status(None if volume.turn is None else unpacked(volume.turn).event)
        except Malformed as fault:
            return GameEntry(number, "", {}, "", Status.NONE, 0.0, 0.0, 0, False, damage=fault.reason)
        return GameEntry(
            id=first.id,
            name=begun.header["game"],
            header=begun.header,
            rules=begun.rules,
            status=status,
            began=first.wall_ms / 1000,
            last=volume.last_ms / 1000,
            lines=volume.lines,
            live=first.id == live,
            reason=reason,
            damage=self._damage.get(number, ""),
            identity=self._ledger.game_identity(number),
            own_row=volume.own_row,
        )


def _piece(rows: Iterator[Row]) -> tuple[list[Row], Malformed | None]:
    """Return the next `PIECE` of *rows*, and the fault if a damaged row ended them early."""
    piece: list[Row] = []
    try:
        piece.extend(islice(rows, PIECE))
    except Malformed as fault:
        return piece, fault
    return piece, None


def _begun(game: AnyGame, number: int, begun: Begun) -> TableState:
    try:
        return begin(game, number, begun)
    except Malformed as fault:
        raise damaged(number, fault.reason) from fault


def _followed(play: TableState, entry: EventEntry, deeper: Deeper) -> TableState:
    try:
        return fold(play, entry, deeper)
    except Malformed as fault:
        raise damaged(entry.id, fault.reason) from fault
    except MISFITS as fault:
        raise damaged(entry.id, misfit(fault).reason) from fault


def _transcript_line(entry: EventEntry, undone: Event | None) -> TranscriptLine:
    assert isinstance(entry.event, LineDone)
    return as_transcript_line(entry, entry.event, undone if isinstance(undone, LineUndone) else None)


def _status(turn: Event | None) -> tuple[Status, str]:
    """Return a game's status, and the reason if it was abandoned. *turn* is its last event that changed the status."""
    match turn:
        case Abandoned(reason):
            return Status.ABANDONED, reason
        case Fate.PAUSED:
            return Status.PAUSED, ""
        case Fate.FINISHED:
            return Status.FINISHED, ""
        case None | Fate():
            return Status.LIVE, ""
        case _:
            raise AssertionError(f"{turn!r} is no turn in the fate of a game")


def _why_not(number: int, then: str, game: AnyGame, why: str) -> Said:
    if then == game.rules:
        return _stays_as_it_is(number, why)
    return said(
        "Game %(number)s was played by rules %(then)s; rules %(now)s can't read it: %(why)s",
        number=number,
        then=repr(then),
        now=repr(game.rules),
        why=why,
    )


def _stays_as_it_is(number: int, why: str) -> Said:
    return said("Game %(number)s is damaged and stays as it is: %(why)s", number=number, why=why)


def _by_other_rules(play: TableState) -> TableState:
    if play.rules == play.game.rules:
        return play
    text = said(
        "This game began under rules %(then)s and continues under %(now)s. Nothing played has changed.",
        then=play.rules,
        now=play.game.rules,
    )
    return replace(play, notices=(Notice(0, "rules", text, play.clock.game_ms), *play.notices))
