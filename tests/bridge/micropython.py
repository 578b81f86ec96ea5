"""MicroPython for tests of what a board runs: its WebAssembly port under node, given this project's own sources."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PORT = ROOT / ".venv" / "micropython"
GET = ROOT / "hardware" / "emulator" / "get.sh"
PATIENCE_S = 60


def run_vectors(path: Path) -> dict[str, Any]:
    """Return what MicroPython makes of the vectors at *path*: `wrong`, a list of sentences, and `run`, how many."""
    return json.loads(_node("vectors.mjs", ROOT / "firmware_bridge" / "wire", HERE / "vectors.py", path))


def _node(script: str, *arguments: Path) -> str:
    subprocess.run(["sh", GET], check=True, capture_output=True, timeout=PATIENCE_S * 5)
    command = ["node", HERE / script, _module(), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _module() -> Path:
    found = sorted(PORT.rglob("micropython.mjs"))
    assert found, f"no micropython.mjs below {PORT}: {GET} did not bring it"
    return found[0]
