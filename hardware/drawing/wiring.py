"""The wiring as a drawing: WireViz reads what goes where and Graphviz lays it out."""

from pathlib import Path
from typing import Any

import wireviz.wireviz as harness
import yaml

HERE = Path(__file__).parent.parent
FILES = {"pico": HERE / "wiring.yml", "pi": HERE / "wiring-gpio.yml"}


def wiring(kind: str) -> str:
    """Return the wiring of one *kind* of ring as SVG: `pico` or `pi`."""
    drawn: str = harness.parse(FILES[kind].read_text(), return_types="svg")
    return drawn


def plan(kind: str) -> dict[str, Any]:
    """Return what the wiring's file says, as it is written there."""
    said: dict[str, Any] = yaml.safe_load(FILES[kind].read_text())
    return said
