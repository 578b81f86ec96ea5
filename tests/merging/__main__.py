"""`python -m tests.merging`: splits a ledger of 200 games at random, merges the parts at random, and compares.

Each part has some of the games, some of them only up to a row in the middle, like an earlier backup; every game
is complete in at least one part. In any order, the merged ledger must have the same canonical export as the whole.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from hashlib import blake2b
from pathlib import Path
from random import Random

from companion.ledger import Ledger, canonical, merge
from companion.ledger.merging import append_game, merge_asides, rows_of
from tests.companion.live_table import LiveTable

MEMORY = "/dev/shm"  # noqa: S108 - the files are in a temporary folder inside it; they need not be on a disk


def house(folder: Path, games: int, lots: Random) -> Path:
    """Return a ledger of small games with all kinds of references between rows: undone lines, draws, questions."""
    table = LiveTable(folder / "whole.sqlite")
    for _ in range(games):
        table.open(bag={"red": 4, "blue": 4, "green": 3}).score(lots.randint(1, 9)).dig(3).slide(
            lots.choice(["red", "blue"])
        )
        if lots.random() < 0.3:
            table.undo("misread")
        if lots.random() < 0.3:
            table.slide(None, ranking=(("red", 0.6), ("blue", 0.4)), why="ambiguous").answer("blue")
    table.ledger.close()
    return table.path


def parts_of(whole: Ledger, folder: Path, parts: int, lots: Random) -> list[Path]:
    """Return ledgers that together contain all of *whole*."""
    paths = [folder / f"part{number}.sqlite" for number in range(parts)]
    ledgers = [Ledger.open(path) for path in paths]
    for game in reversed(whole.games()):
        rows, identity = rows_of(whole, game), whole.game_identity(game)
        complete = lots.randrange(parts)
        for number, ledger in enumerate(ledgers):
            if number == complete:
                append_game(ledger, rows, (), identity)
            elif lots.random() < 0.3:
                append_game(ledger, rows[: lots.randint(1, len(rows))], (), identity)
    merge_asides(ledgers[0], whole)
    for ledger in ledgers:
        ledger.close()
    return paths


def merged(paths: list[Path], into: Path, lots: Random) -> str:
    """Return the canonical export of all *paths* merged in a random order, one of them twice."""
    order = [*paths, lots.choice(paths)]
    lots.shuffle(order)
    ledger = Ledger.open(into)
    for path in order:
        other = Ledger.read_only(path)
        merge(ledger, other, other.last)
        other.close()
    found = canonical(ledger)
    ledger.close()
    return found


def main() -> int:
    """Print how many merges gave the same export, and return 1 if one did not."""
    parser = argparse.ArgumentParser(prog="python -m tests.merging", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--splits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    began, alike, lots = time.monotonic(), 0, Random(asked.seed)
    with tempfile.TemporaryDirectory(dir=MEMORY if Path(MEMORY).is_dir() else None) as name:
        whole = Ledger.read_only(house(Path(name), asked.games, lots))
        wanted = canonical(whole)
        for number in range(asked.splits):
            folder = Path(name, str(number))
            folder.mkdir()
            paths = parts_of(whole, folder, lots.randint(2, 6), lots)
            alike += merged(paths, folder / "merged.sqlite", lots) == wanted
            for path in folder.iterdir():
                path.unlink()
    digest = blake2b(wanted.encode(), digest_size=16).hexdigest()
    seconds = round(time.monotonic() - began)
    print(
        json.dumps({"games": asked.games, "splits": asked.splits, "alike": alike, "seconds": seconds, "export": digest})
    )
    return 0 if alike == asked.splits else 1


if __name__ == "__main__":
    sys.exit(main())
