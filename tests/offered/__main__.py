"""The walk as a campaign: `python -m tests.offered --positions 500 --seed 1`, all games or the one that is named."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from companion.games.registry import GAMES
from tests.offered.evening import examined
from tests.offered.walk import Walked


def main() -> int:
    """Walk, print each kind of fault with an example, and answer 1 where there is one."""
    asked = argparse.ArgumentParser(prog="python -m tests.offered", description=__doc__)
    asked.add_argument("--game", choices=tuple(GAMES), action="append")
    asked.add_argument("--positions", type=int, default=100)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--pages", type=int, default=40, help="for each who looks, at each position")
    asked.add_argument("--sought", type=int, default=4, help="legal commands that are looked for, at each position")
    given = asked.parse_args()
    broken = 0
    for name in given.game or tuple(GAMES):
        found = Walked()
        with TemporaryDirectory() as folder:
            lots = Random(f"{name} {given.seed}")
            found = examined(Path(folder), name, given.positions, lots, given.pages, given.sought)
        broken += len(found.faults)
        kinds = Counter(
            (fault.kind, fault.who in GAMES, fault.where.partition("?")[0], fault.why) for fault in found.faults
        )
        for (kind, _, where, why), _count in kinds.most_common():
            next(f for f in found.faults if (f.kind, f.where.partition("?")[0], f.why) == (kind, where, why))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
