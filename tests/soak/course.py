"""What a service holds, looked at again and again, and whether it stays level."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from tests.bench.services.process import Running

WARM = 3  # of so many parts the first is not judged: caches fill, pages are seen for the first time


@dataclass(frozen=True)
class Look:
    """One look: memory in MB, threads, open descriptors, and the sizes of files in MB."""

    hours: float
    rss_mb: float
    pss_mb: float
    threads: int
    descriptors: int
    ledger_mb: float
    captures_mb: float
    others_mb: float


ALLOWED = {"rss_mb": 6.0, "pss_mb": 6.0, "threads": 1.0, "descriptors": 8.0, "captures_mb": 8.5, "others_mb": 0.2}
"""By how much each may have drifted from the warm part's beginning to its end; captures fill eight files of a megabyte.

Memory rises with the ledger at first, by 0.1 MB a game or two: SQLite keeps the pages that it has written, up to its
own limit of 2 MB (`PRAGMA cache_size`), and is level from then on.

The ledger is not among them: it keeps every row for good, and is told as so much a game.
"""


def looked(pid: int, data: Path, hours: float) -> Look:
    """Look at the process *pid* and its *data* folder."""
    weight = Running(pid, 0, 0.0, 0.0).weight_mb()
    threads, descriptors = (len(os.listdir(f"/proc/{pid}/{what}")) for what in ("task", "fd"))  # noqa: PTH208
    sizes = {path: path.stat().st_size / 1e6 for path in data.rglob("*") if path.is_file()}
    ledger = sum(size for path, size in sizes.items() if path.name.startswith("ledger.sqlite"))
    captures = sum(size for path, size in sizes.items() if path.parent.name == "captures")
    others = sum(sizes.values()) - ledger - captures
    return Look(hours, weight["rss_mb"], weight["pss_mb"], threads, descriptors, ledger, captures, others)


def drift(points: Sequence[tuple[float, float]]) -> float:
    """Return by how much a line through *points* (the least squares) rises from the first to the last."""
    middle = sum(x for x, _ in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    slope = sum((x - middle) * y for x, y in points) / spread if spread else 0.0
    return slope * (points[-1][0] - points[0][0])


@dataclass
class Course:
    """All looks so far; each is told to *say* when it is taken."""

    say: Callable[[str], None]
    looks: list[Look] = field(default_factory=list)
    games: int = 0

    def add(self, look: Look) -> None:
        """Keep *look*, and tell it."""
        self.looks.append(look)
        told = (f"{each.name} {getattr(look, each.name):.6g}" for each in fields(Look))
        self.say(", ".join(told))

    def risen(self) -> dict[str, float]:
        """Return what has drifted further than it may, with by how much."""
        return {name: rise for name, rise in self._drifts().items() if rise > ALLOWED[name]}

    def verdicts(self) -> Iterator[str]:
        """Yield a line for each measure: first, last, drift of the warm part, and whether that is level."""
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
