"""`python -m tests.club.outages`: how soon a club shows that a table was killed, frozen, cut off or restored.

The program runs a real Mosquitto, a served club and served tables with their own commands. Between the first table and
the broker is a simulated cable that can be cut. The slowest of several times is printed in seconds. Then two tables
play the same evening: one without a club, and one whose broker is down all the time. Afterwards the broker starts, and
the second table's backlog is sent while its pages are read.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.request import urlopen

from companion.app.data_folder import LEDGER
from companion.club.membership import write_membership
from tests.club.broker import MISSING, PATIENCE_S, PROGRAM
from tests.club.house import House
from tests.companion.app.processes import Service
from tests.forkserver.process import Forked

GOALS_S = {"killed": 1.0, "frozen": 6.5, "cut off": 6.5, "back": 3.0, "back after a kill": 3.0, "restored": 5.0}
"""A table counts as silent six seconds after its last heartbeat; half a second is added for polling."""
LOOK_S = 0.02
HEADER = {
    "record": "table-record",
    "version": 1,
    "game": "draws",
    "players": [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}],
    "contents": {"red": 30, "blue": 30, "green": 30},
}
CHUNK = 65536
AFTER_S = 10.0
"""The pages of a table are read for this many seconds after the broker is back."""


class Cable:
    """A proxy to a port of this machine that can be cut and mended like a cable. While it is cut, data waits in it."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._whole = threading.Event()
        self._whole.set()
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self._lines: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def cut(self) -> None:
        """Stop forwarding data."""
        self._whole.clear()

    def mend(self) -> None:
        """Forward data again."""
        self._whole.set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._server.accept()
                self._whole.wait()
                far = socket.create_connection(("127.0.0.1", self._to))
                self._lines += [near, far]
                for pair in ((near, far), (far, near)):
                    self._threads.append(threading.Thread(target=self._carry, args=pair))
                    self._threads[-1].start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(CHUNK):
                self._whole.wait()
                target.sendall(data)
        _shut(source, target)

    def close(self) -> None:
        """Close all connections, and wait for their threads."""
        self._whole.set()
        _shut(self._server)
        self._threads[0].join()  # this thread adds the others
        _shut(*self._lines)
        for each in self._threads[1:]:
            each.join()
        for line in (self._server, *self._lines):
            line.close()


def _shut(*lines: socket.socket) -> None:
    for each in lines:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


class Outages:
    """A club, one table that is connected to it by a cable, and the slowest times that were measured."""

    def __init__(self, folder: Path) -> None:
        self.house = House(folder / "house")
        self.broker = self.house.start()
        self.cable = Cable(self.house.port)
        self.data = folder / "table"
        self.data.mkdir(mode=0o700)
        write_membership(self.data, replace(self.house.member(), port=self.cable.port))
        self.club = Forked(
            "companion", "club", "serve", "--bind", "127.0.0.1", "--port", "0", "--data", self.house.data
        )
        said = [self.club.stdout.readline() for _ in range(3)]
        self._url = said[1].split()[-1] + ".json"
        self.table = Service(self.data)
        self.slowest: dict[str, float] = {}

    def close(self) -> None:
        self.table.stop()
        self.cable.close()
        with self.club:
            self.club.terminate()
            self.club.wait(PATIENCE_S)
        self.house.close()

    @property
    def needs(self) -> set[str]:
        """The table's needs that the wall shows; `unheard` before its first message."""
        with urlopen(self._url, timeout=PATIENCE_S) as answer:  # noqa: S310 - an address of this machine
            (tile,) = json.load(answer)
        return set(tile["needs"]) if "status" in tile else {"unheard"}

    def ledgers(self) -> list[dict[str, Any]]:
        """Return the table's ledgers at the club, each with its newest row, number of missing rows, and epoch."""
        words = ("companion", "club", "status", "--json", "--data", self.house.data)
        with Forked(*map(str, words)) as done:
            found: list[dict[str, Any]] = json.loads(done.stdout.read())["tables"][0]["ledgers"]
        return found

    def time(self, what: str, fits: Callable[[], bool]) -> None:
        """Wait until *fits* returns True, and store how long that took if it is the slowest time of *what*."""
        began = time.monotonic()
        while not fits():
            if time.monotonic() - began > PATIENCE_S:
                raise SystemExit(f"not seen within {PATIENCE_S} s: {what}")
            time.sleep(LOOK_S)
        self.slowest[what] = round(max(self.slowest.get(what, 0.0), time.monotonic() - began), 2)

    def well(self) -> bool:
        return not self.needs

    def lost(self) -> bool:
        return bool(self.needs & {"silent", "gone"})

    def freeze(self) -> None:
        os.kill(self.table.pid, signal.SIGSTOP)
        self.time("frozen", self.lost)
        os.kill(self.table.pid, signal.SIGCONT)
        self.time("back", self.well)

    def cut(self, seconds: float) -> None:
        self.cable.cut()
        began = time.monotonic()
        self.time("cut off", self.lost)
        time.sleep(max(0.0, began + seconds - time.monotonic()))
        self.cable.mend()
        self.time("back", self.well)

    def kill(self) -> None:
        self.table.kill()
        self.time("killed", lambda: "gone" in self.needs)
        self.table = Service(self.data)
        self.time("back after a kill", self.well)

    def restore(self) -> bool:
        """Let the table continue from a copy. Returns whether the club has the rows of both branches."""
        self.table.ask("POST", "/api/v1/games", HEADER)
        self.table.stop()
        copy = self.data / "copy.sqlite"
        before = len(self.ledgers())
        shutil.copy(self.data / LEDGER, copy)
        self.table = Service(self.data)
        for _ in range(10):
            version = self.table.do({"do": "draw", "colour": "red"})
        while not any(each["row"] >= version for each in self.ledgers()):
            pass
        self.table.stop()
        shutil.copy(copy, self.data / LEDGER)
        self.table = Service(self.data)
        again = self.table.do({"do": "draw", "colour": "blue"})
        self.time("restored", lambda: len(found := self.ledgers()) > before and found[-1]["row"] >= again)
        found = self.ledgers()
        return any(each["row"] >= version for each in found[:-1]) and found[-1]["row"] >= again


def memory_mb(pid: int) -> float:
    """Return the private memory of a process, in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def play(table: Service, commands: int) -> list[float]:
    """Play this many *commands*, and return how long each took, in milliseconds."""
    times = []
    for number in range(commands):
        if number % 60 == 0:
            table.ask("POST", "/api/v1/games", HEADER)
        began = time.monotonic()
        table.do({"do": "draw", "colour": ("red", "blue", "green")[number % 3]})
        times.append(1000 * (time.monotonic() - began))
    return times


def pages(table: Service, more: Callable[[int], bool]) -> list[float]:
    """Request the page of play while *more* returns True. Returns how long each request took, in milliseconds."""
    times: list[float] = []
    while more(len(times)):
        began = time.monotonic()
        table.page("/table")
        times.append(1000 * (time.monotonic() - began))
    return times


def p95(times: list[float]) -> float:
    return round(quantiles(times, n=20)[-1], 2)


def evening(folder: Path, commands: int) -> dict[str, Any]:
    """Play an evening without a club and one without the club's broker; then start the broker to send the backlog."""
    house = House(folder / "house")
    data = [folder / "alone", folder / "member"]
    for each in data:
        each.mkdir(mode=0o700)
    write_membership(data[1], house.member())
    with (folder / "complaints").open("w", encoding="utf-8") as complaints:
        tables = [Service(data[0]), Service(data[1], complaints=complaints)]
    for table in tables:
        play(table, 60)
    before = [memory_mb(table.pid) for table in tables]
    times = [play(table, commands) for table in tables]
    grown = [round(memory_mb(table.pid) - start, 2) for table, start in zip(tables, before, strict=True)]
    lines = (folder / "complaints").read_text(encoding="utf-8").splitlines()
    said = sum("broker" in line for line in lines)
    _apart(tables[1].pid)
    usual = pages(tables[1], lambda number: number < 200)
    house.start()
    with Forked("companion", "club", "serve", "--bind", "127.0.0.1", "--port", "0", "--data", house.data) as club:
        club.stdout.readline()
        began, caught_up_s = time.monotonic(), [0.0]

        def more(number: int) -> bool:
            passed = time.monotonic() - began
            if not caught_up_s[0] and _links(tables[1]) == 0:
                caught_up_s[0] = round(passed, 2)
            return passed < AFTER_S

        meanwhile = pages(tables[1], more)
        club.terminate()
        club.wait(PATIENCE_S)
    for table in tables:
        table.stop()
    house.close()
    return {
        "commands": commands,
        "grown_mb": {"without a club": grown[0], "without its broker": grown[1]},
        "command_p50_ms": {
            "without a club": round(median(times[0]), 2),
            "without its broker": round(median(times[1]), 2),
        },
        "said": said,
        "page_p95_ms": {"before": p95(usual), "since the broker is back": p95(meanwhile)},
        "pages_meanwhile": len(meanwhile),
        "caught_up_s": caught_up_s[0],
    }


def _apart(table: int) -> None:
    """Give the table's process its own processor; this process and those that it starts from now on get the others."""
    first, *others = sorted(os.sched_getaffinity(table) | os.sched_getaffinity(0))
    if others:
        for thread in Path(f"/proc/{table}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {first})
        os.sched_setaffinity(0, set(others))


def _links(table: Service) -> int:
    """Return how many of the table's rows the club has not received yet."""
    return sum(int(each["behind"]) for each in table.ask("GET", "/healthz")[1]["links"])


@contextmanager
def outages(folder: Path) -> Iterator[Outages]:
    found = Outages(folder)
    try:
        found.time("first seen", found.well)
        yield found
    finally:
        found.close()


def played(folder: Path, times: int, cuts_s: tuple[float, ...], commands: int) -> dict[str, Any]:
    """Cause all outages, and return the slowest times and the figures of the evening without a broker."""
    (folder / "outages").mkdir()
    with outages(folder / "outages") as found:
        both = True
        for _ in range(times):
            found.freeze()
            for seconds in cuts_s:
                found.cut(seconds)
            found.kill()
            both = found.restore() and both
    (folder / "evening").mkdir()
    alone = evening(folder / "evening", commands) if commands else {}
    return {"slowest_s": found.slowest, "goals_s": GOALS_S, "both_branches": both, "evening": alone}


def main() -> int:
    """Print the findings, and return 1 if a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.club.outages", description=__doc__)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--cuts", type=float, nargs="*", default=[8.0, 30.0], help="seconds of each cut")
    parser.add_argument("--commands", type=int, default=3000, help="of the evening without a broker")
    asked = parser.parse_args()
    if PROGRAM is None:
        sys.exit(MISSING)
    with tempfile.TemporaryDirectory() as name:
        found = played(Path(name), asked.times, tuple(asked.cuts), asked.commands)
    print(json.dumps(found))
    slow = [what for what, goal in GOALS_S.items() if found["slowest_s"].get(what, 0.0) > goal]
    return 1 if slow or not found["both_branches"] else 0


if __name__ == "__main__":
    sys.exit(main())
