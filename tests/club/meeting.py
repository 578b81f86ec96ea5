"""A club and its tables in this process, with a real broker between them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from queue import Queue
from types import TracebackType

from companion.club.batch import Ack, ack_of
from companion.club.collector import INBOX, LEDGER, Collector
from companion.club.connection import BrokerAddress, Connection, Message
from companion.club.decisions import Decisions
from companion.club.inbox import Inbox
from companion.club.table_link import Destination, TableLink
from companion.club.topics import topic
from companion.kernel.supervisor import Supervisor
from companion.ledger import Ledger, canonical, merge
from tests.club.broker import PATIENCE_S, Broker
from tests.companion.live_table import LiveTable


class Seat:
    """A table of a meeting, with its connection to the broker."""

    def __init__(self, table: LiveTable, address: str, broker: Broker) -> None:
        self.table, self.address, self._broker = table, address, broker
        self.threads = Supervisor()
        self.sit_down()

    def sit_down(self) -> None:
        to = Destination("club", BrokerAddress("127.0.0.1", self._broker.port), self.address)
        self.link = TableLink(self.table.table, self.table.path.parent, self.table.path, to)
        self.end = self.link.start(self.threads)

    def restart(self, change: Callable[[Path], object] = lambda path: None) -> Seat:
        """End the table, change its ledger, and start it again."""
        self.end()
        self.table.ledger.close()
        change(self.table.path)
        self.table.sit_down()
        self.sit_down()
        return self


class Meeting:
    """A club's folder, collector and tables, and the acknowledgements that the club sent."""

    def __init__(self, folder: Path, broker: Broker) -> None:
        self.folder, self.broker = folder / "club", broker
        self.folder.mkdir()
        self._tables = folder
        self.seats: list[Seat] = []
        self.said: list[str] = []
        self.acks: Queue[tuple[str, Ack]] = Queue()
        self._closing = ExitStack()

    def __enter__(self) -> Meeting:
        watch = Connection(self.address, "watch", (topic("+", "ack"),), heard=self._acked)
        self._closing.callback(watch.start(Supervisor()))
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        for seat in self.seats:
            seat.end()
            seat.table.ledger.close()
        self.close()
        self._closing.close()

    @property
    def address(self) -> BrokerAddress:
        return BrokerAddress("127.0.0.1", self.broker.port)

    def open(self) -> None:
        """Start the club's side."""
        self.decisions = Decisions(self.folder)
        self.collector = Collector(self.folder, self.address, self.said.append, forget=self.decisions.forget)
        self._end: Callable[[], None] | None = self.collector.start(Supervisor())

    def close(self) -> None:
        """End the club's side, if it runs."""
        if self._end is not None:
            self._end()
            self._end = None

    def table(self, name: str) -> Seat:
        """Let a new table join."""
        folder = self._tables / name
        folder.mkdir()
        self.seats.append(Seat(LiveTable(folder / "ledger.sqlite"), name, self.broker))
        return self.seats[-1]

    def arrived(self, *seats: Seat) -> None:
        """Wait until the club has all rows of these tables on its disk."""
        missing = {seat.address: seat.table.ledger.last for seat in seats}
        while missing:
            address, ack = self.acks.get(timeout=PATIENCE_S)
            if ack.upto >= missing.get(address, ack.upto + 1) and ack.state == "ok":
                del missing[address]

    def until(self, fits: Callable[[Ack], bool]) -> Ack:
        """Wait for an acknowledgement for which *fits* returns True, and return it."""
        while True:
            _, ack = self.acks.get(timeout=PATIENCE_S)
            if fits(ack):
                return ack

    def inbox(self) -> Inbox:
        """Close the club, and return its inbox."""
        self.close()
        return Inbox(self.folder / INBOX)

    def merged(self) -> str:
        """Close the club, and return the contents of its ledger."""
        self.close()
        ledger = Ledger.read_only(self.folder / LEDGER)
        try:
            return canonical(ledger)
        finally:
            ledger.close()

    def expected(self, *more: Path) -> str:
        """Return the contents of a merge of all tables' ledgers and the ledgers in *more*."""
        whole = Ledger.open(self._tables / "whole.sqlite")
        try:
            for path in (*(seat.table.path for seat in self.seats), *more):
                other = Ledger.read_only(path)
                merge(whole, other, other.last)
                other.close()
            return canonical(whole)
        finally:
            whole.close()

    def _acked(self, message: Message) -> None:
        self.acks.put((message.topic.split("/")[2], ack_of(message.payload)))
