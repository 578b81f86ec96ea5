"""`python -m tests.damage`: damages ledgers of real games at random; prints one JSON line for each kind of damage.

Fails if a table does not open, on a traceback, on a changed record or name without a notice, and if a game
whose rows are all intact cannot be read.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path
from random import Random

from tests.damage import harm
from tests.damage.evenings import kept, played
from tests.damage.trial import Figures, Harm, tried


def main() -> int:
    """Run all trials; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.damage", description=__doc__)
    parser.add_argument("--bytes", type=int, default=2000)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    kinds = (("bytes", harm.byte, asked.bytes), ("rows", harm.row, asked.rows), ("pages", harm.page, asked.pages))
    sound = True
    with tempfile.TemporaryDirectory(prefix="damage-") as folder:
        for name, how, trials in kinds:
            found = _many(name, how, trials, asked.seed, Path(folder))
            _tell(name, found)
            sound = sound and found.sound
    return 0 if sound else 1


def _tell(name: str, found: Figures) -> None:
    print(json.dumps({"damaged": name, **found.told()}), flush=True)
    for fault in (*found.tracebacks[:5], *found.unnoticed[:10], *found.renamed[:10], *found.whole_lost[:10]):
        print(fault, file=sys.stderr)


def _many(name: str, how: Harm, trials: int, seed: int, folder: Path) -> Figures:
    figures = Figures()
    all_evenings = []
    for made in (kept, played):
        (folder / f"{name}-{made.__name__}").mkdir()
        all_evenings.append(made(folder / f"{name}-{made.__name__}"))
    for trial in range(trials):
        lots = Random(f"{seed} {name} {trial}")
        tried(lots.choice(all_evenings), how, lots, folder / f"{name}-{trial}", figures)
        shutil.rmtree(folder / f"{name}-{trial}")
    return figures


if __name__ == "__main__":
    sys.exit(main())
