"""`python -m hardware.drawing.release`: write one reproducible archive for printing into build/release."""

import sys
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from itertools import product

from trimesh.exchange.stl import export_stl

from hardware.drawing import plates, solids, threemf
from hardware.drawing.__main__ import BUILD
from hardware.drawing.pictures import PictureParts, made
from hardware.drawing.stamp import HERE

INTO = BUILD.parent / "release"
CABLE = {"cable": 7}  # diameter in millimetres of the bundle of wires to a Pi's header
LICENCES = {
    "LICENSE-MIT.txt": HERE.parent / "LICENSE",
    "LICENSE-CERN-OHL-P-2.0.txt": HERE / "LICENSE-CERN-OHL-P-2.0.txt",
}
PAGE = """# The printed parts of a ring, version {version}

**Nobody has printed one of these yet.** Drawn for cubes of 8 and of 10 mm, in millimetres, each part as it lies on
the bed, without supports. What to print how, and what comes next: hardware/assembly.md of the ring companion.

Each folder is for cubes of one edge and for one choice of bought parts; another has to be drawn from the sources.

| folder | sensor board | gate switch | lift switch |
|---|---|---|---|
{rows}
`stl` holds single parts, `plates` all that is printed at once (3MF), on a bed of {bed:g} mm:

| plate | on it | colour, layers |
|---|---|---|
{plates}
A folder whose name ends in `cable-7` has the turret and the clamp of a ring on the Pi's own pins; all else is as in the
folder of the same edge. `SHA256SUMS` tells whether a file is whole: `sha256sum -c SHA256SUMS`.

These drawings are yours under the CERN Open Hardware Licence, version 2, permissive, or under the MIT licence, as you
prefer; both lie beside this page. Copyright 2026 the ring companion's developers.
"""
PRINTED = {
    "1-gate": "black, matt; 0.15 mm, three walls or more",
    "2-ring": "black, matt; 0.2 mm",
    "3-turret": "black; 0.2 mm",
    "4-shutter": "white, matt; 0.2 mm, no brim",
    "5-bench": "any; 0.2 mm",
}


def version() -> str:
    """Return the program's version, which is also the archive's."""
    return str(tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]["version"])


def archive() -> bytes:
    """Return the archive: parts and plates of every choice of bought parts, a page, licences and checksums."""
    chosen = [(edge, settings) for settings, edge in product(({}, *solids.OTHERS), solids.EDGES)]
    files: dict[str, str | bytes] = {"README.md": page(chosen)}
    files |= {name: path.read_bytes() for name, path in LICENCES.items()}
    for edge, settings in chosen:
        files |= dict(whole(solids.named(edge, settings), made(edge, BUILD, **settings)))
    for edge in solids.EDGES:
        ring = made(edge, BUILD, **CABLE)
        files |= dict(singles(solids.named(edge, CABLE), ring, ("turret", "clamp")))
    sums = "".join(f"{_sum(content)}  {path}\n" for path, content in files.items())
    return threemf.zipped({**files, "SHA256SUMS": sums})


def whole(folder: str, ring: PictureParts) -> Iterator[tuple[str, bytes]]:
    """Yield the path and content of every part and plate of one choice."""
    yield from singles(folder, ring, solids.PARTS)
    for name, parts in plates.PLATES.items():
        yield f"{folder}/plates/{name}.3mf", threemf.package(f"{folder}, {name}", plates.laid(parts, ring.mesh))


def singles(folder: str, ring: PictureParts, parts: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Yield the path and content of each of *parts* as an STL file, in its orientation for printing."""
    for part in parts:
        yield f"{folder}/stl/{part}.stl", export_stl(plates.lying(part, ring.mesh[part]))


def page(chosen: list[tuple[int, dict[str, solids.Setting]]]) -> str:
    """Return the README.md of the archive."""
    rows = ""
    for edge, settings in chosen:
        z = solids.sizes(edge, **settings)
        rows += f"| {solids.named(edge, settings)} | {z['sensor_board']} | {z['gate_switch']} | {z['lift_switch']} |\n"
    on = "".join(f"| {name} | {', '.join(parts)} | {PRINTED[name]} |\n" for name, parts in plates.PLATES.items())
    return PAGE.format(version=version(), rows=rows, plates=on, bed=plates.BED)


def main() -> int:
    """Write the archive and print its path and checksum; return 1 if OpenSCAD is missing or fails."""
    INTO.mkdir(parents=True, exist_ok=True)
    path = INTO / f"ring-parts-{version()}.zip"
    try:
        content = archive()
    except solids.Undrawn as missing:
        print(missing, file=sys.stderr)
        return 1
    path.write_bytes(content)
    print(f"{path.relative_to(HERE.parent)}: {len(content) / 1e6:.1f} MB, SHA-256 {_sum(content)}")
    return 0


def _sum(content: str | bytes) -> str:
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
