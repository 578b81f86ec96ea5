"""The printed parts as meshes in millimetres, made by OpenSCAD."""

import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fcntl import LOCK_EX, flock
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import trimesh
from manifold3d import Manifold, Mesh

SOURCES = Path(__file__).parent.parent / "gate"
PARTS = ("gate", "shutter", "ring", "turret", "hood", "foot", "clamp", "jig", "pusher")
EDGES = (8, 10)
LONGEST_S = 1800  # seconds, enough even on a busy machine
Setting = float | str
OTHERS: tuple[dict[str, Setting], ...] = (  # every board and switch in gate/bought.scad other than the defaults
    {"sensor_board": "Waveshare", "gate_switch": "D2F", "lift_switch": "D2F-L"},
    {"sensor_board": "CQRobot", "gate_switch": "SS-5", "lift_switch": "SS-5GL"},
)


class Undrawn(Exception):
    """OpenSCAD is missing, or cannot make a part."""


def named(edge: int, settings: Mapping[str, Setting]) -> str:
    """Return the file name for parts for cubes of *edge* millimetres with other *settings*.

    >>> named(8, {"cable": 7})
    '8mm_cable-7'
    """
    words = [str(value) if isinstance(value, str) else f"{name}-{value:g}" for name, value in settings.items()]
    return "_".join([f"{edge}mm", *(re.sub(r"[^a-z0-9]+", "-", word.lower()) for word in words)])


def stl(part: str, edge: int, into: Path, **settings: Setting) -> Path:
    """Return the path of the STL of *part* for cubes of *edge* millimetres; draw it if its sources have changed.

    A lock makes parallel calls for the same part wait, because tests run in parallel.
    """
    path = into / named(edge, settings) / f"{part}.stl"
    stamp = path.with_suffix(".sources")
    sources = _sources(part)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not (path.exists() and stamp.exists() and stamp.read_text() == sources):
            drawn(part, path, edge=edge, **settings)
            stamp.write_text(sources)
    return path


def stls(into: Path, edges: Sequence[int] = EDGES, **settings: Setting) -> list[Path]:
    """Draw every part for *edges*, two at a time; return the paths."""
    wanted = [(part, edge) for edge in edges for part in PARTS]
    with ThreadPoolExecutor(2) as two:
        return list(two.map(lambda one: stl(*one, into, **settings), wanted))


def drawn(part: str, path: Path, **settings: Setting) -> None:
    """Draw *part* into *path* with any settings of sizes.scad. Raise Undrawn with OpenSCAD's message if it fails."""
    _openscad("-o", str(path), *_given(settings), str(SOURCES / f"{part}.scad"))


def sizes(edge: int, **settings: Setting) -> dict[str, Any]:
    """Return the dimensions of the parts as OpenSCAD computes them, in millimetres and degrees."""
    source = SOURCES / "sizes.scad"
    names = re.findall(r"(?m)^(\w+) =", source.read_text())
    with TemporaryDirectory() as folder:
        asking, told = Path(folder) / "sizes.scad", Path(folder) / "sizes.echo"
        asking.write_text(f"include <{source}>\n" + "".join(f"echo({name}={name});\n" for name in names))
        _openscad("-o", str(told), *_given({"edge": edge, **settings}), str(asking))
        said = told.read_text()
        if "ERROR" in said:
            raise Undrawn(f"openscad cannot work out the sizes: {said.strip()}")
        pairs = [line.removeprefix("ECHO: ").split(" = ") for line in said.splitlines()]
    return {name: json.loads(value) for name, value in pairs}


def mesh(path: Path) -> trimesh.Trimesh:
    """Return the mesh in *path*, with coinciding vertices merged."""
    return trimesh.load_mesh(path)


def solid(of: trimesh.Trimesh) -> Manifold:
    """Return *of* as a Manifold, which can be cut, joined and sliced."""
    return Manifold(Mesh(vert_properties=of.vertices.astype(np.float32), tri_verts=of.faces.astype(np.uint32)))


def _given(settings: Mapping[str, Setting]) -> list[str]:
    told = {name: f'"{value}"' if isinstance(value, str) else f"{value:g}" for name, value in settings.items()}
    return [word for name, value in told.items() for word in ("-D", f"{name}={value}")]


def _sources(part: str) -> str:
    files = [SOURCES / f"{name}.scad" for name in (part, "plans", "sizes", "bought")]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _openscad(*arguments: str) -> None:
    try:
        done = subprocess.run(["openscad", *arguments], capture_output=True, text=True, timeout=LONGEST_S)
    except FileNotFoundError:
        raise Undrawn("openscad is not installed; sh hardware/drawings.sh installs it or says how") from None
    if done.returncode or "ERROR" in done.stderr or "WARNING" in done.stderr:
        raise Undrawn(f"openscad cannot draw {arguments[-1]}: {done.stderr.strip()}")
