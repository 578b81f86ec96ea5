"""The example device in C (hardware/example-device), which was written from PROTOCOL.md alone, at a pseudo-terminal."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from rungs.wire import Bell, Wire, open_wire
from tests.hil.rung import Missing, Rung, Step

SOURCES = Path(__file__).parents[3] / "hardware" / "example-device"
STRICTLY = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-format-truncation")
ENDS_S = 10.0
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


class Example(Rung):
    """A process of the device, with *fault* switched on if one is named."""

    live = True
    patient = True
    cannot: ClassVar = {
        "wrap": "its counter has 63 bits",
        "leisure of a pair": "its pairs are as even as any other cube",
    }

    def __init__(self, folder: Path, fault: str = "", *words: str) -> None:
        super().__init__()
        self.path = folder / "ring"
        self._pause = threading.Event()
        self._bells: list[Bell] = []
        told = ["--pty", self.path, "--flash", folder / "boot.count", *(["--fault", fault] if fault else []), *words]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        self._process = subprocess.Popen(list(map(str, [built(), *told])), **pipes)
        self._process.stdout.readline()

    def now(self) -> float:
        """Return the time in seconds."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Let time pass without reading from the ring."""
        self._pause.wait(seconds)

    def opened(self) -> Wire:
        """Return an open wire to the ring. Waits until it is plugged in."""
        bell = Bell()
        self._bells.append(bell)
        return open_wire(str(self.path), bell)

    def do(self, step: Step) -> None:
        """Send a step of a script to the device's hand, without waiting for it."""
        for line in words(step):
            self.tell(line)

    def tell(self, line: str) -> None:
        """Send a line in the device's own script language."""
        self._process.stdin.write(line + "\n")

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.communicate(timeout=ENDS_S)
        for bell in self._bells:
            bell.close()


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


def rung(folder: Path, fault: str = "") -> Rung:
    """Return a new ring."""
    return Example(folder, fault)
