"""`python -m tests.club.kills`: tables play while broker, club and tables are killed again and again.

Some batches reach the club twice or in another order. In the end each row of the inbox must equal the table's row byte
by byte, the club's ledger must equal a merge of all tables' ledgers, and no fork may have been detected.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

from companion.club.collector import INBOX, LEDGER, Collector
from companion.club.connection import BrokerAddress, Message
from companion.club.inbox import Inbox
from companion.club.table_link import Destination, TableLink
from companion.kernel.supervisor import Supervisor
from companion.ledger import Ledger, canonical, merge
from companion.ledger.stored import StoredRows
from tests.club.broker import Broker
from tests.club.player import Player
from tests.companion.live_table import LiveTable

WHAT = ("broker",) * 13 + ("club",) * 4 + ("table",) * 3
"""Two thirds of the kills hit the broker."""
LAST_WORD_S = 300.0
TABLE, CLUB = "--as-table", "--as-club"


def play(folder: Path, port: int, rows: int, seed: int, pause_s: float) -> None:
    """Play at a table until it has *rows* rows and the club has them all."""
    live = LiveTable(folder / "ledger.sqlite")
    player = Player(live, seed)
    to = Destination("club", BrokerAddress("127.0.0.1", port), folder.name)
    link = TableLink(live.table, folder, live.path, to)
    end = link.start(Supervisor())
    while live.ledger.last < rows:
        player.play()
        time.sleep(pause_s)
    while link.acknowledged < live.ledger.last:
        time.sleep(0.05)
    end()
    live.ledger.close()


def collect(folder: Path, port: int, seed: int) -> None:
    """Collect rows until the process is killed. Some batches arrive twice or in another order."""
    lots, held = Random(seed), list[Message]()
    collector = Collector(folder, BrokerAddress("127.0.0.1", port), lambda text: print(text, file=sys.stderr))
    usual = collector.connection._heard

    def heard(message: Message) -> None:
        if lots.random() < 0.05:
            held.append(message)
            return
        for each in (message, *(held if lots.random() < 0.2 else ())):
            usual(each)
        if lots.random() < 0.1:
            usual(message)
        if lots.random() < 0.2:
            held.clear()

    collector.connection._heard = heard
    collector.start(Supervisor())
    while True:
        time.sleep(1)


class Night:
    """All processes of a run, and how often each kind of them was killed."""

    def __init__(self, folder: Path, rows: int, tables: int, seed: int, pause_s: float) -> None:
        self.folder, self._rows, self._pause_s = folder, rows, pause_s
        self._lots = Random(seed)
        (folder / "broker").mkdir()
        (folder / "club").mkdir()
        self.broker = Broker(folder / "broker")
        self.tables = [folder / f"table{number}" for number in range(tables)]
        for each in self.tables:
            each.mkdir()
        self._club = self._start(CLUB, folder / "club")
        self._players = {each: self._start(TABLE, each) for each in self.tables}
        self.killed = {"broker": 0, "club": 0, "table": 0}

    def _start(self, word: str, folder: Path) -> subprocess.Popen[bytes]:
        more = [str(self._rows // len(self.tables)), str(self._pause_s)] if word == TABLE else []
        words = [word, str(folder), str(self.broker.port), str(self._lots.randrange(10**6)), *more]
        return subprocess.Popen([sys.executable, "-m", "tests.club.kills", *words])

    def kill(self) -> None:
        """Kill a random process, and start it again."""
        what = self._lots.choice(WHAT)
        going = [each for each, process in self._players.items() if process.poll() is None]
        if what == "table" and not going:
            return
        self.killed[what] += 1
        if what == "broker":
            self.broker.kill()
            time.sleep(self._lots.random() * 0.3)
            self.broker.start()
        elif what == "club":
            self._club.kill()
            self._club.wait()
            self._club = self._start(CLUB, self.folder / "club")
        else:
            hit = self._lots.choice(going)
            self._players[hit].kill()
            self._players[hit].wait()
            self._players[hit] = self._start(TABLE, hit)

    @property
    def going_on(self) -> bool:
        """Return whether a table is still playing or waiting for the club's acknowledgements."""
        return any(process.poll() is None for process in self._players.values())

    def close(self) -> None:
        """End all processes."""
        for process in (self._club, *self._players.values()):
            process.kill()
            process.wait()
        self.broker.close()


def finish_merging(folder: Path) -> None:
    """Start and end the club until all its rows are merged, because it may have been killed before it merged them."""
    done = False
    while not done:
        collector = Collector(folder, BrokerAddress("127.0.0.1", 1), lambda text: print(text, file=sys.stderr))
        collector.start(Supervisor())()
        inbox = Inbox(folder / INBOX)
        done = all(source.merged == source.upto for source in inbox.sources.values())
        inbox.close()


def compared(night: Night) -> dict[str, Any]:
    """Compare the rows and the ledger of the club with the tables' ledgers."""
    finish_merging(night.folder / "club")
    inbox = Inbox(night.folder / "club" / INBOX)
    unequal, rows, forks = 0, 0, sum(source.forked for source in inbox.sources.values())
    for path in night.tables:
        stored = StoredRows(path / "ledger.sqlite")
        sources = [source for source in inbox.sources.values() if source.ledger == stored.identity]
        here = [fields for source in sources for fields in inbox.rows(source)]
        there = stored.after(0, 10**9)
        unequal += sum(one != other for one, other in zip_longest(here, there))
        rows += len(here)
        stored.close()
    sources = len(inbox.sources)
    inbox.close()
    club = Ledger.open(night.folder / "club" / LEDGER)
    whole = Ledger.open(night.folder / "whole.sqlite")
    for path in night.tables:
        other = Ledger.read_only(path / "ledger.sqlite")
        merge(whole, other, other.last)
        other.close()
    same = canonical(club) == canonical(whole)
    club.close()
    whole.close()
    return {"rows": rows, "unequal": unequal, "forks": forks, "sources": sources, "merged_alike": same}


def main() -> int:
    """Print the numbers of kills and the findings, and return 1 if anything differs."""
    if sys.argv[1:2] == [CLUB]:
        collect(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    if sys.argv[1:2] == [TABLE]:
        folder, port, seed, rows, pause_s = sys.argv[2:]
        play(Path(folder), int(port), int(rows), int(seed), float(pause_s))
        return 0
    parser = argparse.ArgumentParser(prog="python -m tests.club.kills", description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000, help="rows of all tables together")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--every", type=float, default=0.5, metavar="SECONDS", help="mean time between two kills")
    parser.add_argument("--pause", type=float, default=0.0, metavar="SECONDS", help="between two moves of a table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to make the files (default: a temporary folder)")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    began, lots = time.monotonic(), Random(asked.seed)
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        night = Night(Path(name), asked.rows, asked.tables, asked.seed, asked.pause)
        try:
            while sum(night.killed.values()) < asked.kills:
                time.sleep(lots.expovariate(1 / asked.every) if asked.every else 0)
                night.kill()
            until = time.monotonic() + LAST_WORD_S + asked.rows / 500
            while night.going_on and time.monotonic() < until:
                time.sleep(0.2)
            missing = night.going_on
        finally:
            night.close()
        found = {**compared(night), "killed": night.killed, "missing": missing}
    found["seconds"] = round(time.monotonic() - began, 1)
    print(json.dumps(found) if asked.json else "\n".join(f"{name}: {value}" for name, value in found.items()))
    return 0 if found["merged_alike"] and not (found["unequal"] or found["forks"] or missing) else 1


if __name__ == "__main__":
    sys.exit(main())
