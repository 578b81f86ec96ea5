"""The club's side of the link: receive what tables send to the broker, store it, acknowledge it, and merge it.

Callbacks of the connection only put messages into a queue. One thread empties it: it stores all waiting batches with
one commit and acknowledges them, then merges the new rows into the club's ledger.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from queue import Empty, SimpleQueue
from secrets import token_hex

from companion.club.batch import ANY, Ack, AckState, NewerBatch, ack_bytes, batch_of
from companion.club.connection import BrokerAddress, Connection, Message
from companion.club.inbox import Inbox, Post, Source
from companion.club.orders import CALL, order
from companion.club.topics import ACK, BEAT, BIRTH, CLUB_STATE, ROWS, STATE, address_in, topic
from companion.club.wall import LONGEST
from companion.kernel.errors import Malformed
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.ledger import Ledger, wall_ms
from companion.ledger.growing_merger import Merger
from companion.ledger.renaming import renamings_of
from companion.ledger.storage import connect

INBOX, LEDGER = "inbox.sqlite", "ledger.sqlite"
AT_ONCE = 128
"""The maximum number of batches in one commit."""
MERGED_AT_ONCE = 400
"""The maximum number of rows of one table that are merged before the next batches are stored."""
END_S = 5.0
"""The longest time for merging at the end, in seconds. The rest is merged at the next start."""
NOTED_S = 1.0
"""How often the progress of the merge is saved, in seconds."""
WATCHED = (STATE, BEAT)


@shows("_inbox")
class Collector:
    """Collects the rows of a club's tables from a broker into the folder of the club."""

    def __init__(
        self,
        folder: Path,
        address: BrokerAddress,
        say: Callable[[str], None],
        knows: Callable[[], Collection[str] | None] = lambda: None,
        name: str = "club",
        hear: Callable[[Message], None] | None = None,
        forget: Callable[[Collection[str]], None] = lambda removed: None,
    ) -> None:
        """Open the files in *folder*. *knows* returns the addresses of the tables of this club; None means all.

        *hear* is called with each message about a table's state, in the connection's thread. *forget* is called with
        the marks of names that a table removed.
        """
        self._say, self._knows, self._hear, self._forget = say, knows, hear, forget
        self._ledger = Ledger.open(folder / LEDGER, _connect)
        self._inbox = Inbox(folder / INBOX)
        self._waiting: SimpleQueue[Message] = SimpleQueue()
        self._owed: dict[str, Ack] = {}
        """For each table, the newest acknowledgement that could not be passed to the broker yet."""
        self._over = threading.Event()
        self._said: set[str] = set()
        self.connection = Connection(
            *(address, name, (topic("+", ROWS), topic("+", BIRTH), *(topic("+", word) for word in WATCHED if hear))),
            greeting=lambda: (Message(CLUB_STATE, _state(True), retain=True),),
            will=lambda: Message(CLUB_STATE, _state(False), retain=True),
            heard=self._heard,
            ready=lambda: self._waiting.put(_NOTHING),
        )

    def _heard(self, message: Message) -> None:
        word = address_in(message.topic)[1]
        if word in (ROWS, BIRTH):
            self._waiting.put(message)
        if self._hear is not None and word != ROWS:
            self._hear(message)

    @property
    def forked(self) -> frozenset[str]:
        """The addresses of tables that continued from an older copy and have not sent it in a new epoch yet."""
        newest = {source.address: source for source in list(self._inbox.sources.values())}
        return frozenset(address for address, source in newest.items() if source.forked)

    @property
    def late(self) -> frozenset[str]:
        """The addresses of tables whose newest rows have not arrived, or are not merged yet."""
        sources = list(self._inbox.sources.values())
        return frozenset(each.address for each in sources if min(each.upto, each.merged) < each.newest)

    def call(self, address: str) -> bool:
        """Call the table with this address. Return whether the broker accepted the call."""
        return self.connection.publish(order(address, CALL, token_hex(8)))

    def start(self, threads: Supervisor) -> Callable[[], None]:
        """Collect in threads of their own. Returns a function that ends them and closes the files."""
        thread = threads.start("club", self.run, said("The club's inbox"))
        disconnect = self.connection.start(threads)

        def end() -> None:
            disconnect()
            self._over.set()
            self._waiting.put(_NOTHING)
            thread.end()
            self._inbox.close()
            self._ledger.close()

        return end

    def run(self) -> None:
        """Merge the rows that were stored earlier, then process what arrives, until the end."""
        # This is made in this thread, because after an error nothing in memory can be trusted.
        self._inbox.merged_into(self._ledger.identity, self._ledger.last)
        self._merger = Merger(self._ledger)
        self._adopted: dict[int, str] = {}
        self._noted_at, self._next = time.monotonic(), 0
        try:
            while not self._over.is_set():
                self._take(self._arrived(wait=not self._merge()))
                self._send_owed()
            until = time.monotonic() + END_S
            while self._merge() and time.monotonic() < until:
                pass
        finally:
            self._note()

    def _arrived(self, wait: bool) -> list[Message]:
        found = [self._waiting.get()] if wait else []
        try:
            while len(found) < AT_ONCE:
                found.append(self._waiting.get_nowait())
        except Empty:
            pass
        return found

    def _note(self) -> None:
        self._inbox.note_merged(self._ledger.last)
        self._noted_at = time.monotonic()

    def _take(self, messages: Iterable[Message]) -> None:
        posts, now_ms, known = [], wall_ms(), self._knows()
        for message in messages:
            address, word = address_in(message.topic)
            if word == BIRTH and len(message.payload) <= LONGEST:
                self._inbox.born(address, message.payload.decode(errors="replace"), now_ms)
            elif word == ROWS:
                posts += self._posts(address, message.payload, now_ms, known)
        # The batches of one table may arrive in the wrong order.
        posts.sort(key=lambda post: (post.batch.ledger, post.batch.epoch, post.batch.after))
        for post, ack in zip(posts, self._inbox.take(posts, known) if posts else (), strict=True):
            self._owed[post.address] = ack
            if post.batch.renamings and ack.state is AckState.OK:
                self._forget(renamings_of(post.batch.renamings).own)
            if ack.state is AckState.UNKNOWN:
                self._say_once(
                    f"Table {post.address} sent rows of another table's ledger. They are not in the club."
                    " If it has that table's memory card, make the other sheet invalid: companion club revoke TABLE"
                )

    def _posts(self, address: str, payload: bytes, now_ms: int, known: Collection[str] | None) -> list[Post]:
        try:
            batch = batch_of(payload)
        except NewerBatch:
            self._owed[address] = Ack(ANY, ANY, AckState.NEWER)
            self._say_once(f"Table {address} has a newer program than the club: update the club's companion.")
            return []
        except Malformed as fault:
            self._say_once(f"Table {address} sent something that isn't a batch of rows: {fault.reason}.")
            return []
        if known is not None and address not in known:
            self._owed[address] = Ack(batch.ledger, batch.epoch, AckState.UNKNOWN)
            return []
        return [Post(address, batch, now_ms)]

    def _send_owed(self) -> None:
        for address, ack in list(self._owed.items()):
            if not self.connection.publish(Message(topic(address, ACK), ack_bytes(ack), retain=True)):
                return  # `ready` is called when there is room or a connection again
            del self._owed[address]

    def _merge(self) -> bool:
        """Merge some rows of each source, and return whether there are more. Tables never wait for this."""
        moved = False
        sources = deque(self._inbox.sources.values())
        sources.rotate(-self._next)  # so that under load each source has its turn
        for source in sources:
            self._next += 1
            if self._is_due(source):
                self._merge_source(source)
                moved = True
                if not self._waiting.empty():
                    break
        more = any(map(self._is_due, sources))
        if moved and (not more or time.monotonic() - self._noted_at >= NOTED_S):
            self._note()
        return more

    def _is_due(self, source: Source) -> bool:
        return source.merged < source.upto or self._is_renamed(source)

    def _is_renamed(self, source: Source) -> bool:
        return self._adopted.get(source.number, "") != source.names

    def _merge_source(self, source: Source) -> None:
        upto = min(source.upto, source.merged + MERGED_AT_ONCE)
        reading = self._inbox.reading(source, upto)
        merged, amiss = self._merger.merge(source.number, reading, source.merged)
        if source.names and (merged.games or self._is_renamed(source)):
            self._ledger.adopt_names(reading)
        self._adopted[source.number] = source.names
        source.merged = upto
        for why in amiss:
            self._say_once(f"Table {source.address}: {why}. The game isn't in the club's ledger.")

    def _say_once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._say(sentence)


_NOTHING = Message("", b"")


def _connect(path: Path) -> sqlite3.Connection:
    """Open the club's ledger without a sync for each commit. Rows lost in a power cut are merged again."""
    connection = connect(path)
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _state(online: bool) -> bytes:
    return json.dumps({"online": online, "since": round(time.time())}).encode()
