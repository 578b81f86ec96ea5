"""The game in play, in memory. It is begun, changed by transactions, and replaced by another game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from random import Random
from threading import Lock

from companion.events import packed
from companion.events.table_events import Aside, CopySaved, Fate
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.publisher import Publisher
from companion.kernel.said import Said, said
from companion.kernel.shown import shows
from companion.kernel.values import replace
from companion.ledger import Ledger, PagesDamaged, Unreadable
from companion.model import clock as clockwork
from companion.model.countdown import Countdown, timing
from companion.model.game import AnyGame, still_to_lay
from companion.model.snapshot import MovedOn, Notice, Snapshot, Status, Who
from companion.ports.ring import RingEvent, RingView
from companion.session.commands import Command, Switch
from companion.session.reconciliation import left_over
from companion.session.repository import Repository
from companion.session.state import TableState, Transcript, clocks_run
from companion.session.table_settings import TableSettings
from companion.session.transaction import COMPANION, Happening, Transaction

HAPPENINGS = 24
"""The number of committed transactions in memory for speech. Speech that is further behind misses older ones."""
HELD_BY_RESTART = "restart"


def any_game(game_id: int) -> bool:
    """Return True, so that the game that was in play last is resumed."""
    return True


@shows("play", "happenings")
class LiveGame:
    """The game in play. Each change is first committed, then applied in memory, then published to subscribers.

    `changing`, `commit_aside` and `add_lasting_notice` take the `lock`. For all other methods the caller must hold it.
    """

    def __init__(
        self,
        ledger: Ledger,
        games: Mapping[str, AnyGame],
        now: Callable[[], float],
        lots: Random,
        resumes: Callable[[int], bool] = any_game,
    ) -> None:
        """Resume the game that was in play last, if *resumes* accepts its number. *now* returns monotonic seconds.

        A program that only reads other games passes a *resumes* that returns False, because resuming a game folds all
        its rows.
        """
        self.ledger = ledger
        self.games = games
        self.lock = Lock()
        self.repository = Repository(ledger, games, lots)
        self.settings = TableSettings(ledger, games)
        self.names_changed = 0
        """Counts how often names were changed, in all games."""
        self.now = now
        self.play: TableState | None = None
        self.transcript: Transcript | None = None
        self.happenings: deque[Happening] = deque(maxlen=HAPPENINGS)
        self.ring = RingView()
        self.flood = FloodBudget()
        self.as_of = self.beaten_at = now()
        self.idle: tuple[Notice, ...] = ()
        """Notices about rings from the time without a game in play, the newest first."""
        amiss = (*self.settings.amiss, *(each.sentence for each in ledger.found))
        self.lasting = tuple(Notice(0, "damaged", why) for why in amiss)
        self.unattended: tuple[Notice, ...] = ()
        self.called: tuple[Notice, ...] = ()
        """The notice that the club is calling this table; it is empty if it isn't."""
        self.misnamed_shown: tuple[str, ...] = ()
        self._resume(resumes)
        self.snapshot = Snapshot()
        self.refresh()
        self.listeners = Publisher(lambda: self.snapshot)

    # Transactions

    @contextmanager
    def changing(self, begin: Callable[[], Transaction]) -> Iterator[Transaction]:
        """Yield the transaction of *begin*.

        After the block, add the events that follow automatically, commit, and publish.
        """
        with self.lock:
            try:
                transaction = begin()
                yield transaction
                transaction.settle(self.ring_hand())
            except Unreadable as fault:
                raise Refused(fault.refusal) from fault
            if not transaction.entries:
                return  # the command changed nothing, for example because the same button was pressed twice
            self.commit(transaction)
        self.listeners.publish()

    def transaction(self) -> Transaction:
        """Return a transaction on the game in play, with its clock read."""
        if self.play is None or self.transcript is None:
            raise Refused(said("There's no game on the table."))
        if not clocks_run(self.play):
            return self.repository.transaction(self.play, self.transcript, self.now())
        clock, as_of = clockwork.read(self.play.clock, self.as_of, self.now())
        return self.repository.transaction(self.play.but(clock=clock), self.transcript, as_of)

    def transaction_for(self, command: Command) -> Transaction:
        """Return a transaction on the game that *command* is for: the game in play, except for a `Switch`."""
        return self.load(command.game) if isinstance(command, Switch) else self.transaction()

    def commit(self, transaction: Transaction) -> None:
        """Write a transaction to the ledger, then apply its result.

        If writing raises an exception, nothing has changed.
        """
        self.ledger.append(transaction.rows)
        for entry in transaction.entries:
            if entry.game is None:
                self.settings.add(entry)
        self.happenings.append(Happening(self.play, tuple(transaction.entries), transaction.play))
        transaction.transcript.add(transaction.entries)
        self.transcript = transaction.transcript
        self.play = transaction.play
        self.as_of = transaction.as_of
        self.beaten_at = self.now()
        if self.play.status.over:
            self._learn_of_copy()
        self.refresh()

    def commit_aside(self, event: Aside, who: Who) -> None:
        """Write an event that belongs to no game, and publish the new snapshot."""
        with self.lock:
            self._append_aside(event, who)
            self.refresh()
        self.listeners.publish()

    def _append_aside(self, event: Aside, who: Who) -> None:
        entry = self.repository.aside(event, who)
        self.ledger.append((packed(entry),))
        self.settings.add(entry)

    # Begin, load and replace games

    def begin(self, header: Line, who: Who, version: int | None = None) -> Transaction:
        """Return the transaction that begins a new game.

        Raises `MovedOn` if a game began after the page of *version* was rendered.
        """
        if version is not None and self.play is not None and version < self.play.game_id:
            raise MovedOn(self.play.version)
        self.repository.begin(header, who, self.now())  # so that a refusal is raised before anything is written
        self._unload()
        # Begin again, because `_unload` may have written a row with the number that the first call used.
        return self.repository.begin(header, who, self.now())

    def load(self, game_id: int) -> Transaction:
        """Return a transaction on game *game_id*, which replaces the game in play when it is committed."""
        if self.play is not None and self.play.game_id == game_id:
            return self.transaction()
        play, transcript = self.repository.take_up(game_id)
        self._unload()
        return self.repository.transaction(play, transcript, self.now())

    def reload(self) -> None:
        """Fold the game in play from its rows again, after names in them have changed."""
        if self.play is not None:
            self.play, self.transcript = self.repository.take_up(self.play.game_id)
            self.as_of = self.beaten_at = self.now()
            self.refresh()

    def _unload(self) -> None:
        """Write the running clock of the game in play, and the values that the game has shown about its copy."""
        if self.now() > self.as_of:
            self.beat()
        self._learn_of_copy()

    def _resume(self, resumes: Callable[[int], bool]) -> None:
        game_id = self.ledger.live_game()
        if game_id is None or not resumes(game_id):
            return
        try:
            self.play, self.transcript = self.repository.take_up(game_id)
        except Malformed as fault:
            self.idle = (Notice(0, "unreadable", fault.reason),)
            return
        except PagesDamaged:
            raise  # the caller repairs the file and calls this again
        except Unreadable as fault:
            self.idle = (Notice(0, "unreadable", fault.refusal),)
            return
        if clocks_run(self.play):
            self.play = _restarted(self.play, self.ledger.ran_on(game_id))

    # The copy of the game that is used at the table

    def learnt(self, play: TableState, lines: Iterable[Line]) -> tuple[CopySaved, ...]:
        """Return the event that stores this copy's new board values, learnt from *lines*, or () if there are none."""
        copy = self.settings.copy(play.copy)
        board = play.game.board
        if copy is None or board is None or copy.game != play.game.name:
            return ()
        more = reduce(board.learnt, lines, copy.board)
        return () if more == copy.board else (CopySaved(replace(copy, board=more)),)

    def _learn_of_copy(self) -> None:
        # This is done only when the game is over or unloaded, because until then an undo can change the values.
        if self.play is None or self.transcript is None:
            return
        for more in self.learnt(self.play, self.transcript.valid_lines()):
            self._append_aside(more, COMPANION)

    # The clock

    def beat(self) -> None:
        """Write a row with the clock's time if the clock runs."""
        if self.play is not None and clocks_run(self.play):
            transaction = self.transaction()
            transaction.add(Fate.BEAT, COMPANION)
            self.commit(transaction)

    def store_running_clock(self) -> None:
        """Store the time that has passed since the clock's last row.

        No row is written, because nothing has happened.
        """
        if self.play is not None and clocks_run(self.play):
            clock, _ = clockwork.read(self.play.clock, self.as_of, self.now())
            self.ledger.run_on(self.play.game_id, clock.game_ms)

    # The ring

    def draws_itself(self, play: TableState) -> bool:
        """Return whether the companion may draw in this game, either on its own or for a simulated ring."""
        ring = play.game.ring
        return ring is not None and (self.ring.obeys or ring.may_draw(play.state))

    def ring_hand(self) -> Who:
        """Return the author of the events that the ring reports."""
        return Who("ring", "virtual" if self.ring.simulated else "ring")

    # The snapshot for pages

    def refresh(self) -> None:
        """Make a new snapshot from the present state. Pages read the snapshot."""
        snapshot = snapshot_of(self.play, self.idle, self.ledger.trouble, self.ring, self.as_of)
        self.misnamed_shown = self.ledger.misnamed
        misnamed = (Notice(0, "damaged", why) for why in self.misnamed_shown)
        copy = self.settings.current(self.play.copy if self.play is not None else "")
        self.snapshot = replace(
            snapshot,
            notices=(*self.called, *self.unattended, *self.lasting, *misnamed, *snapshot.notices),
            copy=copy,
            box=self._box(copy),
            stored=self.settings.newest,
            dropped=self.flood.dropped,
        )

    def _box(self, name: str) -> Line | None:
        copy = self.settings.copy(name)
        return None if copy is None or self.play is None or copy.game != self.play.game.name else copy.board

    def add_lasting_notice(self, kind: str, text: Said) -> None:
        """Show a notice until the program ends."""
        with self.lock:
            self.lasting = (*self.lasting, Notice(0, kind, text))
            self.refresh()
        self.listeners.publish()


def snapshot_of(
    play: TableState | None, idle: tuple[Notice, ...], storage: str, ring: RingView, as_of: float
) -> Snapshot:
    """Return the snapshot of *play*. If there is no game (None), the snapshot has the notices *idle*."""
    if play is None:
        return Snapshot(notices=idle, storage=storage, ring=ring, as_of=as_of)
    status = play.status
    return Snapshot(
        version=play.version,
        status=status,
        game_id=play.game_id,
        game=play.game,
        header=play.header,
        state=play.state,
        absent=play.absent,
        recent=play.recent,
        questions=() if play.question is None else (play.question,),
        notices=play.notices,
        undoable=play.undoable,
        left_over=left_over(play),
        storage=storage,
        ring=ring,
        step=play.clock.step,
        step_ms=play.clock.step_ms,
        game_ms=play.clock.game_ms,
        as_of=as_of,
        timing=_timing(play, status),
        pace=play.pace,
        whole=play.state,
        seal="" if play.sealed is None else play.sealed.seal,
    )


def _timing(play: TableState, status: Status) -> Countdown | None:
    seats = tuple(seat.colour for seat in play.game.seats(play.state))
    wanting = still_to_lay(play.game, play.state)
    return timing(play.clock, play.pace, wanting, status is Status.LIVE, seats)


def _restarted(play: TableState, ran_ms: int) -> TableState:
    """Return *play* with its clock stopped. This is used when the companion has just started.

    *ran_ms* is the last known game time. The time since then is unknown, so the clock doesn't run until somebody
    continues. No row is written, because nothing happened at the table, and because the ledger may be read-only.
    """
    clock = play.clock.after(max(0, ran_ms - play.clock.game_ms))
    return play.but(clock=replace(clock, held=HELD_BY_RESTART))


ROW_BYTES = 600
"""The size of an event without its raw lines: its own row, its judgement, and its result."""
BURST_BYTES = 8_000_000
MINUTE_BYTES = 1_000_000
EVENING_BYTES = 64_000_000
EVENING_S = 12 * 3600.0


@shows("dropped", "_as_of")
class FloodBudget:
    """A limit on the stored ring events that are not part of a game, so that they cannot fill the disk.

    It is in bytes: at once, per minute and per evening. It is many times what a child playing with the gate, a
    calibration or an hour of practice produces, and stops a faulty ring that sends events endlessly. *dropped* counts
    the events that were not stored.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self._burst: float = BURST_BYTES
        self._evening: float = EVENING_BYTES
        self._as_of: float | None = None

    def keeps(self, event: RingEvent, now: float) -> bool:
        """Return whether to store *event* at *now* (monotonic seconds). If not, count it as dropped."""
        passed = 0.0 if self._as_of is None else max(0.0, now - self._as_of)
        self._as_of = now
        self._burst = min(BURST_BYTES, self._burst + passed * MINUTE_BYTES / 60)
        self._evening = min(EVENING_BYTES, self._evening + passed * EVENING_BYTES / EVENING_S)
        size = ROW_BYTES + sum(map(len, event.raw))
        if size > min(self._burst, self._evening):
            self.dropped += 1
            return False
        self._burst -= size
        self._evening -= size
        return True
