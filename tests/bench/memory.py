"""Prints what a running service weighs: when it has answered first, and with every page seen once in a game of four.

Resident memory, its proportional share (PSS, of what is shared with other
processes) and what is the service's own, from /proc/PID/smaps_rollup; without a
ring, and with the simulated one, which lives in the service itself as no real
ring does. `--checkout` measures the program of another folder.
"""

from __future__ import annotations

import json
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tests.bench.services.house import begin_a_game, house, pages_of

ROOT = Path(__file__).parents[2]
RINGS = ("none", "mock:")
AIM_MB = 45.0


def weighed(checkout: Path, data: Path, ring: str) -> dict[str, Any]:
    """Return what the service weighs at first and at last, and how many pages were seen meanwhile."""
    with house(checkout, data, ring) as service:
        first = service.weight_mb()
        pages = pages_of(service)
        last = service.weight_mb()
    return {"first": first, "pages": pages, "seen": last}


def main() -> None:
    """Weigh the service with each ring and print the figures as JSON."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--checkout", type=Path, default=ROOT)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checkout, data = args.checkout.resolve(), Path(folder)
        begin_a_game(checkout, data)
        found = {ring.rstrip(":"): weighed(checkout, data, ring) for ring in RINGS}
    print(json.dumps({"bench": "memory", **found, "aim_mb": AIM_MB}))


if __name__ == "__main__":
    main()
