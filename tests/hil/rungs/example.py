"""The example device in C (hardware/example-device), which was written from PROTOCOL.md alone, at a pseudo-terminal."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from rungs.rung import Missing
from rungs.simulated import ScriptedRung
from tests.hil.ring import Ring, Step

SOURCES = Path(__file__).parents[3] / "hardware" / "example-device"
STRICTLY = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-format-truncation")
VERSIONS = {"older": 0, "newer": 2}


@cache
def _built_in() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="example-device-")


@cache
def built() -> Path:
    """Build the device, once per process, and return its path. Raises `Missing` if there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise Missing("There is no C compiler: apt-get install gcc.")
    program = Path(_built_in().name) / "device"
    subprocess.run([compiler, *STRICTLY, "-o", program, *SOURCES.glob("*.c")], check=True)
    return program


class Example(Ring, ScriptedRung):
    """A process of the device. Its files are in *folder*, or else in a temporary folder. A *fault* is switched on."""

    longest_s = inf
    cannot = MappingProxyType(
        {"wrap": "its counter has 63 bits", "leisure of a pair": "its pairs are as even as any other cube"}
    )

    def __init__(self, folder: Path | None, fault: str = "", *words: str) -> None:
        self._own = TemporaryDirectory(prefix="ring-")
        folder = folder or Path(self._own.name)
        path, complaints = folder / "ring", folder / "stderr"
        told = ["--pty", path, "--flash", folder / "boot.count", *(["--fault", fault] if fault else []), *words]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with complaints.open("w", encoding="utf-8") as file:
            process = subprocess.Popen(list(map(str, [built(), *told])), stderr=file, **pipes)
        super().__init__(process, path, complaints)

    def hand(self, step: Step) -> None:
        """Send a step of a script to the device's hand, without waiting for it."""
        for line in words(step):
            self.tell(line)

    def close(self) -> None:
        """End the process."""
        super().close()
        self._own.cleanup()


def words(step: Step) -> list[str]:
    """Return a *step* as lines of the device's own script language."""
    if "do" in step:
        return [str(step["do"])]
    if "load" in step:
        return [f"load {colour} {count}" for colour, count in step["load"].items()]
    if "slide" in step:
        colours = step.get("colours", ["-"] * int(step["slide"]))
        return [f"slide {colour} {step.get('speed_mm_s', 0):g} {step.get('fault', '')}".strip() for colour in colours]
    match step["trouble"]:
        case "unplugged":
            return [f"unplug {step['ms']}"]
        case "sensor-gone" | "sensor-back":
            return [str(step["trouble"]).replace("-", " ")]
        case "store-full":
            return ["fill"]
        case "restarted":
            return ["start"]
        case "older" | "newer" as word:
            return [f"start {VERSIONS[word]}"]
        case other:
            raise Missing(f"an example device cannot be `{other}`")


def rung(fault: str) -> Ring:
    """Return a new ring."""
    return Example(None, fault)
