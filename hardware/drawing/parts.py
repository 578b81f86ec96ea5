"""The parts list, read from parts.toml and written as a page (parts.md) and a table (parts.csv)."""

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parent.parent / "parts.toml"
PRICE = ("each", "currency", "source", "date")
COLUMNS = [
    *("designators", "on a Pico", "on the Pi's pins", "part", "for", "it must", "maker and number", "other numbers"),
    *("or instead", "held against", "common knowledge", "price of one", "currency", "price's source", "price's date"),
]
HEAD = """# Parts

Made from [parts.toml](parts.toml) by `make drawings`; change it there. Nobody has built a ring from this list yet.
[parts.csv](parts.csv) is the same list as a table for programs, with prices that have a source and a date. **K** marks
common knowledge: check the part's own data sheet before you buy it. Sizes that differ are settings in
[gate/sizes.scad](gate/sizes.scad). parts.csv also says against which source each order number was checked (a maker's
sheet, or a dealer's number in other people's lists). Where there is no number, "it must" says what to look for.

| | on a Pico | on the Pi's pins | part | for | it must | one that fits | or instead |
|---|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Part:
    """One line of the list: the part, its purpose, and how many the two kinds of ring need."""

    refs: tuple[str, ...]
    name: str
    role: str
    need: str
    pico: int
    pi: int
    instead: str = ""
    check: bool = False
    buy: tuple[str, ...] = ()
    seen: str = ""
    price: Mapping[str, object] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def electrical(self) -> bool:
        """True if the part is in the circuit, judged by the letters of its designator."""
        return self.refs[0].rstrip("0123456789") in {"U", "D", "Q", "R", "C", "S", "BZ"}


def parts(source: Path = SOURCE) -> list[Part]:
    """Return all parts in order. Raise TypeError, which names the field, if one is missing or unknown."""
    lines = tomllib.loads(source.read_text())["part"]
    return [Part(**{**line, "refs": tuple(line["refs"]), "buy": tuple(line.get("buy", ()))}) for line in lines]


def electrical(kind: str, of: list[Part]) -> set[str]:
    """Return the designators in the circuit of one *kind* of ring, `pico` or `pi`."""
    return {ref for part in of if part.electrical and getattr(part, kind) for ref in part.refs}


def page(of: list[Part]) -> str:
    """Return the list as a Markdown page."""
    return HEAD + "\n".join(_row(part) for part in of) + "\n"


def table(of: list[Part]) -> str:
    """Return the list as CSV: amounts, makers' numbers, and prices with their source and date."""
    written = StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(COLUMNS)
    for part in of:
        first, *others = part.buy or ("",)
        price = [str(part.price.get(name, "")) for name in PRICE]
        about = (part.name, part.role, part.need, first, "; ".join(others), part.instead, part.seen)
        known = "to be checked" if part.check else ""
        lines.writerow([" ".join(part.refs), part.pico, part.pi, *about, known, *price])
    return written.getvalue()


def _row(part: Part) -> str:
    marked = f"{part.name}{' **K**' if part.check else ''}"
    counts = (part.pico or "–", part.pi or "–")
    cells = (", ".join(part.refs), *counts, marked, part.role, part.need, "; ".join(part.buy), part.instead)
    return "| " + " | ".join(str(cell) for cell in cells) + " |"
