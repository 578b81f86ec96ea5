"""The report of an attack: the numbers of its inputs and answers, its measurements and findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

MOST_TOLD = 12
"""This many findings are printed as text; the rest is counted."""


@dataclass
class Report:
    """An attack's report: *tried* counts inputs by kind, *answers* their results, *figures* are measured."""

    name: str
    tried: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    figures: dict[str, object] = field(default_factory=dict)
    skipped: str = ""
    findings: int = 0
    told: list[str] = field(default_factory=list)

    @property
    def inputs(self) -> int:
        """The number of inputs tried."""
        return self.tried.total()

    def found(self, sentence: str) -> None:
        """Add a finding."""
        self.findings += 1
        if len(self.told) < MOST_TOLD:
            self.told.append(sentence)

    def expect(self, holds: bool, sentence: str) -> None:
        """Add *sentence* as a finding unless *holds* is true."""
        if not holds:
            self.found(sentence)

    def lines(self, seconds: float) -> Iterator[str]:
        """Yield the report as lines of text; *seconds* is its duration."""
        if self.skipped:
            yield f"{self.name:10} skipped: {self.skipped}"
            return
        yield f"{self.name:10} {self.inputs:,} inputs in {seconds:.1f} s, {self.findings:,} findings"
        for what, found in (("tried", self.tried), ("answers", self.answers), ("figures", self.figures)):
            if found:
                yield f"{'':10} {what}: {', '.join(f'{key} {_written(value)}' for key, value in found.items())}"
        yield from (f"{'':10} FOUND: {sentence}" for sentence in self.told)
        if self.findings > len(self.told):
            yield f"{'':10} and {self.findings - len(self.told):,} more"


def _written(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)
