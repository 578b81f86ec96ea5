"""The table's side of the link: send its rows, state and events to one broker, without ever making the table wait.

One thread does all of this with a read-only connection to the ledger. Each commit wakes it. If it fails, the supervisor
restarts it while play continues. Nothing is queued: rows are read from the ledger when they are due, and the state is
made from the newest snapshot when it is sent.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from companion.club.batch import (
    MOST_BYTES,
    MOST_ROWS,
    Ack,
    AckState,
    Batch,
    ack_of,
    batch_bytes,
    names_mark,
    row_text,
)
from companion.club.connection import BrokerAddress, Connection, ConnectionView, Message
from companion.club.due_rows import DueRows
from companion.club.orders import CALL, Orders
from companion.club.position import Position, new_position, position_of, read_position, write_position
from companion.club.table_view import Signals, Stage, events_of, hurry_in_s, state_of
from companion.club.topics import ACK, BEAT, BIRTH, CLUB_STATE, DO, EVENT, ROWS, STAGE, STATE, topic
from companion.kernel.errors import Malformed
from companion.kernel.program import VERSION as PROGRAM_VERSION
from companion.kernel.said import Said, said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.ledger.stored import Fields, StoredName, StoredRows
from companion.model.link import LinkView
from companion.model.snapshot import Snapshot
from companion.session.table import Table

BEAT_S = 2.0
SHORTEST_S = 0.05
"""The shortest wait, in seconds. If the broker has no room for overdue messages, it reports when it has room again."""
SAVE_S = 60.0
"""The position is saved at most this often, in seconds, to spare the card. The club's retained answer is newer."""
NAMES_AT_ONCE = 500
_FIRST_NAME = (-1, -1)


_HELD: Mapping[AckState, Said | str] = {
    AckState.OK: "",
    AckState.GAP: "",
    AckState.FORK: "",
    AckState.FULL: said("The club's disk is full: make room there."),
    AckState.UNKNOWN: said("The club doesn't take this table's games: ask for a new sheet."),
    AckState.NEWER: said("This table has a newer program than the club: update the club's companion."),
}


@dataclass(frozen=True)
class Destination:
    """A receiver of a table's data: its name, its broker, the table's address there, and whether it gets rows.

    *orders* are the orders that it may give, and *via* is its name in the rows that these cause.
    """

    receiver: str
    broker: BrokerAddress
    address: str
    rows: bool = True
    name: str = ""
    orders: tuple[str, ...] = (CALL,)
    via: str = "club"


@shows("_due_rows", "connection")
class TableLink:
    """Connects *table*, whose ledger is in the folder *data*, with one destination."""

    what = said("The connection to the club")

    def __init__(
        self, table: Table, data: Path, ledger: Path, to: Destination, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._table, self._data, self._path, self._to, self._now = table, data, ledger, to, now
        self._wake = threading.Event()
        self._over = False
        self._news: SimpleQueue[Message] = SimpleQueue()
        self._rows: StoredRows | None = None
        self._position = Position("", "")
        self._due_rows = DueRows(self._position.cursor(to.receiver))
        self._saved, self._saved_at = self._position, 0.0
        self._connects = 0
        self._version = table.snapshot.version
        self._shown: dict[str, Any] = {}
        self._stage, self._signals = Stage(), Signals()
        self._orders = Orders(table, to.orders, to.via)
        self._beat_at = 0.0
        self._newest = 0
        self._threads: Supervisor | None = None
        self._disconnect: Callable[[], None] | None = None
        self.connection = Connection(
            *(to.broker, to.address, self.topics),
            will=lambda: self._birth(False),
            heard=self._heard,
            ready=self._wake.set,
        )

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that this table reads."""
        return (*(topic(self._to.address, word) for word in (ACK, BIRTH, DO)), CLUB_STATE)

    def start(self, threads: Supervisor) -> Callable[[], None]:
        """Start the threads that send. Return a function that says goodbye to the broker and ends the threads."""
        self._threads = threads
        thread = threads.start(f"link {self._to.receiver}", self.run, self.what)
        unsubscribe = (
            self._table.subscribe(lambda snapshot: self._wake.set()),
            self._table.subscribe_ring(lambda view: self._wake.set()),
        )

        def end() -> None:
            for each in unsubscribe:
                each()
            self._over = True
            self._wake.set()
            thread.end()
            if self._disconnect is not None:
                self._disconnect()

        return end

    def run(self) -> None:
        """Send what is due and wait for news, until the end."""
        try:
            self._open()
            if (
                self._disconnect is None and self._threads is not None
            ):  # the will names the ledger, so the ledger is opened first
                self._disconnect = self.connection.start(self._threads)
            while not self._over:
                self._turn()
                self._wake.wait(self._wait_s())
                self._wake.clear()
        finally:
            self._save()
            self._shut()

    def _turn(self) -> None:
        view = self.connection.view
        if not view.connected:
            return
        if view.connects != self._connects:
            self._connects, self._shown, self._stage.shown = view.connects, {}, ""
            self._version = self._table.snapshot.version
            self._greet()
        self._take_news()
        if self._to.rows and self._rows is not None:
            self._send_rows(self._rows)
        self._send_state()
        if self._now() - self._saved_at >= SAVE_S:
            self._save()

    def _greet(self) -> None:
        self.connection.publish(self._birth(True))

    def _wait_s(self) -> float | None:
        """Return the seconds until something may be due even without news, or None while disconnected."""
        if not self.connection.view.connected:
            return None
        now = self._now()
        waits = [self._beat_at + BEAT_S - now, self._due_rows.wait_s(now), self._stage.wait_s(now) or None]
        hurry = hurry_in_s(self._table.snapshot, now)
        waits.append(hurry if hurry is not None and hurry > 0 else None)
        return max(SHORTEST_S, min(each for each in waits if each is not None))

    # Rows

    def _open(self) -> None:
        self._shut()
        self._rows = StoredRows(self._path)
        self._newest = self._rows.end().number
        stored = read_position(self._data)
        self._start_at(position_of(self._rows, stored), stored)
        if not self._to.rows:
            self._shut()

    def _start_at(self, position: Position, stored: Position | None = None) -> None:
        self._position = position
        self._due_rows = DueRows(position.cursor(self._to.receiver), self._now())
        self._saved = stored or Position("", "")
        self._save()

    def _shut(self) -> None:
        if self._rows is not None:
            self._rows.close()
            self._rows = None

    def _save(self) -> None:
        position = self._position.at(self._to.receiver, self._due_rows.cursor)
        if self._to.rows and position != self._saved and position.ledger:
            with suppress(OSError):  # if this fails, the club receives some rows twice
                write_position(self._data, position)
            self._saved, self._saved_at = position, self._now()

    def _heard(self, message: Message) -> None:
        self._news.put(message)
        self._wake.set()

    def _take_news(self) -> None:
        with suppress(Empty):
            while True:
                message = self._news.get_nowait()
                if message.topic == CLUB_STATE:
                    self._due_rows.retry(self._now())
                elif message.topic == topic(self._to.address, BIRTH):
                    self._check_alone(message.payload)
                elif message.topic == topic(self._to.address, DO):
                    if not message.retain:  # a retained order would be executed again at each connect
                        self._orders.take(message.payload)
                else:
                    self._take(message)

    def _take(self, message: Message) -> None:
        with suppress(Malformed):  # anything may arrive on the topic; only acknowledgements matter
            self._acked(ack_of(message.payload))

    def _check_alone(self, payload: bytes) -> None:
        """Disconnect from the broker if another table uses the same code.

        A broker ends the older of two connections with the same name. So at its second connection, this table receives
        the other table's description. At its first connection, the description may be about an earlier ledger of this
        table.
        """
        with suppress(ValueError):
            birth = json.loads(payload)
            other = birth.get("ledger") if isinstance(birth, dict) else None
            if other and other != self._position.ledger and self.connection.view.connects > 1:
                self.connection.part(said("Another table uses the same code: each table needs a sheet of its own."))

    def _acked(self, ack: Ack) -> None:
        here = (ack.ledger, ack.epoch) == (self._position.ledger, self._position.epoch)
        if self._rows is None or not (here or ack.state is AckState.NEWER):
            return  # the acknowledgement is about an earlier epoch
        if here and (ack.state is AckState.FORK or (ack.upto and self._rows.digest(ack.upto) != ack.digest)):
            # The club has different rows with these numbers, so this ledger is a copy in which play has continued.
            self._start_at(new_position(self._rows.identity))
            self.connection.publish(self._birth(True))
            return
        self._due_rows.acked(ack, self._now())

    def _send_rows(self, rows: StoredRows) -> None:
        self._newest = end = rows.end().number
        renamings = rows.renamings()
        while (after := self._due_rows.due(end, self._now())) is not None:
            batch, payload = self._next_batch(rows, after, end)
            if not batch.rows or not self._publish_rows(payload):
                return
            self._due_rows.went(batch.last, self._now())
        mark = names_mark(renamings)
        if self._due_rows.names_due(mark, self._now()) and self._send_names(rows, renamings, end):
            self._due_rows.names_went(mark, self._now())

    def _next_batch(self, rows: StoredRows, after: int, newest: int) -> tuple[Batch, bytes]:
        """Return the rows after row *after* that fit into one batch, at least one, and their bytes."""
        found: list[Fields] = []
        texts: list[str] = []
        size = 0
        names: dict[tuple[int, int], StoredName] = {}
        for fields in rows.after(after, MOST_ROWS):
            text = row_text(fields)
            size += len(text)
            if found and size > MOST_BYTES:
                break
            found.append(fields)
            texts.append(text)
            names |= {name[:2]: name for name in rows.names_of(fields)}
        before = rows.digest(after) if after else None
        batch = self._batch(after, before, newest, rows=tuple(found), names=tuple(names.values()))
        return batch, batch_bytes(batch, texts)

    def _send_names(self, rows: StoredRows, renamings: str, newest: int) -> bool:
        """Send all names that were ever changed. The last batch contains the changes themselves."""
        upto, at = self._due_rows.cursor.upto, _FIRST_NAME
        before = rows.digest(upto) if upto else None
        while True:
            names = rows.changed_names(at, NAMES_AT_ONCE)
            complete = len(names) < NAMES_AT_ONCE
            wanted = renamings if complete else None
            if not self._publish_rows(
                batch_bytes(self._batch(upto, before, newest, names=tuple(names), renamings=wanted))
            ):
                return False
            if complete:
                return True
            at = names[-1][:2]

    def _batch(self, after: int, before: object, newest: int, **more: Any) -> Batch:
        return Batch(self._position.ledger, self._position.epoch, after, before, newest=newest, **more)

    def _publish_rows(self, payload: bytes) -> bool:
        return self.connection.publish(Message(topic(self._to.address, ROWS), payload))

    # State

    def _birth(self, online: bool) -> Message:
        games = sorted(self._table.live.games)
        body = {"online": online, "ledger": self._position.ledger, "epoch": self._position.epoch}
        body |= {"row": self._newest, "program": PROGRAM_VERSION, "games": games, "name": self._to.name}
        return self._message(BIRTH, body | {"at_ms": self._table.live.ledger.wall_ms()}, retain=True)

    def _state(self, snapshot: Snapshot) -> dict[str, Any]:
        return state_of(snapshot)

    def _send_state(self) -> None:
        snapshot, now = self._table.snapshot, self._now()
        state = self._state(snapshot)
        for happening in self._table.happened(self._version):
            for event in events_of(happening, state["turn"]):
                if not self.connection.publish(self._message(EVENT, event)):
                    return
            self._version = max(self._version, happening.version)
        for event in self._signals.look(snapshot, now):
            if not self.connection.publish(self._message(EVENT, event)):
                return
        if state != self._shown:
            since_ms = snapshot.step_ms + (round((now - snapshot.as_of) * 1000) if snapshot.runs else 0)
            if not self.connection.publish(self._message(STATE, {**state, "since_ms": since_ms}, retain=True)):
                return
            self._shown = state
        if (stage := self._stage.look(snapshot, now)) is not None:
            self.connection.publish(Message(topic(self._to.address, STAGE), stage.encode(), retain=True))
        if now - self._beat_at >= BEAT_S:
            self._beat_at = now
            self.connection.publish(self._message(BEAT, {"row": snapshot.version}, qos=0))

    def _message(self, word: str, body: dict[str, Any], qos: int = 1, retain: bool = False) -> Message:
        return Message(topic(self._to.address, word), json.dumps(body).encode(), qos, retain)

    @property
    def acknowledged(self) -> int:
        """The newest row that the receiver has on its disk."""
        return self._due_rows.cursor.upto

    @property
    def renamed(self) -> str:
        """The `names_mark` of the changes of names that the receiver has stored on its disk."""
        return self._due_rows.cursor.names

    @property
    def view(self) -> ConnectionView:
        """The state of the connection."""
        return self.connection.view

    def shown(self, name: str) -> LinkView:
        """Return the state of this connection to the club or home called *name*."""
        view = self.connection.view
        with self._table.live.lock:
            newest = self._table.live.ledger.last  # without a connection, this link has not seen the newest rows
        behind = max(0, newest - self.acknowledged) if self._to.rows else 0
        trouble = view.trouble or _HELD[self._due_rows.state]
        return LinkView(name, view.connected, trouble, behind, club=self._to.rows)
