"""Cuts the power during games, again and again, checks whether anything was lost, and prints the results.

`python -m tests.powercut --cuts 1000` uses a disk that loses unsynced data (described in `tests/powercut/disk.py`);
`--kills 2000` uses an ordinary folder, where processes are killed and all written data survives. The status is 1 if
something was lost, stored twice, truncated or changed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.powercut.evening import Evening
from tests.powercut.moments import cut_at, killed_at
from tests.powercut.mounting import why_not
from tests.powercut.storage import ForgetfulDisk, OrdinaryFolder
from tests.powercut.tally import Tally

LIVES = 20
"""The number of power cuts in one evening."""


@dataclass(frozen=True)
class Asked:
    """One evening to simulate: its random seed, its number of cuts, and its options."""

    lots: str
    lives: int
    kills: bool
    ring: bool
    older: bool


def evening(asked: Asked) -> Tally:
    """Simulate one evening with all its cuts."""
    lots = Random(asked.lots)
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="powercut-") as name:
        folder = Path(name)
        _complain_into(folder / "complaints")
        storage = OrdinaryFolder(folder / "disk") if asked.kills else ForgetfulDisk(folder / "disk")
        played = Evening(storage, folder, lots, asked.ring)
        try:
            if asked.older:
                played.begin_older()
            for _ in range(asked.lives):
                tally.add(played.life(killed_at(lots) if asked.kills else cut_at(lots)))
            tally.finish(played.finish(), played.hands.acknowledged, len(played.shown.rows), played.passages)
        except Exception:
            tally.broken(traceback.format_exc())
        finally:
            played.close()
            storage.close()
    return tally


def _complain_into(path: Path) -> None:
    """Write the standard error of this process and its services to a file, which is checked after each cut."""
    with path.open("w") as file:
        os.dup2(file.fileno(), 2)


def evenings(asked: argparse.Namespace) -> Iterator[Asked]:
    """Yield the evenings that are needed for the requested number of cuts."""
    left = asked.kills or asked.cuts
    for number in range(-(-left // LIVES)):
        lives = min(LIVES, left - number * LIVES)
        yield Asked(f"{asked.seed}-{number}", lives, bool(asked.kills), ring=number % 2 == 0, older=number % 5 == 1)


def main() -> int:
    """Simulate the requested evenings, print the results and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.powercut", description=__doc__)
    parser.add_argument("--cuts", type=int, default=1000)
    parser.add_argument(
        "--kills", type=int, default=0, help="kill the service this often instead, on an ordinary folder"
    )
    parser.add_argument("--seed", default="1", help="seed of the random numbers")
    parser.add_argument("--jobs", type=int, default=2, help="number of evenings at a time")
    asked = parser.parse_args()
    if not asked.kills and (reason := why_not()):
        sys.exit(reason)
    total = Tally()
    with ProcessPoolExecutor(asked.jobs, max_tasks_per_child=None) as pool:
        for tally in pool.map(evening, evenings(asked)):
            total += tally
            print(f"{total.cuts} cuts, {len(total.faults)} faults", *tally.faults, sep="\n  ", flush=True)
    print(*total.told(), sep="\n")
    return 1 if total.faults else 0


if __name__ == "__main__":
    sys.exit(main())
