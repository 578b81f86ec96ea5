"""The game on the table, in memory: begun, changed in transactions, kept, shown, put away; under the table's lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from random import Random

from companion.events import packed
from companion.events.table_events import Aside, CopyKept, Fate
from companion.kernel.errors import Malformed, Refused
from companion.kernel.frozen import replace
from companion.kernel.i18n import Said, said
from companion.kernel.pubsub import Publisher
from companion.kernel.shown import shows
from companion.kernel.validation import Line
from companion.ledger import Ledger, PagesDamaged, Unreadable
from companion.model import clock as clockwork
from companion.model.game import AnyGame
from companion.model.snapshot import MovedOn, Notice, Snapshot, Status, Who
from companion.ports.ring import RingView
from companion.ring.flood_budget import FloodBudget
from companion.session import clock_commands
from companion.session.archive import Archive
from companion.session.commands import Command, Switch
from companion.session.snapshot_of import snapshot_of
from companion.session.state import TableState
from companion.session.transaction import COMPANION, Happening, Transaction

HAPPENINGS = 24
"""So many transactions are kept for those who say them aloud; who is further behind has missed them."""
OVER = (Status.FINISHED, Status.ABANDONED)


@shows("_happenings")
class LiveGame(Archive):
    """What every change at the table stands on: a transaction is on record first, then in memory, then seen and told.

    `_changing`, `_keep_aside` and `_say_for_good` take the lock, the rest is called under it.
    """

    def __init__(self, ledger: Ledger, games: Mapping[str, AnyGame], now: Callable[[], float], lots: Random) -> None:
        """Resume what was on the table last; *now* gives monotonic seconds."""
        super().__init__(ledger, games, lots)
        self._now = now
        self._idle: tuple[Notice, ...] = ()
        self._flood = FloodBudget()
        self._happenings: deque[Happening] = deque(maxlen=HAPPENINGS)
        amiss = (*self._preferences.amiss, *(each.sentence for each in ledger.found))
        self._lasting = tuple(Notice(0, "damaged", why) for why in amiss)
        self._unattended: tuple[Notice, ...] = ()
        self.mended = ledger.mended
        """What the ledger's file lacked and got again as it was opened; for the terminal, since no game suffers."""
        self._ring = RingView()
        self._as_of = self._beaten_at = now()
        self._resume()
        self._snapshot = Snapshot()
        self._look()
        self._listeners = Publisher(lambda: self._snapshot)

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

    def _begun(self, header: Line, who: Who, version: int | None = None) -> Transaction:
        if version is not None and self._play is not None and version < self._play.game_id:
            raise MovedOn(self._play.version)
        self._repository.begin(header, who, self._now())  # a refusal comes before anything is written
        self._put_away()
        # Once more: the beat may have taken the number that the first one got.
        return self._repository.begin(header, who, self._now())

    def _taken_up(self, game_id: int) -> Transaction:
        if self._play is not None and self._play.game_id == game_id:
            return self._transaction()
        play, transcript = self._repository.take_up(game_id)
        self._put_away()
        return self._repository.transaction(play, transcript, self._now())

    def _put_away(self) -> None:
        """Write down what the clock of the game on the table has run, before another takes its place."""
        if self._now() > self._as_of:
            self._beat()
        self._remember()

    def _remember(self) -> None:
        """Keep what the game on the table has told of its copy, once it is over or put away: undo mends it before."""
        if self._play is None or self._transcript is None:
            return
        for more in self._learnt(self._play, self._transcript.standing()):
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
        if self._play is None or self._transcript is None:
            raise Refused(said("There's no game on the table."))
        if self._snapshot.status is not Status.LIVE or self._play.clock.held:
            return self._repository.transaction(self._play, self._transcript, self._now())
        clock, as_of = clockwork.read(self._play.clock, self._as_of, self._now())
        return self._repository.transaction(self._play.but(clock=clock), self._transcript, as_of)

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
        transaction.transcript.add(transaction.entries)
        self._transcript = transaction.transcript
        self._play = transaction.play
        self._as_of = transaction.as_of
        self._beaten_at = self._now()
        if self._play.status in OVER:
            self._remember()
        self._look()

    def _look(self) -> None:
        snapshot = snapshot_of(self._play, self._idle, self._ledger.trouble, self._ring, self._as_of)
        self._told_of = self.misnamed
        copy = self._preferences.current(self._play.copy if self._play is not None else "")
        self._snapshot = replace(
            snapshot,
            notices=(
                *self._unattended,
                *self._lasting,
                *(Notice(0, "damaged", why) for why in self._told_of),
                *snapshot.notices,
            ),
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
            self._play, self._transcript = self._repository.take_up(game_id)
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
            self._play, self._transcript = self._repository.take_up(self._play.game_id)
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
            transaction.add(Fate.BEAT, COMPANION)
            self._keep(transaction)

    def _ring_hand(self) -> Who:
        return Who("ring", "virtual" if self._ring.simulated else "ring")
