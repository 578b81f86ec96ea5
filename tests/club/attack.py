"""`python -m tests.club.attack`: an attacker uses one table's sheet while honest tables of the same club play on.

The attacker has the sheet of table 2 and a copy of table 1's ledger. It tries another table's address, other tables'
topics, rows and acknowledgements in their names, replays, floods, payloads of 10 MB, and retained messages with content
that might crash a program. In the end the club must have exactly the rows of the honest tables, byte by byte, and no
others in their names. Its commands must work, and a move at a table must take no more processor time than before.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from companion.app.data_folder import CLUB
from companion.club.batch import Ack, AckState, Batch, ack_bytes, batch_bytes
from companion.club.club_folder import SHEETS
from companion.club.collector import INBOX, LEDGER
from companion.club.connection import Connection, Message
from companion.club.inbox import Inbox
from companion.club.membership import Membership, membership_of
from companion.club.position import read_position, write_position
from companion.club.sheets import sheet_path
from companion.club.table_link import Destination, TableLink
from companion.club.topics import ACK, BEAT, BIRTH, CLUB_STATE, EVENT, ROWS, STAGE, STATE, topic
from companion.kernel.supervisor import Supervisor
from companion.ledger import Ledger, canonical, merge
from companion.ledger.opening import copy_as_it_is
from companion.ledger.stored import StoredRows
from tests.club.broker import MISSING, PATIENCE_S, PROGRAM
from tests.club.house import House
from tests.club.player import Player
from tests.companion.live_table import LiveTable
from tests.forkserver.process import Forked

WORDS = (BIRTH, ROWS, ACK, STATE, EVENT, STAGE, BEAT, "do")
STOLEN = "stolen"
BIG = 10 * 1024 * 1024
LONGEST_QUIET_S = 300.0
ATTACKER = "--as-attacker"
HOSTILE = (
    b"",
    b"\x00" * 4000,
    b"\xff\xfe\xed",
    b"[" * 100_000,
    b'{"a":' * 5000 + b"1" + b"}" * 5000,
    b'{"online": 1e999, "ledger": ["x"], "epoch": {"b": 7}, "row": -1, "games": 4, "name": null, "at_ms": "now"}',
    b'{"online": true, "row": 99999999999999999999999999999, "at_ms": 1e308, "name": "\\u001b[2J\\u202e<script>"}',
    json.dumps({"online": True, "at_ms": -(2**62), "name": "\ud800" + "x" * 3000}).encode(),
    b'{"v": 2}',
    b'{"v": 1, "ledger": "a", "epoch": "b", "after": NaN, "rows": []}',
)


class Honest:
    """A table that plays and sends its rows."""

    def __init__(self, folder: Path, member: Membership, seed: int) -> None:
        folder.mkdir()
        self.live, self.address = LiveTable(folder / "ledger.sqlite"), member.address
        self.player = Player(self.live, seed)
        self.link = TableLink(
            self.live.table, folder, self.live.path, Destination("club", member.broker, member.address)
        )
        self.end = self.link.start(Supervisor())
        self.costs_ms: list[float] = []

    def play(self) -> None:
        """Make one move. Its cost is the processor time of this process, in which the link runs, too."""
        before = time.process_time()
        self.player.play()
        time.sleep(0.02)
        self.costs_ms.append((time.process_time() - before) * 1000)

    def arrived(self) -> bool:
        """Return whether the club has all rows of this table."""
        return self.link.acknowledged >= self.live.ledger.last


def attacks(
    own: Membership, other: Membership, copy: StoredRows, its_epoch: str, lots: Random
) -> Iterator[tuple[str, Message]]:
    """Yield messages endlessly, each with the name of its kind of attack."""
    ledger, end = copy.identity, copy.end().number
    rows = tuple(copy.after(0, 200))
    mine, theirs = own.address, other.address
    forged = tuple((*fields[:-2], lots.randbytes(8).hex(), fields[-1]) for fields in rows[:5])
    while True:
        epoch = lots.choice([its_epoch, f"{lots.randrange(2**32):08x}"])
        last = rows[-1]
        batches = {
            "replay": Batch(ledger, epoch, 0, None, rows, newest=end),
            "other rows": Batch(ledger, epoch, 0, None, forged, newest=end),
            "next rows": Batch(ledger, epoch, last[0], last[-1], ((last[0] + 1, *last[1:]),), newest=end),
            "names": Batch(ledger, epoch, end, last[-1], renamings="x", names=((1, 0, "Eve", b"0"),), newest=end),
        }
        for name, batch in batches.items():
            for address in (mine, theirs):
                yield name, Message(topic(address, ROWS), batch_bytes(batch))
        ack = Ack(ledger, epoch, lots.choice(list(AckState)), end + 1000, b"0")
        yield "acknowledgement", Message(topic(theirs, ACK), ack_bytes(ack), retain=True)
        for word in WORDS:
            payload = lots.choice(HOSTILE)
            yield "retained", Message(topic(lots.choice((mine, theirs)), word), payload, retain=True)
        yield "club state", Message(CLUB_STATE, b'{"online": false}', retain=True)
        yield "big", Message(topic(mine, lots.choice((ROWS, BIRTH, STATE))), b"x" * BIG)
        for _ in range(500):
            yield "flood", Message(topic(mine, lots.choice((ROWS, BIRTH, EVENT, BEAT))), lots.choice(HOSTILE)[:300])


def attack(data: Path, seconds: float, seed: int) -> dict[str, int]:
    """Attack for *seconds*; count the messages of each kind, the messages of others that arrived, and connections."""
    own, other = (membership_of(sheet_path(data / CLUB / SHEETS, f"{number:02}").read_text()) for number in (2, 1))
    lots, tried, heard = Random(seed), Counter[str](), Counter[str]()
    stolen = replace(own.broker, user=other.address)
    copy, position = StoredRows(data / STOLEN / "ledger.sqlite"), read_position(data / STOLEN)
    assert position is not None

    def listen(message: Message) -> None:
        heard["heard of others"] += other.address in message.topic

    connection = Connection(own.broker, own.address, ("#",), heard=listen)
    refused = Connection(stolen, other.address)
    ends = [each.start(Supervisor()) for each in (connection, refused)]
    until = time.monotonic() + seconds
    for kind, message in attacks(own, other, copy, position.epoch, lots):
        if time.monotonic() >= until:
            break
        if connection.publish(message):
            tried[kind] += 1
        else:
            time.sleep(0.002)
    heard["connected as another"] = refused.view.connects
    for end in ends:
        end()
    return {**tried, **heard}


def played(folder: Path, tables: int, seconds: float, seed: int) -> dict[str, Any]:
    """Let the honest tables play, first alone and then during the attack, and return the findings."""
    house = House(folder / "house", tables + 1)
    broker = house.start()
    with Forked("companion", "club", "serve", "--bind", "127.0.0.1", "--port", "0", "--data", house.data) as club:
        club.stdout.readline()
        numbers = [number for number in range(1, tables + 2) if number != 2]
        honest = [Honest(folder / f"table{number}", house.member(number), number) for number in numbers]
        play(honest, min(seconds / 2, LONGEST_QUIET_S))
        alone = [table.costs_ms for table in honest]
        steal(honest[0], house.data / STOLEN)
        for table in honest:
            table.costs_ms = []
        words = [ATTACKER, str(house.data), str(seconds), str(seed)]
        attacker = subprocess.Popen([sys.executable, "-m", "tests.club.attack", *words], stdout=subprocess.PIPE)
        play(honest, 10 * seconds, lambda: attacker.poll() is None)
        tried = json.loads(attacker.communicate()[0])
        until = time.monotonic() + PATIENCE_S * 3
        while not all(table.arrived() for table in honest) and time.monotonic() < until:
            time.sleep(0.05)
        missing = sum(not table.arrived() for table in honest)
        parted = sum(table.link.view.connects > 1 for table in honest)
        for table in honest:
            table.end()
            table.live.ledger.close()
        with redirect_stdout(StringIO()) as said:
            statuses = [house.run("status"), house.run("status", "--json")]
        club.terminate()
        club.wait(60)
    with redirect_stdout(StringIO()):
        statuses.append(house.run("verify"))
    broker.close()
    found = {"tried": tried, "missing": missing, "parted": parted, "commands": statuses}
    found["printable"] = said.getvalue().replace("\n", "").isprintable()
    costs = (alone, [table.costs_ms for table in honest])
    found["move_ms_alone"], found["move_ms_attacked"] = (round(median(chain(*each)), 2) for each in costs)
    return found | compared(house, honest, folder)


def play(honest: list[Honest], seconds: float, going: Callable[[], bool] = lambda: True) -> None:
    """Let all tables play one after another."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and going():
        for table in honest:
            table.play()


def steal(table: Honest, target: Path) -> None:
    """Copy a table's present ledger, and the epoch by which the club knows it."""
    target.mkdir()
    copy_as_it_is(table.live.path, target / "ledger.sqlite")
    write_position(target, table.link._position)


def compared(house: House, honest: list[Honest], folder: Path) -> dict[str, Any]:
    """Compare the rows that the club has with the honest tables' ledgers."""
    inbox = Inbox(house.folder / INBOX)
    whole = Ledger.open(folder / "whole.sqlite")
    unequal = forks = foreign = 0
    for table in honest:
        stored = StoredRows(table.live.path)
        sources = [source for source in inbox.sources.values() if source.ledger == stored.identity]
        foreign += sum(source.address != table.address for source in sources)
        forks += sum(source.forked for source in sources)
        here = [fields for source in sources for fields in inbox.rows(source)]
        unequal += sum(one != other for one, other in zip_longest(here, stored.after(0, 10**9)))
        stored.close()
        other = Ledger.read_only(table.live.path)
        merge(whole, other, other.last)
        other.close()
    inbox.close()
    club = Ledger.read_only(house.folder / LEDGER)
    same = canonical(club) == canonical(whole)
    club.close()
    whole.close()
    return {"unequal": unequal, "forks": forks, "foreign": foreign, "merged_alike": same}


def is_fine(found: dict[str, Any]) -> bool:
    """Return whether the attack had no effect."""
    zeros = ("missing", "parted", "unequal", "forks", "foreign")
    held = not any(found[name] for name in zeros) and found["merged_alike"] and found["printable"]
    heard = found["tried"]["connected as another"] + found["tried"].get("heard of others", 0)
    return bool(held and not heard and not any(found["commands"]))


def main() -> int:
    """Attack, print the findings, and return 1 if the attack had an effect."""
    if sys.argv[1:2] == [ATTACKER]:
        data, seconds, seed = sys.argv[2:]
        print(json.dumps(attack(Path(data), float(seconds), int(seed))))
        return 0
    parser = argparse.ArgumentParser(prog="python -m tests.club.attack", description=__doc__)
    parser.add_argument("--tables", type=int, default=3, help="honest tables")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to make the files (default: a temporary folder)")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if PROGRAM is None:
        sys.exit(MISSING)
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        found = played(Path(name), asked.tables, asked.seconds, asked.seed)
    print(json.dumps(found) if asked.json else "\n".join(f"{name}: {value}" for name, value in found.items()))
    return 0 if is_fine(found) else 1


if __name__ == "__main__":
    sys.exit(main())
