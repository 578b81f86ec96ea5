"""The table: the one owner of the live game and its ledger. Whatever changes goes through here, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from threading import Lock
from time import sleep
from typing import TYPE_CHECKING

from companion.events import packed
from companion.events.table_events import CalibrationKept, CopyKept, CopyUsed, PlayedWith
from companion.kernel.errors import Malformed, Refused
from companion.kernel.frozen import replace
from companion.kernel.i18n import Said, said
from companion.kernel.names import name_from
from companion.kernel.pubsub import Publisher
from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.ledger import Ledger, LedgerFault, Merged, RowKind, Unreadable, merge, wall_ms
from companion.model.boxes import Copy, checked, named
from companion.model.game import AnyGame
from companion.model.snapshot import Notice, Snapshot, Status, Who
from companion.ports.ring import Order, RingEvent, RingEventKind, RingView, Unrecorded
from companion.session import clock_commands, execution
from companion.session.commands import Command, command_of
from companion.session.live_game import LiveGame
from companion.session.night import NamesAtStake, sound
from companion.session.preferences import Preferences
from companion.session.reducer import NOTICES
from companion.session.transaction import Happening, Lines, Transaction

if TYPE_CHECKING:
    from companion.session.record_import import Numbering, PackedRows

# So much of a step's clock is lost at most when the plug is pulled; a second where only the program ends.
BEAT_S = 10.0
PROBE_S = 5.0
GIVE_WAY_S = 0.005
"""How long an import leaves the lock alone between two pieces: one that is taken again at once goes to nobody else."""


@dataclass(frozen=True)
class Imported:
    """Which *game* a record is here; not *new* if it was here before, and maybe *differs* from the record then."""

    game: int
    new: bool = True
    differs: bool = False


class Table(LiveGame):
    """The live game, safe to use from any thread; looking at its `snapshot` never blocks.

    A deed is committed before anybody sees it, and answers the version it
    leads to. It raises `Malformed`, `Refused` or `MovedOn` with nothing
    changed.
    """

    def __init__(self, ledger: Ledger, games: Mapping[str, AnyGame], now: Callable[[], float], lots: Random) -> None:
        """Resume what was on the table last; *now* gives monotonic seconds."""
        super().__init__(ledger, games, now, lots)
        self._importing = Lock()
        self._probed_at = now()
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

    def open(self, header: Line, who: Who, copy: str = "", version: int | None = None) -> int:
        """Put a new game on the table, played with the *copy* of that name.

        Raises `MovedOn` where another game came to the table after the page of *version* was made.
        """
        if copy and copy not in [each.name for each in self.copies()]:
            raise Malformed(said("There's no copy called %(name)s.", name=repr(copy)))
        with self._changing(lambda: self._begun(header, who, version)) as transaction:
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
        """Do as `take_in` does, and return the number of the game alone."""
        return self.take_in(lines, who, piece).game

    def take_in(self, lines: Iterable[Line], who: Who, piece: int = 0) -> Imported:
        """Lay a whole record into the ledger and say which game it is, or raise `ImportFault` and lay nothing.

        *lines* are JSON objects, the header first. `switch` puts the game on
        the table. What is played meanwhile is never held up by more than a
        *piece* of so many rows (0: the usual); `Refused` while another record
        is taken in. A record of a game that is here already changes nothing.
        """
        from companion.session import record_import

        with self._importing_alone():
            begin = partial(self._begun_by_record, who)
            rows = record_import.gone_through(lines, who, begin, piece or record_import.PIECE)
            known = self._known_as(rows)
            if known is not None:
                return known
            if rows.amiss is not None:
                raise rows.amiss
            return Imported(self._laid_in(rows, record_import.Numbering()))

    def merge_from(self, file: Path, names: bool = False, checked: bool = False) -> Merged:
        """Lay in what the ledger or backup at *file* holds and ours does not, or raise `Refused` with the row at fault.

        Game by game: whoever plays meanwhile comes in between two of them. Raises `NamesAtStake`, with nothing
        changed, where names of ours would change, unless *names* says that they may. Who has *checked* by `sound` what
        is in it has taken most of the time.
        """
        if not checked:
            sound(file, self._games)
        try:
            with self._importing_alone(), closing(Ledger.read_only(file)) as other:
                if not names:
                    with self._lock:
                        changed = self._ledger.names_changed_by(other, wall_ms())
                    if changed:
                        raise NamesAtStake(changed)
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
            sleep(GIVE_WAY_S)
        return merged + self._merged_part(other, ())

    def _merged_part(self, other: Ledger, games: tuple[int, ...]) -> Merged:
        """Lay in some games, or none and what belongs to none; between two parts whoever plays comes in.

        The game on the table is taken up again where it has gone on elsewhere, or names in it have changed: that
        happens with each part, so that none that was removed is seen even where the next part fails.
        """
        with self._lock:
            self._beat()  # what the clock has run is in no row yet
            before = self._on_record()
            merged = merge(self._ledger, other, other.last, games, asides=not games, now_ms=wall_ms())
            self._ledger.adopt_names(other, wall_ms())
            self._names_changed += 1
            if not games:
                self._preferences = Preferences(self._ledger, self._games)
            if self._on_record() != before:
                self._called_anew()
            self._look()
        return merged

    def _on_record(self) -> object:
        """Return what differs once the game on the table has gone on elsewhere, or names in it have changed."""
        if self._play is None:
            return None
        number = self._play.game_id
        return self._ledger.newest_of(number), self._repository.stamp(number)[2]

    # Names

    def rename(self, old: str, new: str | None) -> int:
        """Give whoever is called *old* the name *new*, or none, in every game, and return at how many places.

        The game on the table goes on with it at once. Raises `Refused`, with nothing changed, for what is no name, and
        where it cannot be kept.
        """
        if new is not None:
            try:
                new = name_from(new)
            except Malformed as fault:
                raise Refused(fault.reason) from None
        with self._lock:
            self._beat()  # what the clock has run is in no row yet
            try:
                games = self._ledger.games_of(old)
                places = self._ledger.rename(old, new, wall_ms())
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
        """Have *tell* called with the newest snapshot after each commit; it must only take note. Returns its end."""
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

    def show_unattended(self, troubles: Sequence[str]) -> None:
        """Show, until it is called again, what is not done now: a sentence for each thread that starts again soon."""
        with self._lock:
            self._unattended = tuple(Notice(0, "unattended", text) for text in troubles)
            self._look()
        self._listeners.tell()

    def warn(self, text: Said) -> None:
        """Say for as long as the house runs what became of its ledger."""
        self._say_for_good("damaged", text)

    def close(self) -> None:
        """Write down the clock and close the ledger."""
        with self._lock:
            self._beat()
            self._ledger.close()

    # Inside

    def _begun_by_record(self, who: Who, header: Line, lines: Lines) -> Transaction:
        with self._lock:
            return self._repository.begin(header, who, 0.0, imported=True, lines=lines)

    def _known_as(self, rows: PackedRows) -> Imported | None:
        """Return the game that a record is of, None where it isn't here; of several one whose lines are the same.

        One that is damaged, or came only in part, isn't here: a record brings it back.
        """
        from companion.session.record_import import BETWEEN, standing

        found: list[Imported] = []
        with self._lock:
            for game in self._ledger.games_known_as(rows.origin.id) if rows.origin.id else ():
                if self._repository.entry(game).reason == BETWEEN:
                    continue
                with suppress(Malformed):
                    here = standing(self._repository.record(game))
                    found.append(Imported(game, False, here != rows.standing))
        return min(found, key=lambda each: each.differs, default=None)

    def _laid_in(self, rows: PackedRows, numbers: Numbering) -> int:
        for number, piece in enumerate(rows.pieces()):
            if number:
                sleep(GIVE_WAY_S)
            # Let go of between two pieces: whoever plays comes in there.
            with self._lock:
                laid = numbers.numbered(piece, self._ledger.last)
                if rows.origin.id and laid[0].kind == RowKind.GAME:
                    laid = (replace(laid[0], body={**laid[0].body, "id": rows.origin.id}), *laid[1:])
                self._ledger.append(laid)
                self._look()
                if rows.origin.started is not None:
                    self._ledger.obey_removals()  # a game from before a name was removed comes without it
        self._listeners.tell()
        assert laid[0].game is not None, "a record begins with its game"
        return laid[0].game

    def _known(self, source: tuple[str, str, int]) -> bool:
        try:
            return self._ledger.heard(source)
        except Unreadable:
            return False  # what a dead card may hold cannot be asked: better once too often in memory than never

    def _worth_keeping(self, events: Sequence[RingEvent]) -> list[RingEvent]:
        """Return *events* without those of a ring that floods; as many as may be draws are always among them."""
        play = self._play
        wanted = None if play is None or self._snapshot.status is not Status.LIVE else play.wanted
        room = 0 if play is None or wanted is None else sum(wanted.under.values()) - len(play.waiting)
        kept = []
        for event in events:
            drawn = (
                room > 0
                and play is not None
                and event.token == play.token
                and event.kind in (RingEventKind.OUT, RingEventKind.PAIR)
            )
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
