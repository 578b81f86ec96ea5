"""The resources of a service, measured again and again, and whether they grow."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from tests.bench.services.process import Running

WARM = 3  # the first of this many parts is ignored: caches fill, and pages are shown for the first time


@dataclass(frozen=True)
class Look:
    """One measurement: memory in MB, threads, open descriptors, and sizes of files in MB."""

    hours: float
    rss_mb: float
    pss_mb: float
    threads: int
    descriptors: int
    ledger_mb: float
    captures_mb: float
    others_mb: float


ALLOWED = {"rss_mb": 6.0, "pss_mb": 6.0, "threads": 1.0, "descriptors": 8.0, "captures_mb": 8.5, "others_mb": 0.2}
"""By how much each resource may grow after the first part; captures fill eight files of a megabyte.

Memory grows with the ledger at first, by 0.1 MB per one or two games: SQLite caches the pages that it has written, up
to its own limit of 2 MB (`PRAGMA cache_size`).

The ledger is not included: it keeps every row for ever, and its growth is reported per game.
"""


def looked(pid: int, data: Path, hours: float) -> Look:
    """Measure the process *pid* and its *data* folder."""
    weight = Running(pid, 0, 0.0, 0.0).weight_mb()
    threads, descriptors = (len(os.listdir(f"/proc/{pid}/{what}")) for what in ("task", "fd"))  # noqa: PTH208
    sizes = {path: path.stat().st_size / 1e6 for path in data.rglob("*") if path.is_file()}
    ledger = sum(size for path, size in sizes.items() if path.name.startswith("ledger.sqlite"))
    captures = sum(size for path, size in sizes.items() if path.parent.name == "captures")
    others = sum(sizes.values()) - ledger - captures
    return Look(hours, weight["rss_mb"], weight["pss_mb"], threads, descriptors, ledger, captures, others)


def drift(points: Sequence[tuple[float, float]]) -> float:
    """Return by how much a least-squares line through *points* rises from the first to the last."""
    middle = sum(x for x, _ in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    slope = sum((x - middle) * y for x, y in points) / spread if spread else 0.0
    return slope * (points[-1][0] - points[0][0])


@dataclass
class Course:
    """All measurements so far; each is passed to *say* as text."""

    say: Callable[[str], None]
    looks: list[Look] = field(default_factory=list)
    games: int = 0

    def add(self, look: Look) -> None:
        """Add *look*, and print it."""
        self.looks.append(look)
        told = (f"{each.name} {getattr(look, each.name):.6g}" for each in fields(Look))
        self.say(", ".join(told))

    def risen(self) -> dict[str, float]:
        """Return the resources that have grown more than allowed, with their growth."""
        return {name: rise for name, rise in self._drifts().items() if rise > ALLOWED[name]}

    def verdicts(self) -> Iterator[str]:
        """Yield a line for each resource: first, last, growth after the first part, and the verdict."""
        first, last, risen = self.looks[0], self.looks[-1], self.risen()
        for name, rise in self._drifts().items():
            judged = "RISES" if name in risen else "level"
            values = f"{getattr(first, name):10.6g} -> {getattr(last, name):10.6g}"
            yield f"{name:12} {values}, drift {rise:+.3g} of {ALLOWED[name]:g} allowed: {judged}"
        grown = last.ledger_mb - first.ledger_mb
        values = f"{first.ledger_mb:10.6g} -> {last.ledger_mb:10.6g}"
        yield f"{'ledger_mb':12} {values}, {grown / max(1, self.games):.3g} a game"

    def _drifts(self) -> dict[str, float]:
        warm = self.looks[len(self.looks) // WARM :]
        return {name: drift([(look.hours, getattr(look, name)) for look in warm]) for name in ALLOWED}
