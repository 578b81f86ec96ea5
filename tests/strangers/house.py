"""A house to be attacked: `companion serve` as a process, a game on its table, and what it complains of kept."""

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
"""Bytes that a campaign may make the service complain: its log is bounded by the hour."""
ADDRESSES = tuple(f"127.0.0.{number}" for number in range(2, 52))
"""Fifty devices of strangers; the house takes all of them for this machine's, as they are."""


class House:
    """One service with a game of three: the next line is `deal`, and may be taken back again and again."""

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
        """Put a new game of three on the table."""
        status, answer = self.service.ask("POST", "/api/v1/games", HEADER)
        assert status == 201, answer
        for player, cards in CARDS.items():
            self.service.do({"do": "setup", "player": player, "cards": cards})
        self._dealt = False
        return self

    @property
    def table(self) -> dict[str, Any]:
        """How the game stands: its version and status, among others."""
        return dict(self.service.ask("GET", "/api/v1/table")[1])

    def command(self) -> float:
        """Do the host's next command, and return after how many seconds it was answered."""
        began = time.perf_counter()
        if self._dealt:
            status, answer = self.service.ask("POST", "/api/v1/deeds", {"deed": "undo"})
        else:
            status, answer = self.service.ask("POST", "/api/v1/commands", {"do": "deal"})
        assert status == 200, answer
        self._dealt = not self._dealt
        return time.perf_counter() - began

    def weight_mb(self) -> float:
        """Return what the service holds in memory of its own and its share of what others use too (PSS)."""
        return Running(self.service.pid, self.port, 0.0, 0.0).weight_mb()["pss_mb"]

    def descriptors(self) -> int:
        """Count the descriptors that the service holds."""
        return len(os.listdir(f"/proc/{self.service.pid}/fd"))  # noqa: PTH208

    def complaints(self) -> str:
        """Return what the service has complained of."""
        return self._complaints.read_text(encoding="utf-8", errors="replace")

    def judge(self, report: Report) -> None:
        """Tell *report* what must hold after any campaign: it answers, the game goes on, nothing broke aloud."""
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
    """Have a house with a game on its table; judged and ended at last."""
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
    """Return what 95 of 100 stay under, in milliseconds."""
    ordered = sorted(seconds)
    return round(1000 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 1)


__all__ = ["ADDRESSES", "PATIENCE_S", "House", "at_home", "p95_ms"]
