"""The server under attack: `companion serve` as a process, with a game on its table and its log kept."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.bench.services.process import Running
from tests.companion.app.processes import PATIENCE_S, Service
from tests.strangers.report import Report
from tests.strangers.visitor import Visitor
from tests.web.plain_game import CARDS, HEADER

TRACEBACK = "Traceback (most recent call last)"
LOG_MOST = 1_000_000
"""The most bytes of log that an attack may cause: the log is limited per hour."""
ADDRESSES = tuple(f"127.0.0.{number}" for number in range(2, 52))
"""Fifty devices of strangers; to the server, all are addresses of this machine."""


class House:
    """A service with a game of three: the next line is `deal`, which can be undone again and again."""

    def __init__(self, folder: Path, ring: object = "none") -> None:
        self.data = folder / "data"
        self._complaints = folder / "complaints.txt"
        with self._complaints.open("w", encoding="utf-8") as complaints:
            self.service = Service(self.data, ring, complaints=complaints)
        self.port = urlsplit(self.service.url).port or 0
        self.pin = self.service.pin
        self.token = (self.data / "token").read_text(encoding="utf-8").strip()
        self.guests: list[Visitor] = []
        self._dealt = False

    def play(self) -> House:
        """Start a new game of three."""
        status, answer = self.service.ask("POST", "/api/v1/games", HEADER)
        assert status == 201, answer
        for player, cards in CARDS.items():
            self.service.do({"do": "setup", "player": player, "cards": cards})
        self._dealt = False
        return self

    @property
    def table(self) -> dict[str, Any]:
        """The state of the table: version, status and others."""
        return dict(self.service.ask("GET", "/api/v1/table")[1])

    def command(self) -> float:
        """Execute the host's next command, and return the seconds until its answer."""
        began = time.perf_counter()
        if self._dealt:
            status, answer = self.service.ask("POST", "/api/v1/deeds", {"deed": "undo"})
        else:
            status, answer = self.service.ask("POST", "/api/v1/commands", {"do": "deal"})
        assert status == 200, answer
        self._dealt = not self._dealt
        return time.perf_counter() - began

    def weight_mb(self) -> float:
        """Return the service's proportional memory (PSS) in MB: its own, and its share of memory used by others too."""
        return Running(self.service.pid, self.port, 0.0, 0.0).weight_mb()["pss_mb"]

    def descriptors(self) -> int:
        """Count the open file descriptors of the service."""
        return len(os.listdir(f"/proc/{self.service.pid}/fd"))  # noqa: PTH208

    def complaints(self) -> str:
        """Return the service's log."""
        return self._complaints.read_text(encoding="utf-8", errors="replace")

    def judge(self, report: Report) -> None:
        """Report what must be true after any attack: the server answers, the game goes on, no traceback."""
        said = self.complaints()
        report.figures["tracebacks"] = said.count(TRACEBACK)
        report.expect(TRACEBACK not in said, f"tracebacks: {said[said.find(TRACEBACK) :][:1500]}")
        report.expect(len(said) <= LOG_MOST, f"{len(said):,} bytes of complaints, beginning {said[:200]!r}")
        status, answer = self.service.ask("GET", "/healthz")
        report.expect(status == 200 and answer["kept"], f"healthz answers {status}: {answer}")
        seconds = [self.command() for _ in range(2)]
        report.figures["next command, ms"] = round(1000 * max(seconds), 1)


@contextmanager
def at_home(folder: Path, report: Report, ring: object = "none") -> Iterator[House]:
    """Yield a server with a game on its table; check and stop it at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    house = House(folder, ring)
    try:
        yield house.play()
        house.judge(report)
        status = house.service.stop()
        report.expect(status == 0, f"the service ends with status {status}")
    finally:
        for guest in house.guests:
            guest.close()
        house.service.kill()


def p95_ms(seconds: list[float]) -> float:
    """Return the 95th percentile in milliseconds."""
    ordered = sorted(seconds)
    return round(1000 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 1)


__all__ = ["ADDRESSES", "PATIENCE_S", "House", "at_home", "p95_ms"]
