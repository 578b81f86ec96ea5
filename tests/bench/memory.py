"""Prints the memory of a running service after its first answer, and after every page in a game of four.

Resident memory, proportional memory (PSS, which counts a part of the memory shared
with other processes) and private memory, from /proc/PID/smaps_rollup; without a ring, and
with the simulated one, which, unlike a real ring, runs in the service.
`imported_kb` is Python's memory for the largest imported packages, measured in
a run of its own. `--checkout` measures the program of another folder.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tests.bench.services.house import begin_a_game, house, pages_of, python_of
from tests.bench.services.process import as_after_a_first_start

ROOT = Path(__file__).parents[2]
RINGS = ("none", "mock:")
AIM_MB = 45.0
HEAVIEST = 15


def weighed(checkout: Path, data: Path, ring: str) -> dict[str, Any]:
    """Return the service's memory at the beginning and at the end, and the number of pages in between."""
    with house(checkout, data, ring) as service:
        first = service.weight_mb()
        pages = pages_of(service)
        last = service.weight_mb()
    return {"first": first, "pages": pages, "seen": last}


def imported(checkout: Path) -> dict[str, int]:
    """Return the memory of the largest packages, in KB."""
    command = [python_of(checkout), "-m", "tests.bench.services.imported"]
    said = subprocess.run(command, cwd=ROOT, env=as_after_a_first_start(), capture_output=True, text=True, check=True)
    return dict(list(json.loads(said.stdout).items())[:HEAVIEST])


def main() -> None:
    """Measure the service with each ring, and print the figures as JSON."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--checkout", type=Path, default=ROOT)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checkout, data = args.checkout.resolve(), Path(folder)
        begin_a_game(checkout, data)
        found = {ring.rstrip(":"): weighed(checkout, data, ring) for ring in RINGS}
    print(json.dumps({"bench": "memory", **found, "imported_kb": imported(ROOT), "aim_mb": AIM_MB}))


if __name__ == "__main__":
    main()
