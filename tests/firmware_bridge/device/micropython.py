"""MicroPython for tests of the board's code: its WebAssembly port under node, with this project's sources."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from firmware_bridge.simulation.emulated.runtimes import PACKAGE, demand, home

HERE = Path(__file__).parent
WIRE = HERE.parents[2] / "firmware_bridge" / "device"
PATIENCE_S = 60


def run_vectors(path: Path) -> dict[str, Any]:
    """Run the vectors at *path* with MicroPython; return `wrong`, a list of sentences, and `run`, their number.

    Raises InputError with advice if MicroPython isn't installed.
    """
    demand("wasm")
    module = home() / PACKAGE / "micropython.mjs"
    command = ["node", HERE / "vectors.mjs", module, WIRE, HERE.parent / "protocol" / "vectors.py", path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
