"""`python -m tests.bench.club`: tables play one transaction per second each; how soon the club has their rows.

The time counts from the commit at the table. The tables are in one process and the club in another, with a real
Mosquitto between them. Prints p50 and p95 in milliseconds until a row is on the club's disk (as the table learns it),
until it is merged, and the memory of the club in MB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left
from pathlib import Path
from random import Random

from companion.club.batch import Ack
from companion.club.collector import Collector
from companion.club.connection import BrokerAddress
from companion.club.inbox import Source
from companion.club.table_link import Destination, TableLink
from companion.kernel.supervisor import Supervisor
from tests.club.broker import Broker
from tests.club.player import Player
from tests.companion.live_table import LiveTable

AS_CLUB = "--as-club"
PATIENCE_S = 30.0


class Watched(Collector):
    """A collector that notes when each row of each table was merged."""

    def __init__(self, folder: Path, address: BrokerAddress) -> None:
        super().__init__(folder, address, lambda text: print(text, file=sys.stderr))
        self.merged: list[tuple[str, int, float]] = []

    def _merge_source(self, source: Source) -> None:
        super()._merge_source(source)
        self.merged.append((source.address, source.merged, time.monotonic()))


class TimedLink(TableLink):
    """A link that notes when each row was acknowledged."""

    def _acked(self, ack: Ack) -> None:
        super()._acked(ack)
        self.acks.append((self.acknowledged, time.monotonic()))

    acks: list[tuple[int, float]]


def collect(folder: Path, port: int) -> None:
    """Collect until a line comes on standard input, then print when rows were merged, and the memory."""
    collector = Watched(folder, BrokerAddress("127.0.0.1", port))
    end = collector.start(Supervisor())
    sys.stdin.readline()
    end()
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    print(json.dumps({"merged": collector.merged, "mb": round(resident / 1024, 1)}))


def measured(folder: Path, tables: int, seconds: float, every_s: float) -> dict[str, float]:
    """Play at all tables, and return the figures."""
    for name in ("broker", "club", *(f"t{number}" for number in range(tables))):
        (folder / name).mkdir()
    broker = Broker(folder / "broker")
    command = [sys.executable, "-m", "tests.bench.club", AS_CLUB, str(folder / "club"), str(broker.port)]
    club = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    lots, links, commits, players = Random(1), {}, {}, []
    for number in range(tables):
        name = f"t{number}"
        live = LiveTable(folder / name / "ledger.sqlite")
        to = Destination("club", BrokerAddress("127.0.0.1", broker.port), name)
        link = TimedLink(live.table, folder / name, live.path, to)
        link.acks, commits[name] = [], []
        links[name] = link, link.start(Supervisor())
        players.append((name, live, Player(live, number)))
    due = sorted((time.monotonic() + 2 + lots.random() * every_s, each) for each in range(tables))
    until = time.monotonic() + 2 + seconds
    while time.monotonic() < until:
        at, number = due.pop(0)
        time.sleep(max(0.0, at - time.monotonic()))
        name, live, player = players[number]
        player.play()
        commits[name].append((live.ledger.last, time.monotonic()))
        due.append((at + every_s, number))
        due.sort()
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and any(links[name][0].acknowledged < live.ledger.last for name, live, _ in players):
        time.sleep(0.05)
    said, _ = club.communicate("\n")
    found = json.loads(said)
    for _, end in links.values():
        end()
    for _, live, _ in players:
        live.ledger.close()
    broker.close()
    acked = [ms for name in commits for ms in _waits(commits[name], links[name][0].acks)]
    merged = [
        ms
        for name in commits
        for ms in _waits(commits[name], [(row, at) for address, row, at in found["merged"] if address == name])
    ]
    return {
        "tables": tables,
        "transactions": sum(map(len, commits.values())),
        "missing": sum(map(len, commits.values())) - len(acked),
        "disk_p50_ms": _part(acked, 0.5),
        "disk_p95_ms": _part(acked, 0.95),
        "merged_p50_ms": _part(merged, 0.5),
        "merged_p95_ms": _part(merged, 0.95),
        "club_mb": found["mb"],
    }


def _waits(commits: list[tuple[int, float]], news: list[tuple[int, float]]) -> list[float]:
    """Return for each commit the milliseconds until the first of *news* that covers its last row."""
    rows, waits, best = [], [], 0
    for row, at in news:
        if row > best:
            rows.append((row, at))
            best = row
    for last, at in commits:
        place = bisect_left(rows, (last, 0.0))
        if place < len(rows):
            waits.append((rows[place][1] - at) * 1000)
    return waits


def _part(values: list[float], part: float) -> float:
    return round(sorted(values)[int(part * (len(values) - 1))], 1) if values else -1.0


def main() -> int:
    """Measure, and print the figures."""
    if sys.argv[1:2] == [AS_CLUB]:
        collect(Path(sys.argv[2]), int(sys.argv[3]))
        return 0
    parser = argparse.ArgumentParser(prog="python -m tests.bench.club", description=__doc__)
    parser.add_argument("--tables", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--every", type=float, default=1.0, metavar="SECONDS", help="between two moves of a table")
    parser.add_argument("--folder", type=Path, help="where to make the files (default: a temporary folder)")
    parser.add_argument("--json", action="store_true", help="the figures are always JSON")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        print(json.dumps(measured(Path(name), asked.tables, asked.seconds, asked.every)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
