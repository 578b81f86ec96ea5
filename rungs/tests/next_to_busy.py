"""`python rungs/tests/next_to_busy.py`: runs the thermometer's suite repeatedly next to busy processes.

A busy machine must not look like a slow device. The status is 1 if a promise is broken in any run, or if more than
`--most` percent of the promises are not judged. With `--busy=0`, on an idle machine, all promises must be judged.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "thermometer"
ROOT = EXAMPLE.parents[2]
LOOP = "import os\nwhile os.getppid() != 1: sum(range(100_000))"
RUN = ("-m", "pytest", "-q", "-p", "rungs.plugin", "-p", "no:cacheprovider", "--rungs-report=report")


@contextmanager
def busy(number: int) -> Iterator[None]:
    """Keep CPUs busy with a number of processes until the end of the block."""
    loops = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def run(folder: Path, rungs: Sequence[str]) -> tuple[Counter[str], list[str]]:
    """Run the suite in *folder* once; return the number of promises per outcome, and the reasons of the bad ones."""
    command = [sys.executable, *RUN, *(f"--rung={rung}" for rung in rungs)]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, check=False)
    record = json.loads((folder / "report" / "record.json").read_text())
    promises = [each for rung in record["rungs"] for each in rung["promises"]]
    bad = [each["reason"] for each in promises if each["outcome"] in ("broken", "not judged")]
    return Counter(each["outcome"] for each in promises), bad


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite several times, print a line for each run, and return the status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50, help="number of runs (50)")
    parser.add_argument("--busy", type=int, default=8, help="number of busy processes (8)")
    parser.add_argument("--most", type=float, default=2.0, help="percent of the promises that may be not judged (2)")
    parser.add_argument("--within", type=float, default=float("inf"), metavar="S", help="begin no run after this time")
    parser.add_argument("--rung", action="append", default=[], help="rungs (those of the example)")
    asked = parser.parse_args(arguments)
    total: Counter[str] = Counter()
    began = time.monotonic()
    with TemporaryDirectory() as scratch, busy(asked.busy):
        folder = Path(shutil.copytree(EXAMPLE, Path(scratch) / "thermometer"))
        for number in range(1, asked.runs + 1):
            if time.monotonic() - began > asked.within:
                break
            found, bad = run(folder, asked.rung)
            total += found
            words = ", ".join(f"{count} {outcome}" for outcome, count in found.items())
            sys.stdout.write("\n    ".join([f"run {number}: {words}", *bad]) + "\n")
            sys.stdout.flush()
    share = 100 * total["not judged"] / max(total.total(), 1)
    sys.stdout.write(f"{total.total()} promises: {total['broken']} broken, {share:.2f} % not judged\n")
    most = asked.most if asked.busy else 0.0
    return 0 if total and not total["broken"] and share <= most else 1


if __name__ == "__main__":
    sys.exit(main())
