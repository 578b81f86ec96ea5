"""`python -m tests.cost`: measures what `make test` costs on this machine; with `--folders`, what each folder costs.

It prints JSON: minutes of processor time (with browsers and boards) and of wall time, for `make check`, for `make unit`
and for both. The environment is made first and not counted. Caches are used as they are, and are empty in a fresh
clone. Other work on the machine changes the wall time, but hardly the processor time.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = (
    *("tests/browser", "tests/companion", "tests/firmware_bridge", "tests/hardware", "tests/hil", "tests/web"),
    "tests/docs tests/fuzz tests/generations tests/mutants",
)
READY = (".venv/.ready-dev", ".venv/stubs/.ready", ".venv/markup/.ready")
"""Files that `make test` creates before it tests."""
SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>


@dataclass(frozen=True)
class Cost:
    """The cost of one run in minutes, and whether it was green."""

    cpu_min: float
    wall_min: float
    green: bool


def together(costs: Iterable[Cost]) -> Cost:
    """Return the cost of several runs one after another, green if each was.

    >>> together([Cost(1.5, 1.0, True), Cost(4.25, 3.0, False)])
    Cost(cpu_min=5.75, wall_min=4.0, green=False)
    """
    found = tuple(costs)
    return Cost(
        round(sum(each.cpu_min for each in found), 2),
        round(sum(each.wall_min for each in found), 2),
        all(each.green for each in found),
    )


def cost(command: Sequence[str], folder: Path = ROOT) -> Cost:
    """Run *command* in *folder* and return its cost, with all processes that it starts, orphans included."""
    began, used = time.monotonic(), processor_s()
    status = subprocess.run(command, cwd=folder, stdout=sys.stderr, check=False).returncode
    with suppress(ChildProcessError):  # no child is left
        while True:
            os.wait()
    return Cost(round((processor_s() - used) / 60, 2), round((time.monotonic() - began) / 60, 2), status == 0)


def processor_s() -> float:
    """Return the seconds of processor time of all children that have been waited for."""
    times = os.times()
    return times.children_user + times.children_system


def main() -> int:
    """Measure what is requested, print it, and return 1 if a run was not green."""
    parser = argparse.ArgumentParser(prog="python -m tests.cost", description=__doc__)
    parser.add_argument(
        "--folders", action="store_true", help="run each folder of tests by itself instead of `make test`"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--root", type=Path, default=ROOT, help="run the tests of this checkout instead")
    asked = parser.parse_args()
    if ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        sys.exit("This machine lends nobody its orphans: browsers could not be counted.")
    subprocess.run(("make", "-s", *READY), cwd=asked.root, stdout=sys.stderr, check=True)
    pytest = (str(Path(sys.executable).with_name("pytest")), "-q", "-n", str(asked.jobs), "--dist", "worksteal")
    parts = {f"make {part}": ("make", "-s", part, f"JOBS={asked.jobs}") for part in ("check", "unit")}
    runs = {folder: (*pytest, *folder.split()) for folder in FOLDERS} if asked.folders else parts
    costs = {name: cost(command, asked.root) for name, command in runs.items()}
    whole = together(costs.values())
    costs["all folders" if asked.folders else "make test"] = whole
    print(json.dumps({name: asdict(each) for name, each in costs.items()}, indent=2))
    return 0 if whole.green else 1


if __name__ == "__main__":
    sys.exit(main())
