"""`python -m tests.bench.club` measures how soon a club has the rows of tables that commit every second.

Each table commits one transaction per second, and all times are counted from the commit. Tables and club are
separate processes with a real Mosquitto broker between them. Prints p50 and p95 in milliseconds until the table knows
that a row is on the club's disk, and until the row is merged; also the club's memory in MB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from companion.club.batch import Ack
from companion.club.collector import Collector
from companion.club.connection import BrokerAddress
from companion.club.inbox import Source
from companion.club.table_link import Destination, TableLink
from companion.kernel.supervisor import Supervisor
from tests.club.broker import Broker
from tests.club.player import Player
from tests.companion.live_table import LiveTable

AS_CLUB, AS_TABLES, READY = "--as-club", "--as-tables", "ready"
IN_ONE = 50
"""The maximum number of tables in one process."""
PATIENCE_S = 30.0


class Watched(Collector):
    """A collector that records when each row of each table was merged."""

    def __init__(self, folder: Path, address: BrokerAddress) -> None:
        super().__init__(folder, address, lambda text: print(text, file=sys.stderr))
        self.merged: list[tuple[str, int, float]] = []

    def _merge_source(self, source: Source) -> None:
        super()._merge_source(source)
        self.merged.append((source.address, source.merged, time.monotonic()))


class TimedLink(TableLink):
    """A link that records when each row was acknowledged."""

    def _acked(self, ack: Ack) -> None:
        super()._acked(ack)
        self.acks.append((self.acknowledged, time.monotonic()))

    acks: list[tuple[int, float]]


def collect(folder: Path, port: int) -> None:
    """Collect rows until a line arrives on standard input, then print the times of merging and the memory used."""
    collector = Watched(folder, BrokerAddress("127.0.0.1", port))
    end = collector.start(Supervisor())
    sys.stdin.readline()
    end()
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    print(json.dumps({"merged": collector.merged, "mb": round(resident / 1024, 1)}))


def play(
    folder: Path, port: int, numbers: Sequence[int], seconds: float, every_s: float, offline_s: float
) -> dict[str, Any]:
    """Play at the tables with these *numbers*, and return when each row was committed and acknowledged, by table.

    Before they connect, they play for *offline_s* seconds without a network.
    """
    lots, links, players = Random(numbers[0]), {}, []
    commits: dict[str, list[tuple[int, float]]] = {}
    for number in numbers:
        name = f"t{number}"
        (folder / name).mkdir()
        live = LiveTable(folder / name / "ledger.sqlite")
        players.append((name, live, Player(live, number)))
        for _ in range(round(offline_s / every_s)):
            players[-1][2].play()
    print(READY, flush=True)
    sys.stdin.readline()
    connected = time.monotonic()
    for name, live, _ in players:
        to = Destination("club", BrokerAddress("127.0.0.1", port), name)
        link = TimedLink(live.table, folder / name, live.path, to)
        link.acks, commits[name] = [], [(live.ledger.last, connected)] if offline_s else []
        links[name] = link, link.start(Supervisor())
    due = sorted((time.monotonic() + 2 + lots.random() * every_s, each) for each in range(len(numbers)))
    until = time.monotonic() + 2 + seconds
    while time.monotonic() < until:
        at, place = due.pop(0)
        time.sleep(max(0.0, at - time.monotonic()))
        name, live, player = players[place]
        player.play()
        commits[name].append((live.ledger.last, time.monotonic()))
        due.append((at + every_s, place))
        due.sort()
    until = time.monotonic() + PATIENCE_S + offline_s
    while time.monotonic() < until and any(links[name][0].acknowledged < live.ledger.last for name, live, _ in players):
        time.sleep(0.05)
    for _, end in links.values():
        end()
    for _, live, _ in players:
        live.ledger.close()
    return {"commits": commits, "acks": {name: link.acks for name, (link, _) in links.items()}}


def measured(folder: Path, tables: int, seconds: float, every_s: float, offline_s: float = 0.0) -> dict[str, float]:
    """Play at all tables, and return the figures; if tables were offline, only the time until all rows were merged."""
    for name in ("broker", "club"):
        (folder / name).mkdir()
    broker = Broker(folder / "broker")
    club = _started(AS_CLUB, folder / "club", broker.port)
    # A process can wait for a thousand files at most, and each table needs a dozen.
    parts = [range(first, min(first + IN_ONE, tables)) for first in range(0, tables, IN_ONE)]
    rooms = [
        _started(AS_TABLES, folder, broker.port, part.start, part.stop, seconds, every_s, offline_s) for part in parts
    ]
    for room in rooms:
        assert room.stdout is not None
        room.stdout.readline()  # READY
    for room in rooms:
        assert room.stdin is not None
        room.stdin.write("\n")
        room.stdin.flush()
    played = [json.loads(room.communicate()[0]) for room in rooms]
    found = json.loads(club.communicate("\n")[0])
    broker.close()
    commits = {name: rows for each in played for name, rows in each["commits"].items()}
    acks = {name: news for each in played for name, news in each["acks"].items()}
    merged: dict[str, list[tuple[int, float]]] = {name: [] for name in commits}
    for address, row, at in found["merged"]:
        merged[address].append((row, at))
    acked = [ms for name, rows in commits.items() for ms in _waits(rows, acks[name])]
    done = [ms for name, rows in commits.items() for ms in _waits(rows, merged[name])]
    if offline_s:
        rows = sum(each[0][0] for each in commits.values())
        missing = sum(map(len, commits.values())) - len(acked)
        all_in = {"all_in_s": round(max(acked) / 1000, 1), "all_merged_s": round(max(done) / 1000, 1)}
        return {"tables": tables, "rows_before": rows, "missing": missing, **all_in, "club_mb": found["mb"]}
    return {
        "tables": tables,
        "transactions": sum(map(len, commits.values())),
        "missing": sum(map(len, commits.values())) - len(acked),
        "disk_p50_ms": _part(acked, 0.5),
        "disk_p95_ms": _part(acked, 0.95),
        "merged_p50_ms": _part(done, 0.5),
        "merged_p95_ms": _part(done, 0.95),
        "club_mb": found["mb"],
    }


def _started(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.bench.club", *map(str, words)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _waits(commits: Sequence[Sequence[Any]], news: Sequence[Sequence[Any]]) -> list[float]:
    """Return for each commit the milliseconds until the first entry of *news* that covers its last row."""
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
    if sys.argv[1:2] == [AS_TABLES]:
        folder, port, first, end, *times = sys.argv[2:]
        print(json.dumps(play(Path(folder), int(port), range(int(first), int(end)), *map(float, times))))
        return 0
    parser = argparse.ArgumentParser(prog="python -m tests.bench.club", description=__doc__)
    parser.add_argument("--tables", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--every", type=float, default=1.0, metavar="SECONDS", help="between two moves of a table")
    parser.add_argument(
        "--offline",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="time without a network before they connect",
    )
    parser.add_argument("--folder", type=Path, help="where to make the files (default: a temporary folder)")
    parser.add_argument("--json", action="store_true", help="the figures are always JSON")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        print(json.dumps(measured(Path(name), asked.tables, asked.seconds, asked.every, asked.offline)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
