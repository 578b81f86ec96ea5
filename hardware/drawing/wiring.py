"""The wiring diagram, drawn by WireViz and Graphviz from wiring.yml."""

from pathlib import Path
from typing import Any

import wireviz.wireviz as harness
import yaml

HERE = Path(__file__).parent.parent
FILES = {"pico": HERE / "wiring.yml", "pi": HERE / "wiring-gpio.yml"}


def wiring(kind: str) -> str:
    """Return the wiring diagram of one *kind* of ring, `pico` or `pi`, as SVG."""
    drawn: str = harness.parse(FILES[kind].read_text(), return_types="svg")
    return drawn


def plan(kind: str) -> dict[str, Any]:
    """Return the contents of the wiring's file."""
    said: dict[str, Any] = yaml.safe_load(FILES[kind].read_text())
    return said
