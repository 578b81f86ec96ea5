"""Stamps in the drawings: a checksum of the sources, so that a test can find a drawing older than its sources.

The drawings themselves are not compared, because pictures of solids and Graphviz's layouts can differ by a
pixel between machines.
"""

import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent.parent
DRAWING = HERE / "drawing"
SOLIDS = [
    *sorted((HERE / "gate").glob("*.scad")),
    *(DRAWING / f"{name}.py" for name in ("bodies", "fittings", "shading", "sheet", "solids", "wires")),
]
SOURCES = {
    "printability": [*sorted((HERE / "gate").glob("*.scad")), DRAWING / "printability.py"],
    "pictures": [*SOLIDS, DRAWING / "pictures.py"],
    "steps": [
        *SOLIDS,
        *(DRAWING / f"{name}.py" for name in ("building", "fasteners", "pictures", "plates", "scenes", "steps")),
        HERE / "steps.toml",
    ],
    "sections": [*SOLIDS, DRAWING / "pictures.py", DRAWING / "sections.py"],
    "pico": [HERE / "wiring.yml", DRAWING / "wiring.py"],
    "pi": [HERE / "wiring-gpio.yml", DRAWING / "wiring.py"],
}


def stamped(svg: str, sources: Iterable[Path]) -> str:
    """Return *svg* with the checksum of *sources* in its metadata."""
    return re.sub(r"(<svg[^>]*>)", rf"\1\n<metadata>drawn from {total(sources)}</metadata>", svg, count=1)


def stamp(svg: str) -> str:
    """Return the checksum in *svg*, or an empty string."""
    found = re.search(r"<metadata>drawn from (\w+)</metadata>", svg)
    return found[1] if found else ""


def measured(page: str, table: str) -> str:
    """Return the text of *page* with *table* as its printability table, after a new checksum of the table's sources."""
    told = f"<!-- measured from {total(SOURCES['printability'])} -->\n\n{table}"
    return re.sub(r"<!-- measured from \w+ -->\n\n(\|.*\n)*", lambda _: told, page, count=1)


def total(sources: Iterable[Path]) -> str:
    """Return one checksum over the contents of all *sources*."""
    return sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()[:16]
