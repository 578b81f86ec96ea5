"""What the tests cost on this machine: `python -m tests.cost`, or `python -m tests.cost --folders` for each folder.

Printed as JSON: minutes of processor time, those of browsers and boards included, and of wall time. The processor's
are right beside other work too, but for what two threads of one core take from each other; the wall's are not.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = (
    *("tests/browser", "tests/companion", "tests/firmware_bridge", "tests/hardware", "tests/hil", "tests/web"),
    "tests/docs tests/fuzz tests/generations tests/mutants",
)
SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>


@dataclass(frozen=True)
class Cost:
    """What one run took, in minutes, and whether it was green."""

    cpu_min: float
    wall_min: float
    green: bool


def cost(command: Sequence[str]) -> Cost:
    """Run *command* and return what it cost, with all that it has started, orphans included."""
    began, used = time.monotonic(), processor_s()
    status = subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False).returncode
    with suppress(ChildProcessError):  # nobody is left
        while True:
            os.wait()
    return Cost(round((processor_s() - used) / 60, 2), round((time.monotonic() - began) / 60, 2), status == 0)


def processor_s() -> float:
    """Return the seconds of processor time of all children that have been waited for."""
    times = os.times()
    return times.children_user + times.children_system


def main() -> int:
    """Measure what is asked for, print it, and return 1 where a run was not green."""
    parser = argparse.ArgumentParser(prog="python -m tests.cost", description=__doc__)
    parser.add_argument("--folders", action="store_true", help="each folder by itself, not `make unit`")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    if ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        sys.exit("This machine lends nobody its orphans: browsers could not be counted.")
    unit = {"make unit": ("make", "-s", "unit", f"JOBS={asked.jobs}")}
    pytest = (str(Path(sys.executable).with_name("pytest")), "-q", "-n", str(asked.jobs), "--dist", "worksteal")
    runs = {folder: (*pytest, *folder.split()) for folder in FOLDERS} if asked.folders else unit
    costs = {name: cost(command) for name, command in runs.items()}
    print(json.dumps({name: asdict(each) for name, each in costs.items()}, indent=2))
    return 0 if all(each.green for each in costs.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
