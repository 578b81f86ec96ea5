"""What the emulated chip runs with: where it lies on this machine, and what is missing of it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.simulation.emulated.runtimes import EMULATOR

HERE = EMULATOR / "chip"
LIBRARY = Path("node_modules") / "rp2040js"
ROM = "bootrom.bin"


def home() -> Path:
    """Return where the tools lie: in the environment's own folder, or where COMPANION_CHIP says."""
    return Path(os.environ.get("COMPANION_CHIP") or Path(sys.prefix) / "chip")


def lacking(tools: Path | None = None) -> list[str]:
    """Return a sentence for each thing that is missing, with what to do about it; none when all is there."""
    folder = tools or home()
    getter = f"run `sh {HERE / 'get.sh'} {folder}`"
    found = [
        (HERE / "run.mjs", "The emulator's own part is missing", "it comes with the project's source"),
        (folder / LIBRARY / "package.json", "The emulator rp2040js is missing", getter),
        (folder / ROM, "The RP2040's boot ROM is missing", getter),
    ]
    node = [] if shutil.which("node") else ["Node.js is missing: install it (18 or newer)."]
    return node + [f"{what} ({path}): {cure}." for path, what, cure in found if not path.exists()]


def demand(tools: Path | None = None) -> None:
    """Raise BadInput with what to do when an emulated chip cannot be had."""
    if missing := lacking(tools):
        raise BadInput(" ".join(missing))


def command(flash: Path, tools: Path | None = None) -> list[str]:
    """Return what starts a chip with that *flash*; BadInput with what to do when it cannot be had."""
    demand(tools)
    folder = tools or home()
    node = shutil.which("node") or "node"
    return [node, str(HERE / "run.mjs"), str(folder / LIBRARY), str(folder / ROM), str(flash)]
