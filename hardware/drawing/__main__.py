"""`python -m hardware.drawing`: draw everything. Pictures and pages are committed; STLs go into build/drawings."""

import sys
from collections.abc import Iterator
from pathlib import Path

from hardware.drawing import building, circuit, console, parts, pictures, printability, sections, solids, wiring
from hardware.drawing.board import netlist, perfboard
from hardware.drawing.stamp import HERE, SOURCES, measured, stamped

BUILD = HERE.parent / "build" / "drawings"
PICTURES = HERE / "pictures"
SHOWN_EDGE = 8


def drawn() -> Iterator[tuple[Path, str]]:
    """Yield each generated file that is committed, as path and content."""
    yield HERE / "parts.md", parts.page(parts.parts())
    yield HERE / "parts.csv", parts.table(parts.parts())
    yield PICTURES / "perfboard.svg", perfboard.picture(netlist.board())
    for kind, name in (("pico", "circuit"), ("pi", "circuit-gpio")):
        yield PICTURES / f"{name}.svg", circuit.circuit(kind)
    for path, told in building.boards().items():
        yield HERE / path, told
    yield PICTURES / "console.svg", console.console()
    for kind, name in (("pico", "wiring"), ("pi", "wiring-gpio")):
        yield PICTURES / f"{name}.svg", stamped(wiring.wiring(kind), SOURCES[kind])
    rings = {edge: pictures.made(edge, BUILD) for edge in solids.EDGES}
    table = printability.table({edge: ring.mesh for edge, ring in rings.items()})
    yield HERE / "README.md", measured((HERE / "README.md").read_text(), table)
    ring = rings[SHOWN_EDGE]
    for source, sheets in (("pictures", pictures.pictures(ring)), ("sections", sections.sections(ring))):
        for name, sheet in sheets.items():
            yield PICTURES / f"{name}.svg", stamped(sheet.svg(), SOURCES[source])
    for path, sheet in building.pictures(ring).items():
        yield HERE / path, stamped(sheet.svg(), SOURCES["steps"])


def main() -> int:
    """Draw everything and print the paths; return 1 and print one line if OpenSCAD is missing or fails."""
    (PICTURES / "steps").mkdir(parents=True, exist_ok=True)
    try:
        for path in solids.stls(BUILD):
            print(path.relative_to(HERE.parent))
        for path, content in drawn():
            path.write_text(content)
            print(path.relative_to(HERE.parent))
    except solids.Undrawn as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
