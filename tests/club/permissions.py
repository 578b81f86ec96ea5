"""`python -m tests.club.permissions`: each table of a club tries to write to and read from all topics of all others."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue

from companion.club.connection import Connection, ConnectionView, Message
from companion.club.topics import ACK, BEAT, BIRTH, CLUB_STATE, EVENT, ROWS, STAGE, STATE, topic
from companion.kernel.supervisor import Supervisor
from tests.club.broker import MISSING, PATIENCE_S, PROGRAM
from tests.club.house import House

WORDS, LAST = (BIRTH, ROWS, ACK, STATE, EVENT, STAGE, "do", "other"), BEAT
MINE = frozenset({BIRTH, ROWS, STATE, EVENT, STAGE, BEAT})


@dataclass
class Tried:
    """The messages that each table wrote, as (table, table of the topic, word), and the topics that it read."""

    members: tuple[str, ...] = ()
    written: set[tuple[str, ...]] = field(default_factory=set)
    read: dict[str, set[str]] = field(default_factory=dict)

    @property
    def own(self) -> set[tuple[str, ...]]:
        """The messages that may be written: each table's own topics."""
        return {(member, member, word) for member in self.members for word in MINE}

    @property
    def own_read(self) -> dict[str, set[str]]:
        """The topics that may be read: each table's own acknowledgement and birth."""
        return {member: {topic(member, word) for word in (ACK, BIRTH)} for member in self.members}


def seen(connection: Connection) -> Queue[ConnectionView]:
    """Return a queue of the states that a connection reports."""
    found: Queue[ConnectionView] = Queue()
    connection.subscribe(found.put)
    return found


def tried(house: House, tables: int) -> Tried:
    """Let each of the first *tables* write to and read from all topics of the other tables."""
    heard: Queue[Message] = Queue()
    members = [house.member(number) for number in range(1, tables + 1)]
    found = Tried(tuple(member.address for member in members), read={member.address: set() for member in members})
    with ExitStack() as closing:
        club = Connection(house.own, "club", ("rc/1/#",), heard=heard.put)
        up = seen(club)
        closing.callback(club.start(Supervisor()))
        up.get(timeout=PATIENCE_S)
        for member in members:
            table = Connection(member.broker, member.address)
            up = seen(table)
            closing.callback(table.start(Supervisor()))
            up.get(timeout=PATIENCE_S)
            said = [topic(other.address, word) for other in members for word in WORDS]
            for name in (*said, topic(member.address, LAST)):
                while not table.publish(Message(name, member.address.encode(), retain=True)):
                    time.sleep(0.001)
        waiting = tables
        while waiting:
            message = heard.get(timeout=PATIENCE_S)
            found.written.add((message.payload.decode(), *message.topic.split("/")[2:]))
            waiting -= message.topic.endswith(f"/{LAST}") and topic(message.payload.decode(), LAST) == message.topic
        acks = [Message(topic(member.address, ACK), b"club", retain=True) for member in members]
        end_mark = Message(CLUB_STATE, b"end", retain=True)
        answers = Connection(house.own, "answers")
        up = seen(answers)
        closing.callback(answers.start(Supervisor()))
        up.get(timeout=PATIENCE_S)
        for each in (*acks, end_mark):
            while not answers.publish(each):
                time.sleep(0.001)
        while heard.get(timeout=PATIENCE_S).topic != CLUB_STATE:
            pass
        for member in members:
            own_mail: Queue[Message] = Queue()
            table = Connection(member.broker, f"reading {member.address}", ("#",), heard=own_mail.put)
            end = table.start(Supervisor())
            while (message := own_mail.get(timeout=PATIENCE_S)).topic != CLUB_STATE:
                found.read[member.address].add(message.topic)
            end()
    return found


def main() -> int:
    """Let all tables try, and return 1 if one reached topics of others or could not reach its own."""
    parser = argparse.ArgumentParser(prog="python -m tests.club.permissions", description=__doc__)
    parser.add_argument("--tables", type=int, default=32)
    asked = parser.parse_args()
    if PROGRAM is None:
        sys.exit(MISSING)
    with tempfile.TemporaryDirectory() as name:
        house = House(Path(name), asked.tables)
        house.start()
        found = tried(house, asked.tables)
        house.close()
    foreign = found.written - found.own
    missing = found.own - found.written
    readers = [member for member in found.members if found.read[member] != found.own_read[member]]
    attempts = asked.tables**2 * len(WORDS) * 2
    print(json.dumps({"attempts": attempts, "written": len(foreign), "read": len(readers), "missing": len(missing)}))
    return 1 if foreign or readers or missing else 0


if __name__ == "__main__":
    sys.exit(main())
