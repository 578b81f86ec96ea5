"""Finds the programs that the emulated chip needs on this machine, and reports missing programs."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.emulated.runtimes import EMULATOR

HERE = EMULATOR / "chip"
LIBRARY = Path("node_modules") / "rp2040js"
ROM = "bootrom.bin"


def home() -> Path:
    """Return the tools' folder: COMPANION_CHIP if set, otherwise `chip` in the Python environment."""
    return Path(os.environ.get("COMPANION_CHIP") or Path(sys.prefix) / "chip")


def lacking(tools: Path | None = None) -> list[str]:
    """Return a sentence for each missing tool, with the command that installs it.

    The list is empty if none is missing.
    """
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
    """Raise InputError with instructions if a tool is missing."""
    if missing := lacking(tools):
        raise InputError(" ".join(missing))


def command(flash: Path, tools: Path | None = None) -> list[str]:
    """Return the command that runs a chip with the flash contents in the file *flash*.

    Raise InputError if a tool is missing.
    """
    demand(tools)
    folder = tools or home()
    node = shutil.which("node") or "node"
    return [node, str(HERE / "run.mjs"), str(folder / LIBRARY), str(folder / ROM), str(flash)]
