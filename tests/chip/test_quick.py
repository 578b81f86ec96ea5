"""The emulator's fast path, compared with its own interpreter, instruction by instruction."""

from __future__ import annotations

import subprocess

from firmware_bridge.flashing.uf2 import flash_of
from firmware_bridge.simulation.chip import ChipFlash
from firmware_bridge.simulation.chip.tools import HERE, command

INSTRUCTIONS = 5_000_000


def test_the_quick_way_comes_to_the_same_registers(request, tmp_path):
    """From MicroPython's start on, fast path and interpreter agree in registers, flags and time at each instruction."""
    flash = ChipFlash(flash_of(request.config.rootpath / request.config.getoption("chip"))).image()
    node, _, *files = command(flash)
    done = subprocess.run([node, HERE / "same.mjs", *files, str(INSTRUCTIONS)], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
