"""What a drawing was made from, told within it: a test sees then that it is not older than its sources.

Pictures of solids and Graphviz's layouts may differ by a pixel from machine to machine: they are not compared.
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
    """Return *svg* with the sum of its *sources* in it."""
    return re.sub(r"(<svg[^>]*>)", rf"\1\n<metadata>drawn from {total(sources)}</metadata>", svg, count=1)


def stamp(svg: str) -> str:
    """Return the sum that *svg* tells, or nothing."""
    found = re.search(r"<metadata>drawn from (\w+)</metadata>", svg)
    return found[1] if found else ""


def measured(page: str, table: str) -> str:
    """Return *page* with a new *table* of what printers have to cope with, and the sum of its sources before it."""
    told = f"<!-- measured from {total(SOURCES['printability'])} -->\n\n{table}"
    return re.sub(r"<!-- measured from \w+ -->\n\n(\|.*\n)*", lambda _: told, page, count=1)


def total(sources: Iterable[Path]) -> str:
    """Return one sum over all *sources*."""
    return sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()[:16]
