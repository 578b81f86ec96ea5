"""The messages of a joined table besides its rows: birth, state, event, stage and beat."""

from __future__ import annotations

import json
from pathlib import Path
from queue import Queue
from typing import Any

from companion.club.connection import BrokerAddress, Connection, ConnectionView, Message
from companion.club.table_link import Destination, TableLink
from companion.club.table_view import state_of
from companion.club.topics import topic
from companion.kernel.supervisor import Supervisor
from tests.club.broker import PATIENCE_S, free_port
from tests.club.meeting import Meeting
from tests.companion.live_table import LiveTable


def until(heard: Queue[Message], word: str, **fits: Any) -> dict[str, Any]:
    """Return the next message on the table's topic *word* that has the given fields."""
    while True:
        message = heard.get(timeout=PATIENCE_S)
        if message.topic == topic("one", word):
            body = json.loads(message.payload)
            if all(body.get(name) == value for name, value in fits.items()):
                return dict(body)


def test_a_table_shows_itself_at_the_broker(meeting: Meeting) -> None:
    """Topics: birth, state, event, stage and beat have the documented fields, and leaving sends an offline birth."""
    heard: Queue[Message] = Queue()
    watch = Connection(meeting.address, "spectator", (topic("+", "+"),), heard=heard.put)
    end = watch.start(Supervisor())
    seat = meeting.table("one")
    birth = until(heard, "birth", online=True)
    seat.table.open()
    began = until(heard, "event", event_type="began")
    state = until(heard, "state", row=seat.table.snapshot.version)
    while (message := heard.get(timeout=PATIENCE_S)).topic != topic("one", "stage") or message.payload != b"play":
        pass
    beat = until(heard, "beat")
    seat.end()
    gone = until(heard, "birth", online=False)
    end()

    assert birth["ledger"] == gone["ledger"] == seat.table.ledger.identity
    assert set(birth) == {"online", "ledger", "epoch", "row", "program", "games", "name", "at_ms"}
    assert began["row"] == 1
    assert {**state, "since_ms": 0} == state_of(seat.table.snapshot)
    assert set(beat) == {"row"}


def test_a_table_without_a_network_does_nothing(tmp_path: Path) -> None:
    """While the broker can't be reached, the link looks for rows to send only when the table changes."""
    live, tries = LiveTable(tmp_path / "ledger.sqlite"), Queue[ConnectionView]()
    link = Looking(live.table, tmp_path, live.path, Destination("club", BrokerAddress("127.0.0.1", free_port()), "one"))
    link.connection.subscribe(tries.put)
    end = link.start(Supervisor())
    first, second = (tries.get(timeout=PATIENCE_S) for _ in range(2))
    live.open()
    end()
    live.ledger.close()

    assert not first.connected
    assert not second.connected
    assert link.looks <= 6


def test_a_connection_says_how_it_is(tmp_path: Path) -> None:
    """State: the link reports why it is not connected, and how many rows are unsent, including the newest one."""
    live, tries = LiveTable(tmp_path / "ledger.sqlite").open(), Queue[ConnectionView]()
    to = Destination("club", BrokerAddress("127.0.0.1", free_port()), "one")
    link = TableLink(live.table, tmp_path, live.path, to)
    link.connection.subscribe(tries.put)
    end = link.start(Supervisor())
    tries.get(timeout=PATIENCE_S)
    live.score()
    shown, rows = link.shown("Essen 2027"), live.ledger.last
    end()
    live.ledger.close()

    assert (shown.name, shown.connected, shown.behind) == ("Essen 2027", False, rows)
    assert "No broker listens" in shown.trouble


class Looking(TableLink):
    """A link that counts how often it looks for something to send."""

    looks = 0

    def _turn(self) -> None:
        self.looks += 1
        super()._turn()
