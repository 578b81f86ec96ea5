"""The results of the scenes, as text for the terminal and as a page."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

STYLE = """:root { color-scheme: light dark; --line: #8885; --soft: light-dark(#53576a, #a9adbd); }
body { font: 1rem/1.45 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: 0.5rem 0.75rem; border-top: 1px solid var(--line); }
th { padding-top: 2rem; border: 0; font-size: 1.1rem; }
td:nth-child(2) { width: 40%; }
td:nth-child(3) { color: var(--soft); overflow-wrap: anywhere; white-space: pre-line; }
td:last-child { white-space: nowrap; text-align: right; font-variant-numeric: tabular-nums; }
.passed td:first-child { color: light-dark(#1b6e3c, #6fcf97); }
.FAILED td:first-child { color: light-dark(#a3106b, #ff8ac4); font-weight: bold; }
pre { overflow-x: auto; font-size: 0.8rem; border: 1px solid var(--line); padding: 0.5rem; }
@media (max-width: 40rem) {
  tr, td, td:nth-child(2) { display: block; width: auto; }
  tr { padding: 0.5rem 0; border-top: 1px solid var(--line); }
  tr:has(th) { border: 0; padding-bottom: 0; }
  td, th { border: 0; padding: 0; }
  td:last-child { text-align: left; color: var(--soft); }
}"""


@dataclass(frozen=True)
class Result:
    """One scene: its sentence, whether it was true, what was seen, and its duration."""

    evening: str
    sentence: str
    passed: bool
    seen: str
    seconds: float

    @property
    def word(self) -> str:
        """Return the result in a word."""
        return "passed" if self.passed else "FAILED"

    def line(self) -> str:
        """Return the line for the terminal."""
        return f"{self.word}  {self.seconds:6.1f} s  {self.sentence}\n{'':20}{self.seen}"


@dataclass(frozen=True)
class Stop:
    """A machine that hung or ended: in which scene ("" means at its boot), why, and its console's last lines."""

    evening: str
    during: str
    why: str
    symptoms: str
    console: str

    def line(self) -> str:
        """Return the line for the terminal."""
        return f"{self.evening}: {self.why}, {f'in “{self.during}”' if self.during else 'at its boot'}; {self.symptoms}"


@dataclass(frozen=True)
class Whole:
    """A whole run: hardware, preparations, results of scenes, duration, and machines that stopped."""

    on: str
    prepared: tuple[tuple[str, float], ...]
    results: tuple[Result, ...]
    seconds: float
    stops: tuple[Stop, ...] = ()
    title: str = "On real kernels, in virtual machines, not on a Pi"
    ended: str = field(default_factory=lambda: time.strftime("%Y-%m-%d %H:%M"))

    @property
    def summary(self) -> str:
        """Return the summary in one line."""
        passed = sum(each.passed for each in self.results)
        before = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in self.prepared)
        stopped = f"; machines that stopped: {len(self.stops)}" if self.stops else ""
        return (
            f"{passed} of {len(self.results)} scenes passed, in {self.seconds / 60:.1f} minutes ({before}); "
            f"{self.on}{stopped}"
        )

    def page(self) -> str:
        """Return the page."""
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width"><title>{escape(self.title)}</title>\n'
            f"<style>{STYLE}</style></head><body>\n<h1>{escape(self.title)}</h1>\n"
            f"<p>{escape(self.summary)}; ended {self.ended}</p>\n"
            f"<table>\n{self._rows()}\n</table>\n{self._stopped()}</body></html>\n"
        )

    def write(self, path: Path) -> Path:
        """Write the page to *path*, and return the path."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.page(), encoding="utf-8")
        return path

    def _rows(self) -> str:
        """Return the table's rows, evening by evening."""
        rows = []
        for evening in dict.fromkeys(each.evening for each in self.results):
            rows.append(f'<tr><th colspan="4">{escape(evening)}</th></tr>')
            rows += [_row(each) for each in self.results if each.evening == evening]
        return "\n".join(rows)

    def _stopped(self) -> str:
        if not self.stops:
            return ""
        texts = [f"<p>{escape(each.line())}</p>\n<pre>{escape(each.console)}</pre>" for each in self.stops]
        return "<h2>Machines that stopped, and whose evening was begun once more</h2>\n" + "\n".join(texts) + "\n"


def _row(each: Result) -> str:
    told = (each.word, _marked(each.sentence), _coded(each.seen), f"{each.seconds:.1f} s")
    return f'<tr class="{each.word}">' + "".join(f"<td>{word}</td>" for word in told) + "</tr>"


def _marked(sentence: str) -> str:
    """Return *sentence* as HTML, with its marks for code and for texts of pages."""
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", _coded(sentence))


def _coded(text: str) -> str:
    """Return *text* as HTML, with its marks for code."""
    return re.sub(r"`(.+?)`", r"<code>\1</code>", escape(text))
