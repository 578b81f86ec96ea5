"""After an error in a thread of the club, the thread restarts and no row is lost."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from queue import Queue
from urllib.request import urlopen

from companion.app.club_pages import serve_club
from companion.club import BrokerAddress, Connection, Message
from companion.club.batch import ack_of
from companion.club.collector import Collector
from companion.club.table_link import Destination, TableLink
from companion.kernel.supervisor import Supervisor
from tests.club.broker import PATIENCE_S, Broker
from tests.club.hall import Hall
from tests.companion.app.test_injected_errors import Once
from tests.companion.live_table import LiveTable
from tests.pauses import at_once


def restarts(threads: Supervisor, name: str) -> int:
    return next(view.restarts for view in threads.views if view.name.startswith(name))


def test_a_connection_is_back_after_an_error(broker: Broker) -> None:
    """`broker`: after an error in the greeting, the thread restarts and connects again."""
    threads, once = at_once(), Once(RuntimeError("bug"))
    connection = Connection(BrokerAddress("127.0.0.1", broker.port), "table", greeting=lambda: once() or ())

    end = connection.start(threads)
    assert once.again.wait(PATIENCE_S)
    end()

    assert restarts(threads, "broker") == 1


def test_rows_arrive_after_errors_at_both_ends(broker: Broker, tmp_path: Path) -> None:
    """`link` and `club`: after an error at the table and one in the club, all rows are acknowledged."""
    threads, at_table, in_club = at_once(), Once(RuntimeError("bug")), Once(RuntimeError("bug"))
    address, acks = BrokerAddress("127.0.0.1", broker.port), Queue[Message]()
    club = tmp_path / "club"
    club.mkdir()
    live = LiveTable(tmp_path / "ledger.sqlite").open().score()

    def knows() -> Collection[str] | None:
        in_club()
        return None

    def now() -> float:
        if link.view.connected:
            at_table()
        return live.time

    watch = Connection(address, "watch", ("rc/1/+/ack",), heard=acks.put)
    link = TableLink(live.table, tmp_path, live.path, Destination("club", address, "t"), now=now)
    ends = [
        watch.start(threads),
        Collector(club, address, str, knows).start(threads),
        link.start(threads),
    ]
    assert at_table.again.wait(PATIENCE_S)
    assert in_club.again.wait(PATIENCE_S)
    while ack_of(acks.get(timeout=PATIENCE_S).payload).upto < live.ledger.last:
        live.time += 1
    for end in ends:
        end()
    live.ledger.close()

    assert (restarts(threads, "link"), restarts(threads, "club")) == (1, 1)


def test_the_pages_are_back_after_an_error(tmp_path: Path) -> None:
    """`club pages`: after an error in the server, it restarts at the same port."""
    threads, once = at_once(), Once(RuntimeError("bug"))
    club = Hall(tmp_path).club

    port, end = serve_club(club, "127.0.0.1", 0, threads, once)
    assert once.again.wait(PATIENCE_S)
    with urlopen(f"http://127.0.0.1:{port}/club.json") as answer:
        tiles = json.load(answer)
    end()

    assert len(tiles) == 3
    assert restarts(threads, "club pages") == 1
