"""The table: the single owner of the game in play and of the ledger. All changes go through it, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.events import packed
from companion.events.table_events import CalibrationSaved, CopySaved, CopyUsed, PlayedWith
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.names import name_from
from companion.kernel.publisher import Publisher
from companion.kernel.said import Said, said
from companion.kernel.shown import shows
from companion.kernel.values import replace
from companion.ledger import LedgerFault, Unreadable
from companion.model.boxes import Copy, checked, named
from companion.model.snapshot import CALLED, UNATTENDED, Notice, Snapshot, Status, Who
from companion.ports.ring import Order, RingEvent, RingEventKind, RingView, Unrecorded
from companion.records import reason_of
from companion.session import execution
from companion.session.archive import Archive
from companion.session.commands import Command, Move, Undo
from companion.session.importer import Importer
from companion.session.live_game import LiveGame
from companion.session.reducer import NOTICES
from companion.session.transaction import Happening

BEAT_S = 10.0
"""Seconds between two rows of a running clock. A power cut loses at most this much of the clock."""
CALL_S = 120.0
"""For this many seconds, a table shows that its club is calling it."""
PROBE_S = 5.0
"""Seconds between two checks of whether the storage can be written."""


@shows("live")
class Table:
    """The game in play, safe to use from any thread; reading its `snapshot` never blocks.

    `live` is the game in play and commits its changes, `archive` reads past games, `importer` adds records and backups.
    A command is committed before its result is visible. It returns the new version. If it raises `Malformed`, `Refused`
    or `MovedOn`, nothing has changed.
    """

    def __init__(self, live: LiveGame) -> None:
        """Serve *live* and the games in its ledger."""
        self.live = live
        self.archive = Archive(live)
        self.importer = Importer(live)
        self._probed_at = live.now()
        self._called_at = float("-inf")
        self._ring_listeners = Publisher(lambda: self.live.ring)

    @property
    def snapshot(self) -> Snapshot:
        """The newest frozen snapshot."""
        return self.live.snapshot

    def happened(self, after: int) -> tuple[Happening, ...]:
        """Return the transactions in memory that led to a version above *after*, oldest first."""
        return tuple(each for each in list(self.live.happenings) if each.version > after)

    def order(self) -> Order | None:
        """Return the order with which the ring should be armed now, or None if no draw is expected."""
        play = self.live.play
        if play is None or play.wanted is None or self.snapshot.status is not Status.LIVE:
            return None
        return Order(play.token, dict(play.wanted.under))

    # Games

    def open(self, header: Line, who: Who, copy: str = "", version: int | None = None) -> int:
        """Put a new game on the table and return its first version. *copy* is the name of the copy that is used.

        Raises `MovedOn` if a game began after the page of *version* was rendered.
        """
        live = self.live
        if copy and copy not in [each.name for each in self.archive.copies()]:
            raise Malformed(said("There's no copy called %(name)s.", name=repr(copy)))
        with live.changing(lambda: live.begin(header, who, version)) as transaction:
            execution.as_before(transaction, live.settings.pace(transaction.play.game.name))
            if live.draws_itself(transaction.play):
                transaction.seal()
            if copy:
                transaction.add(PlayedWith(copy), who)
                for more in live.learnt(transaction.play, [header]):
                    transaction.aside(more, who)
                transaction.aside(CopyUsed(copy), who)
        return transaction.play.version

    def rename(self, old: str, new: str | None) -> int:
        """Rename the person called *old* in all games, or remove the name if *new* is None.

        Return the number of changed places. The game in play shows the change at once. Raises `Refused`, and changes
        nothing, if *new* isn't valid or the ledger can't be written.
        """
        if new is not None:
            try:
                new = name_from(new)
            except Malformed as fault:
                raise Refused(fault.reason) from None
        live = self.live
        with live.lock:
            live.beat()  # the time since the clock's last row is not stored in a row yet
            try:
                games = live.ledger.games_of(old)
                places = live.ledger.rename(old, new, live.ledger.wall_ms())
            except LedgerFault as fault:
                raise Refused(said("Names can't be changed now: %(why)s", why=str(fault))) from fault
            live.names_changed += 1
            live.reload()
        self.archive.summaries.forget(games)
        live.listeners.publish()
        return places

    # Copies and calibrations

    def save_copy(self, copy: Copy, who: Who) -> None:
        """Save *copy*, which may replace a stored copy with the same name, or raise `Malformed` if it isn't valid."""
        self.live.commit_aside(CopySaved(checked(copy, self.live.games)), who)

    def save_calibration(self, line: Line, who: Who) -> None:
        """Save a calibration for the copy named in *line*.

        The caller must have validated it with `Instrument.check_line`.
        """
        self.live.commit_aside(CalibrationSaved(named(line), line), who)

    # Commands

    def execute(self, command: Command, who: Who, version: int | None = None) -> int:
        """Execute *command*. *version* is the version of the page that it comes from."""
        live = self.live
        with live.changing(lambda: live.transaction_for(command)) as transaction:
            execution.execute(transaction, command, who, version, live.repository.passage)
        return transaction.play.version

    def lot(self) -> str:
        """Draw the next cube of a simulated ring with the sealed seed, and return its colour.

        The draw is committed before this returns. The result is empty if no draw is expected or no seed is sealed.
        """
        if self.order() is None:
            return ""
        with self.live.changing(self.live.transaction) as transaction:
            return transaction.lot()

    def do(self, line: Line, who: Who, version: int | None = None) -> int:
        """Execute the command for *line*, a line of a record."""
        return self.execute(command_of(line), who, version)

    # The ring

    def heard(self, *events: RingEvent) -> None:
        """Commit *events* and their effects, each event exactly once.

        Raises `Unrecorded` while one of them is only in memory. If a ring sends too many events that no game expects,
        they are only counted (`Snapshot.dropped`) and not stored. No exception is raised for these, or the ring would
        send them again and again.
        """
        live = self.live
        with live.lock:
            fresh = self._worth_keeping([event for event in events if not self._known(event.source)])
            if fresh:
                self._commit_ring_events(fresh)
            # This includes repeated events: if a ring sends an event again, it must not be acknowledged before it is on
            # the disk.
            waits = bool(live.ledger.trouble) and any(live.ledger.waits(event.source) for event in events)
            trouble = live.ledger.trouble if waits else ""
        if fresh:
            live.listeners.publish()
        if trouble:
            raise Unrecorded(trouble)

    def ring_changed(self, view: RingView) -> None:
        """Publish *view*, the new state of the ring."""
        live = self.live
        with live.lock:
            live.ring = view
            live.snapshot = replace(live.snapshot, ring=view)
        self._ring_listeners.publish()

    def _known(self, source: tuple[str, str, int]) -> bool:
        try:
            return self.live.ledger.has_recorded(source)
        except Unreadable:
            return False  # The card can't be read. An event that is in memory twice is better than a lost event.

    def _worth_keeping(self, events: Sequence[RingEvent]) -> list[RingEvent]:
        """Return the *events* to store.

        Possible draws of the game in play are always stored; other events only within the limit.
        """
        play, flood = self.live.play, self.live.flood
        wanted = None if play is None or self.snapshot.status is not Status.LIVE else play.wanted
        room = 0 if play is None or wanted is None else sum(wanted.under.values()) - len(play.waiting)
        worth = []
        for event in events:
            drawn = (
                room > 0
                and play is not None
                and event.token == play.token
                and event.kind in (RingEventKind.OUT, RingEventKind.PAIR)
            )
            room -= drawn
            if drawn or flood.keeps(event, self.live.now()):
                worth.append(event)
        return worth

    def _commit_ring_events(self, events: Sequence[RingEvent]) -> None:
        live = self.live
        hand = live.ring_hand()
        if live.play is None:
            for event in events:
                entries, notice = live.repository.without_game(event, hand)
                live.ledger.append(tuple(map(packed, entries)))
                live.idle = (*notice, *live.idle[: NOTICES - 1])
            live.refresh()
            return
        transaction = live.transaction()
        for event in events:
            transaction.hear(event, hand)
            transaction.settle(hand)
        live.commit(transaction)

    # Subscribers

    def subscribe(self, callback: Callable[[Snapshot], None], first: bool = False) -> Callable[[], None]:
        """Call *callback* with the newest snapshot after each commit; it must not block.

        Returns a function that unsubscribes.
        """
        return self.live.listeners.add(callback, first)

    def subscribe_ring(self, callback: Callable[[RingView], None]) -> Callable[[], None]:
        """Call *callback* when the ring's view changes; it must not block. Returns a function that unsubscribes."""
        return self._ring_listeners.add(callback)

    # Time

    def tick(self) -> None:
        """Check the storage and write the clock, if this is due. Call this about every second."""
        live = self.live
        with live.lock:
            before = live.ledger.trouble
            if before or live.now() - self._probed_at >= PROBE_S:
                self._probed_at = live.now()
                live.ledger.probe()
            if live.now() - live.beaten_at >= BEAT_S:
                live.beat()
            live.store_running_clock()
            answered = bool(live.called) and live.now() - self._called_at >= CALL_S
            if answered:
                live.called = ()
            changed = answered or before != live.ledger.trouble or live.misnamed_shown != live.ledger.misnamed
            if changed or live.snapshot.dropped != live.flood.dropped:
                live.refresh()
        if changed:
            live.listeners.publish()

    def show_unattended(self, troubles: Sequence[str]) -> None:
        """Replace the notices about background threads by *troubles*, one for each thread that waits to restart."""
        live = self.live
        with live.lock:
            live.unattended = tuple(Notice(0, UNATTENDED, text) for text in troubles)
            live.refresh()
        live.listeners.publish()

    def call(self) -> None:
        """Show for `CALL_S` seconds that the club is calling. A call is not part of a game, so no row is added."""
        live = self.live
        with live.lock:
            self._called_at = live.now()
            live.called = (Notice(0, CALLED, said("The club calls this table.")),)
            live.refresh()
        live.listeners.publish()

    def warn(self, text: Said) -> None:
        """Show *text*, a notice about the ledger, until the program ends."""
        self.live.add_lasting_notice("damaged", text)

    def close(self) -> None:
        """Write the clock and close the ledger."""
        with self.live.lock:
            self.live.beat()
            self.live.ledger.close()


def command_of(line: Line) -> Move | Undo:
    """Return the command for a *line* of a record: `Undo` for `{"do": "undo"}`, otherwise `Move`."""
    return Undo(reason_of(line)) if line.get("do") == "undo" else Move(line)
