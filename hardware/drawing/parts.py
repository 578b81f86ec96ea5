"""The parts list: read from parts.toml, and told as a page for people."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "parts.toml"
HEAD = """# Parts

Made from [parts.toml](parts.toml) by `make drawings`; change it there. Nobody has built a ring from this list yet.
No prices and no shops: they change. **K** marks common knowledge that has to be held against the part's own data sheet
before buying; sizes that differ are settings in [gate/sizes.scad](gate/sizes.scad).

| | on a Pico | on the Pi's pins | part | for | it must | or instead |
|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Part:
    """One line of the list: what it is, what it is for, and how many of it the two kinds of ring need."""

    refs: tuple[str, ...]
    name: str
    role: str
    need: str
    pico: int
    pi: int
    instead: str = ""
    check: bool = False

    @property
    def electrical(self) -> bool:
        """Whether the part is in the circuit, by the letter of its designator."""
        return self.refs[0].rstrip("0123456789") in {"U", "D", "Q", "R", "C", "S", "BZ"}


def parts(source: Path = SOURCE) -> list[Part]:
    """Return all parts in their order; a line with a missing or unknown field raises TypeError naming it."""
    lines = tomllib.loads(source.read_text())["part"]
    return [Part(**{**line, "refs": tuple(line["refs"])}) for line in lines]


def electrical(kind: str, of: list[Part]) -> set[str]:
    """Return the designators of what is in the circuit of one *kind* of ring: `pico` or `pi`."""
    return {ref for part in of if part.electrical and getattr(part, kind) for ref in part.refs}


def page(of: list[Part]) -> str:
    """Return the list as a page."""
    return HEAD + "\n".join(_row(part) for part in of) + "\n"


def _row(part: Part) -> str:
    marked = f"{part.name}{' **K**' if part.check else ''}"
    cells = (", ".join(part.refs), part.pico or "–", part.pi or "–", marked, part.role, part.need, part.instead)
    return "| " + " | ".join(str(cell) for cell in cells) + " |"
