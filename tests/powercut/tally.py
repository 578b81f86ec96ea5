"""The results of a campaign, added up and printed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.powercut.evening import Outcome

KINDS = ("lost", "doubled", "half", "other", "unreadable", "alarm", "said", "broken")
"""The first words of fault sentences."""


@dataclass
class Tally:
    """The totals of several evenings."""

    doing: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    evenings: int = 0
    acknowledged: int = 0
    unsynced: int = 0
    rows: int = 0
    passages: int = 0
    halves: int = 0

    def add(self, outcome: Outcome) -> None:
        """Add one power cut."""
        self.doing[outcome.doing] += 1
        self.moments[_kind_of(outcome.cut.moment)] += 1
        self.unsynced += outcome.cut.unsynced
        self.halves = max(self.halves, outcome.left.halves)
        self.faults += [f"{why} [{outcome.doing}; {outcome.cut.moment or 'between'}]" for why in outcome.left.faults]

    def finish(self, faults: Iterable[str], acknowledged: int, rows: int, passages: int) -> None:
        """Add the end of one evening."""
        self.faults += [f"{why} [at the end of an evening]" for why in faults]
        self.evenings += 1
        self.acknowledged += acknowledged
        self.rows += rows
        self.passages += passages

    def broken(self, why: str) -> None:
        """Add an evening that failed with an exception."""
        self.faults.append(f"broken: {why}")

    def __iadd__(self, other: Tally) -> Tally:
        """Add another tally."""
        most = max(self.halves, other.halves)
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        self.halves = most
        return self

    @property
    def cuts(self) -> int:
        """The number of power cuts."""
        return self.doing.total()

    def told(self) -> Iterator[str]:
        """Yield the lines of the report."""
        yield f"{self.cuts} cuts in {self.evenings} evenings, {self.acknowledged} commands acknowledged,"
        yield f"{self.rows} rows and {self.passages} passages of a ring in the ledgers at their ends;"
        yield f"{self.unsynced} writes and names were not synced as the power failed; {self.halves} files at most were"
        yield "found unfinished beside what they were to replace."
        yield from _table("while", self.doing)
        yield from _table("at the disk", self.moments)
        found = Counter(fault.split(":")[0] for fault in self.faults)
        yield ", ".join(f"{kind}: {found[kind]}" for kind in KINDS)
        yield from self.faults


def _table(title: str, counted: Counter[str]) -> Iterator[str]:
    yield f"  {title}:"
    yield from (f"    {count:5}  {what or 'between two deeds'}" for what, count in counted.most_common())


def _kind_of(moment: str) -> str:
    """Return *moment* without its random numbers."""
    bare = re.sub(r"\.\d+\.[0-9a-f]{8}", "", moment)
    return re.sub(r"\d[\d-]*", "N", bare)
