"""What the scenes came to, as a text for the terminal and as a page to be looked at."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

STYLE = """body { font: 1rem/1.45 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: 0.5rem 0.75rem; border-top: 1px solid #d8d3c6; }
td:nth-child(3) { color: #53576a; } td:last-child { white-space: nowrap; text-align: right; }
.passed td:first-child { color: #1b6e3c; } .FAILED td:first-child { color: #a3106b; font-weight: bold; }"""


@dataclass(frozen=True)
class Result:
    """One scene: its sentence, whether that held, what was seen, and how long it took."""

    evening: str
    sentence: str
    passed: bool
    seen: str
    seconds: float

    @property
    def word(self) -> str:
        """How it ended, in a word."""
        return "passed" if self.passed else "FAILED"

    def line(self) -> str:
        """Return it as the terminal shows it."""
        return f"{self.word}  {self.seconds:6.1f} s  {self.sentence}\n{'':20}{self.seen}"


@dataclass(frozen=True)
class Whole:
    """All of a run: on what, how it was prepared, what the scenes came to, and how long everything took."""

    on: str
    prepared: tuple[tuple[str, float], ...]
    results: tuple[Result, ...]
    seconds: float

    @property
    def summary(self) -> str:
        """The whole in one line."""
        passed = sum(each.passed for each in self.results)
        before = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in self.prepared)
        return (
            f"{passed} of {len(self.results)} scenes passed, in {self.seconds / 60:.1f} minutes ({before}); {self.on}"
        )

    def page(self) -> str:
        """Return it as a page."""
        rows = "\n".join(_row(each) for each in self.results)
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>On real kernels</title>\n'
            f"<style>{STYLE}</style></head><body>\n<h1>On real kernels, in virtual machines, not on a Pi</h1>\n"
            f"<p>{escape(self.summary)}</p>\n<table>\n{rows}\n</table>\n</body></html>\n"
        )

    def write(self, folder: Path) -> Path:
        """Write the page into *folder* and return where it is."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "index.html"
        path.write_text(self.page(), encoding="utf-8")
        return path


def _row(each: Result) -> str:
    told = (each.word, each.sentence, each.seen, f"{each.seconds:.1f} s")
    return f'<tr class="{each.word}">' + "".join(f"<td>{escape(word)}</td>" for word in told) + "</tr>"
