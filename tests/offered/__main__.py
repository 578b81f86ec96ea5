"""The walk as a campaign: `python -m tests.offered --positions 500 --seed 1`, for all games or those named."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from companion.games.registry import GAMES
from tests.offered.evening import examined

LONGEST = 400


def _say(text: str) -> None:
    print(text, flush=True)


def main() -> int:
    """Walk, print each kind of fault with an example, and return 1 if there are faults."""
    asked = argparse.ArgumentParser(prog="python -m tests.offered", description=__doc__)
    asked.add_argument("--game", choices=tuple(GAMES), action="append")
    asked.add_argument("--positions", type=int, default=100)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--pages", type=int, default=40, help="number of pages for each viewer at each position")
    asked.add_argument("--sought", type=int, default=4, help="number of legal commands to look for at each position")
    given = asked.parse_args()
    broken = 0
    for name in given.game or tuple(GAMES):
        with TemporaryDirectory() as folder:
            lots = Random(f"{name} {given.seed}")
            found = examined(Path(folder), name, given.positions, lots, given.pages, given.sought)
        broken += len(found.faults)
        _say(f"{name}: {given.positions} positions, {found.pages} pages, {found.taps} taps, {found.sought} commands")
        kinds = Counter((fault.kind, fault.where.partition("?")[0], fault.why) for fault in found.faults)
        for kind, count in kinds.most_common():
            example = next(f for f in found.faults if (f.kind, f.where.partition("?")[0], f.why) == kind)
            _say(f"  {count} x {example}"[:LONGEST])
    _say(f"{broken} differences")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
