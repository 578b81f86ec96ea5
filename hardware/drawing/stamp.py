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
    *(DRAWING / f"{name}.py" for name in ("fittings", "shading", "sheet", "solids")),
]
SOURCES = {
    "pictures": [*SOLIDS, DRAWING / "pictures.py"],
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


def total(sources: Iterable[Path]) -> str:
    """Return one sum over all *sources*."""
    return sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()[:16]
