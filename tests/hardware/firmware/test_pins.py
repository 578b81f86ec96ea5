"""PINS: firmware, drawings and GPIO ring use the same pins (hardware/pins.toml)."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

HARDWARE = Path(__file__).resolve().parents[3] / "hardware"


def test_the_firmware_knows_the_pins_of_the_drawings():
    """The firmware has exactly the Pico's pins of the drawings."""
    tree = ast.parse((HARDWARE / "firmware" / "ring" / "pico_pins.py").read_text())
    known = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            known[node.targets[0].id.lower()] = ast.literal_eval(node.value)  # type: ignore[attr-defined]

    drawn = tomllib.loads((HARDWARE / "pins.toml").read_text())["pico"]
    assert known == {name: pin["pin"] for name, pin in drawn.items()}
