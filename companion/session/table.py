"""The table: the one owner of the live game and its ledger. Whatever changes goes through here, one at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial, reduce
from pathlib import Path
from random import Random
from threading import Lock
from typing import TYPE_CHECKING

from companion.events import packed
from companion.events.table_events import Aside, CalibrationKept, CopyKept, CopyUsed, PlayedWith, Turn
from companion.kernel.errors import Malformed, Refused
from companion.kernel.frozen import replace
from companion.kernel.i18n import Said, said
from companion.kernel.validation import Line
from companion.ledger import Ledger, LedgerFault, Merged, PagesDamaged, Unreadable, merge, wall_ms
from companion.model import clock as clockwork
from companion.model.boxes import Copy, checked, named
from companion.model.game import AnyGame
from companion.model.snapshot import Notice, Snapshot, Status, Who
from companion.ports.ring import Kind, Order, RingEvent, RingView, Unrecorded
from companion.ring.flood_budget import FloodBudget
from companion.session import clock_commands, execution
from companion.session.archive import Archive
from companion.session.commands import (
    Command,
    Switch,
    command_of,
)
from companion.session.happening import Happening
from companion.session.night import sound
from companion.session.preferences import Preferences
from companion.session.pubsub import Publisher
from companion.session.reducer import NOTICES
from companion.session.snapshot_of import snapshot_of
from companion.session.state import TableState
from companion.session.transaction import COMPANION, Lines, Transaction

if TYPE_CHECKING:
    from companion.session.record_import import Numbering, PackedRows

# So much of a step's clock is lost at most when the plug is pulled; a second where only the program ends.
BEAT_S = 10.0
PROBE_S = 5.0
HAPPENINGS = 24
"""So many transactions are kept for those who say them aloud; who is further behind has missed them."""
OVER = (Status.FINISHED, Status.ABANDONED)
WATCH = said("The watch over storage and clock")


class Table(Archive):
    """The live game, safe to use from any thread; looking at `sight` never blocks.

    A deed is committed before anybody sees it, and answers the version it
    leads to. It raises `Malformed`, `Refused` or `MovedOn` with nothing
    changed.
    """

    def __init__(self, ledger: Ledger, games: Mapping[str, AnyGame], now: Callable[[], float], lots: Random) -> None:
        """Resume what was on the table last; *now* gives monotonic seconds."""
        super().__init__(ledger, games, lots)
        self._now = now
        self._importing = Lock()
        self._idle: tuple[Notice, ...] = ()
        self._flood = FloodBudget()
        self._happenings: deque[Happening] = deque(maxlen=HAPPENINGS)
        amiss = (*self._preferences.amiss, *(each.sentence for each in ledger.found))
        self._lasting = tuple(Notice(0, "damaged", why) for why in amiss)
        self._ring = RingView()
        self._as_of = self._beaten_at = self._probed_at = now()
        self._resume()
        self._snapshot = Snapshot()
        self._look()
        self._listeners = Publisher(lambda: self._snapshot)
        self._ring_listeners = Publisher(lambda: self._ring)

    @property
    def snapshot(self) -> Snapshot:
        """The newest frozen snapshot."""
        return self._snapshot

    def happened(self, after: int) -> tuple[Happening, ...]:
        """Return the newest transactions that led to a version later than *after*, oldest first."""
        return tuple(each for each in list(self._happenings) if each.version > after)

    def order(self) -> Order | None:
        """Return what the ring should be armed for now."""
        play = self._play
        if play is None or play.wanted is None or self._snapshot.status is not Status.LIVE:
            return None
        return Order(play.token, dict(play.wanted.under))

    # Games

    def open(self, header: Line, who: Who, copy: str = "") -> int:
        """Put a new game on the table, played with the *copy* of that name."""
        if copy and copy not in [each.name for each in self.copies()]:
            raise Malformed(said("There's no copy called %(name)s.", name=repr(copy)))
        with self._changing(lambda: self._begun(header, who)) as transaction:
            clock_commands.as_before(transaction, self._preferences.pace(transaction.play.game.name))
            if self._draws_itself(transaction.play):
                transaction.seal()
            if copy:
                transaction.add(PlayedWith(copy), who)
                for more in self._learnt(transaction.play, [header]):
                    transaction.aside(more, who)
                transaction.aside(CopyUsed(copy), who)
        return transaction.play.version

    def import_record(self, lines: Iterable[Line], who: Who, piece: int = 0) -> int:
        """Lay a whole record into the ledger and answer its number, or raise `ImportFault` and lay nothing.

        *lines* are JSON objects, the header first. `switch` puts the game on
        the table. What is played meanwhile is never held up by more than a
        *piece* of so many rows (0: the usual); `Refused` while another record
        is taken in.
        """
        from companion.session import record_import

        with self._importing_alone():
            begin = partial(self._begun_by_record, who)
            rows = record_import.gone_through(lines, who, begin, piece or record_import.PIECE)
            return self._laid_in(rows, record_import.Numbering())

    def merge_from(self, file: Path) -> Merged:
        """Lay in what the ledger or backup at *file* holds and ours does not, or raise `Refused` with the row at fault.

        Game by game: whoever plays meanwhile comes in between two of them.
        """
        sound(file)
        try:
            with self._importing_alone(), closing(Ledger.read_only(file)) as other:
                merged = self._merged(other)
        except LedgerFault as fault:
            raise Refused(said("Not everything could be imported: %(why)s", why=str(fault))) from fault
        self._listeners.tell()
        return merged

    @contextmanager
    def _importing_alone(self) -> Iterator[None]:
        """Take in one thing at a time, or raise `Refused`."""
        if not self._importing.acquire(blocking=False):
            raise Refused(said("Another record is being imported. Try again afterwards."))
        try:
            yield
        finally:
            self._importing.release()

    def _merged(self, other: Ledger) -> Merged:
        merged = Merged()
        for game in reversed(other.games()):
            merged += self._merged_part(other, (game,))
        return merged + self._merged_part(other, ())

    def _merged_part(self, other: Ledger, games: tuple[int, ...]) -> Merged:
        """Lay in some games, or none and what belongs to none; between two parts whoever plays comes in.

        The game on the table is taken up again: it may have gone on elsewhere, and names change with each part, so
        that none that was removed is seen even where the next part fails.
        """
        with self._lock:
            self._beat()  # what the clock has run is in no row yet
            merged = merge(self._ledger, other, other.last, games, asides=not games)
            self._ledger.adopt_names(other)
            self._names_changed += 1
            if not games:
                self._preferences = Preferences(self._ledger)
            self._called_anew()
            self._look()
        return merged

    # Names

    def rename(self, old: str, new: str | None) -> int:
        """Give whoever is called *old* the name *new*, or none, in every game, and return at how many places.

        The game on the table goes on with it at once. Raises `Refused`, with nothing changed, for what is no name, and
        where it cannot be kept.
        """
        if new is not None and not new.strip():
            raise Refused(said("A name needs a letter."))
        with self._lock:
            self._beat()  # what the clock has run is in no row yet
            try:
                games = self._ledger.games_of(old)
                places = self._ledger.rename(old, None if new is None else new.strip(), wall_ms())
            except LedgerFault as fault:
                raise Refused(said("Names can't be changed now: %(why)s", why=str(fault))) from fault
            self._names_changed += 1
            self._called_anew()
        self.summaries.forget(games)
        self._listeners.tell()
        return places

    # Copies and calibrations

    def keep_copy(self, copy: Copy, who: Who) -> None:
        """Keep a copy of a game, or another state of one that has its name; raise `Malformed` for nonsense."""
        self._keep_aside(CopyKept(checked(copy, self._games)), who)

    def keep_calibration(self, line: Line, who: Who) -> None:
        """Keep a calibration, whole, for the copy that it names; `Instrument.check_line` has looked at it before."""
        self._keep_aside(CalibrationKept(named(line), line), who)

    # Commands

    def execute(self, command: Command, who: Who, version: int | None = None) -> int:
        """Do what *command* asks; *version* is the one that the page shows it comes from."""
        with self._changing(lambda: self._beginning(command)) as transaction:
            execution.execute(transaction, command, who, version, self._repository.heard)
        return transaction.play.version

    def lot(self) -> str:
        """Draw the cube that a simulated ring is to let out by the sealed seed: its colour, empty without a seed.

        It is on record before the ring hears of it, and stays there whatever becomes of it.
        """
        if self.order() is None:
            return ""
        with self._changing(self._transaction) as transaction:
            return transaction.lot()

    def do(self, line: Line, who: Who, version: int | None = None) -> int:
        """Do what a *line* of the record asks."""
        return self.execute(command_of(line), who, version)

    # The ring

    def heard(self, *events: RingEvent) -> None:
        """Commit *events* with what they make, each exactly once; raise `Unrecorded` while one is in memory only.

        Of a ring that floods what no game waits for is counted instead (`Snapshot.unkept`), and is done with too:
        one that is not acknowledged would come again for ever.
        """
        with self._lock:
            fresh = self._worth_keeping([event for event in events if not self._known(event.source)])
            if fresh:
                self._hear(fresh)
            # Of doubles too: a ring that sends again must not hear "on record" of what is in memory only.
            waits = bool(self._ledger.trouble) and any(self._ledger.waits(event.source) for event in events)
            trouble = self._ledger.trouble if waits else ""
        if fresh:
            self._listeners.tell()
        if trouble:
            raise Unrecorded(trouble)

    def ring_changed(self, view: RingView) -> None:
        """Show the ring as it is now."""
        with self._lock:
            self._ring = view
            self._snapshot = replace(self._snapshot, ring=view)
        self._ring_listeners.tell()

    # Listeners

    def subscribe(self, tell: Callable[[Snapshot], None], first: bool = False) -> Callable[[], None]:
        """Have *tell* called with the newest sight after each commit; it must only take note. Returns its end."""
        return self._listeners.add(tell, first)

    def subscribe_ring(self, tell: Callable[[RingView], None]) -> Callable[[], None]:
        """Have *tell* called when the ring looks different; it must only take note. Returns its end."""
        return self._ring_listeners.add(tell)

    # Time

    def tick(self) -> None:
        """Do what time asks for, about every second: look after the storage, keep the clock."""
        with self._lock:
            before = self._ledger.trouble
            if before or self._now() - self._probed_at >= PROBE_S:
                self._probed_at = self._now()
                self._ledger.probe()
            if self._now() - self._beaten_at >= BEAT_S:
                self._beat()
            self._run_on()
            changed = before != self._ledger.trouble or self._told_of != self.misnamed
            if changed or self._snapshot.unkept != self._flood.unkept:
                self._look()
        if changed:
            self._listeners.tell()

    def unattended(self, fault: Exception, what: Said = WATCH) -> None:
        """Say for good that `tick`, or *what*, comes no more, for it died of *fault*; deeds are still committed."""
        text = said("%(what)s stopped: %(fault)s. Restart the companion.", what=what, fault=repr(fault))
        self._say_for_good("unattended", text)

    def warn(self, text: Said) -> None:
        """Say for as long as the house runs what became of its ledger."""
        self._say_for_good("damaged", text)

    def close(self) -> None:
        """Write down the clock and close the ledger."""
        with self._lock:
            self._beat()
            self._ledger.close()

    # Inside: `_changing` and what it stands on take the lock, the rest is called under it

    @contextmanager
    def _changing(self, begin: Callable[[], Transaction]) -> Iterator[Transaction]:
        """Commit what is added to the draft of *begin*, with what follows from it, then show and tell it."""
        with self._lock:
            try:
                transaction = begin()
                yield transaction
                transaction.settle(self._ring_hand())
            except Unreadable as fault:
                raise Refused(fault.refusal) from fault
            if not transaction.entries:
                return  # a second press of the same button
            self._keep(transaction)
        self._listeners.tell()

    def _draws_itself(self, play: TableState) -> bool:
        """Tell whether the companion may draw in a game, by itself or for a simulated ring."""
        ring = play.game.ring
        return ring is not None and (self._ring.obeys or ring.may_draw(play.state))

    def _beginning(self, command: Command) -> Transaction:
        return self._taken_up(command.game) if isinstance(command, Switch) else self._transaction()

    def _begun(self, header: Line, who: Who) -> Transaction:
        self._repository.begin(header, who, self._now())  # a refusal comes before anything is written
        self._put_away()
        # Once more: the beat may have taken the number that the first one got.
        return self._repository.begin(header, who, self._now())

    def _taken_up(self, game_id: int) -> Transaction:
        if self._play is not None and self._play.game_id == game_id:
            return self._transaction()
        play, story = self._repository.take_up(game_id)
        self._put_away()
        return self._repository.transaction(play, story, self._now())

    def _begun_by_record(self, who: Who, header: Line, lines: Lines) -> Transaction:
        with self._lock:
            return self._repository.begin(header, who, 0.0, imported=True, lines=lines)

    def _laid_in(self, rows: PackedRows, numbers: Numbering) -> int:
        for piece in rows.pieces():
            # Let go of between two pieces: whoever plays comes in there.
            with self._lock:
                laid = numbers.numbered(piece, self._ledger.last)
                self._ledger.append(laid)
                self._look()
        self._listeners.tell()
        assert laid[0].game is not None, "a record begins with its game"
        return laid[0].game

    def _put_away(self) -> None:
        """Write down what the clock of the game on the table has run, before another takes its place."""
        if self._now() > self._as_of:
            self._beat()
        self._remember()

    def _remember(self) -> None:
        """Keep what the game on the table has told of its copy, once it is over or put away: undo mends it before."""
        if self._play is None or self._story is None:
            return
        for more in self._learnt(self._play, self._story.standing()):
            self._lay_aside(more, COMPANION)

    def _learnt(self, play: TableState, lines: Iterable[Line]) -> tuple[CopyKept, ...]:
        copy = self._preferences.copy(play.copy)
        board = play.game.board
        if copy is None or board is None or copy.game != play.game.name:
            return ()
        more = reduce(board.learnt, lines, copy.board)
        return () if more == copy.board else (CopyKept(replace(copy, board=more)),)

    def _say_for_good(self, kind: str, text: Said) -> None:
        with self._lock:
            self._lasting = (*self._lasting, Notice(0, kind, text))
            self._look()
        self._listeners.tell()

    def _transaction(self) -> Transaction:
        """Return a transaction on the game on the table, its clock read."""
        if self._play is None or self._story is None:
            raise Refused(said("There's no game on the table."))
        if self._snapshot.status is not Status.LIVE or self._play.clock.held:
            return self._repository.transaction(self._play, self._story, self._now())
        clock, as_of = clockwork.read(self._play.clock, self._as_of, self._now())
        return self._repository.transaction(self._play.but(clock=clock), self._story, as_of)

    def _keep_aside(self, event: Aside, who: Who) -> None:
        with self._lock:
            self._lay_aside(event, who)
            self._look()
        self._listeners.tell()

    def _lay_aside(self, event: Aside, who: Who) -> None:
        entry = self._repository.aside(event, who)
        self._ledger.append((packed(entry),))
        self._preferences.add(entry)

    def _keep(self, transaction: Transaction) -> None:
        # On record first: if that raises, play, record and snapshot are as they were.
        self._ledger.append(transaction.rows)
        for entry in transaction.entries:
            if entry.game is None:
                self._preferences.add(entry)
        self._happenings.append(Happening(self._play, tuple(transaction.entries), transaction.play))
        transaction.story.add(transaction.entries)
        self._story = transaction.story
        self._play = transaction.play
        self._as_of = transaction.as_of
        self._beaten_at = self._now()
        if self._play.status in OVER:
            self._remember()
        self._look()

    def _look(self) -> None:
        snapshot = snapshot_of(self._play, self._idle, self._ledger.trouble, self._ring, self._as_of)
        self._told_of = self.misnamed
        copy = self._preferences.at_hand(self._play.copy if self._play is not None else "")
        self._snapshot = replace(
            snapshot,
            notices=(*self._lasting, *(Notice(0, "damaged", why) for why in self._told_of), *snapshot.notices),
            copy=copy,
            box=self._box(copy),
            kept=self._preferences.newest,
            unkept=self._flood.unkept,
        )

    def _box(self, name: str) -> Line | None:
        copy = self._preferences.copy(name)
        return None if copy is None or self._play is None or copy.game != self._play.game.name else copy.board

    def _resume(self) -> None:
        game_id = self._ledger.live_game()
        if game_id is None:
            return
        try:
            self._play, self._story = self._repository.take_up(game_id)
        except Malformed as fault:
            self._idle = (Notice(0, "unreadable", fault.reason),)
            return
        except PagesDamaged:
            raise  # whoever opens the house sees to it
        except Unreadable as fault:
            self._idle = (Notice(0, "unreadable", fault.refusal),)
            return
        if self._play.runs:
            self._play = clock_commands.restarted(self._play, self._ledger.ran_on(game_id))

    def _called_anew(self) -> None:
        """Take the game on the table up again, where it stands, after names have changed below it."""
        if self._play is not None:
            self._play, self._story = self._repository.take_up(self._play.game_id)
            self._as_of = self._beaten_at = self._now()
            self._look()

    def _run_on(self) -> None:
        """Take note of what the clock has run since its last row: that is no row, since nothing has happened."""
        if self._play is not None and self._play.runs:
            clock, _ = clockwork.read(self._play.clock, self._as_of, self._now())
            self._ledger.run_on(self._play.game_id, clock.game_ms)

    def _beat(self) -> None:
        if self._play is not None and self._play.runs:
            transaction = self._transaction()
            transaction.add(Turn.BEAT, COMPANION)
            self._keep(transaction)

    def _known(self, source: tuple[str, str, int]) -> bool:
        try:
            return self._ledger.heard(source)
        except Unreadable:
            return False  # what a dead card may hold cannot be asked: better once too often in memory than never

    def _worth_keeping(self, events: Sequence[RingEvent]) -> list[RingEvent]:
        """Return *events* without those of a ring that floods; as many as may be draws are always among them."""
        play = self._play
        wanted = None if play is None or play.status is not Status.LIVE else play.wanted
        room = 0 if play is None or wanted is None else sum(wanted.under.values()) - len(play.waiting)
        kept = []
        for event in events:
            drawn = room > 0 and play is not None and event.token == play.token and event.kind in (Kind.OUT, Kind.PAIR)
            room -= drawn
            if drawn or self._flood.keeps(event, self._now()):
                kept.append(event)
        return kept

    def _hear(self, events: Sequence[RingEvent]) -> None:
        hand = self._ring_hand()
        if self._play is None:
            self._hear_idly(events, hand)
            return
        transaction = self._transaction()
        for event in events:
            transaction.hear(event, hand)
            transaction.settle(hand)
        self._keep(transaction)

    def _hear_idly(self, events: Sequence[RingEvent], hand: Who) -> None:
        for event in events:
            entries, notice = self._repository.heard_idly(event, hand)
            self._ledger.append(tuple(map(packed, entries)))
            self._idle = (*notice, *self._idle[: NOTICES - 1])
        self._look()

    def _ring_hand(self) -> Who:
        return Who("ring", "virtual" if self._ring.simulated else "ring")
