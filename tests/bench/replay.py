"""Prints as JSON how long a step of a replay takes in a game of 100,000 lines, and how long a step's page takes.

`python -m tests.bench.replay [STEPS]` requests that many random steps (100,000). The long game is a simulated game of
five, played to its end, undone line by line and played again until it has 100,000 lines; *reference* is the time to
fold the same steps from the start. Times are processor and wall time, since the machine may be busy. The page is the
fragment that scripts request, with the step's board, sentence and buttons; it is made by the whole application.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

from companion.games.registry import GAMES
from companion.kernel.fields import Line
from companion.session.timeline import Timeline, of_record
from tests.companion.stored_games import record_of, shelf
from web import HostPin, make_app
from web.games.registry import COVERS

LINES = 100_000
AIM_MS = 16.0
REFERENCES = 60
PAGES_ASKED = 2000
UNDO = {"do": "undo"}


def long_game(most: int) -> Iterator[Line]:
    """Yield a header and *most* lines: a game of five, played and undone again and again."""
    header, *lines = record_of("andromeda", "bench", 5, undone=0)
    yield header
    told = 0
    while told < most:
        for line in (*lines, *[UNDO] * len(lines)):
            told += 1
            if told > most:
                return
            yield line


def memory_kb() -> int:
    """Return the resident memory of this process in KB."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def timed(deed: Callable[[int], object], steps: Iterable[int]) -> dict[str, float]:
    """Return the median, the 99.9th percentile and the worst of the times of *deed*, called with each of *steps*."""
    wall, own = [], []
    for step in steps:
        began, before = time.thread_time(), time.perf_counter()
        deed(step)
        own.append(1000 * (time.thread_time() - began))
        wall.append(1000 * (time.perf_counter() - before))
    found = {}
    for name, times in (("own", sorted(own)), ("wall", sorted(wall))):
        at = {"median": len(times) // 2, "p999": int(len(times) * 0.999), "worst": -1}
        found |= {f"{name}_{word}_ms": round(times[place], 3) for word, place in at.items()}
    return found


def from_the_start(timeline: Timeline, step: int) -> object:
    """Fold a step from the start, without stored states."""
    states = [timeline.game.start(timeline.header)]
    for at in range(1, step + 1):
        row = timeline._row(at)
        if row.undoes:
            states.pop()
        else:
            states.append(timeline._folded(states[-1], row))
    return states[-1]


def pages(lots: Random) -> Iterator[dict[str, object]]:
    """Yield how long a step's page takes, for a game of each kind."""
    with tempfile.TemporaryDirectory() as folder:
        table, numbers = shelf(Path(folder), [record_of(name, "bench") for name in GAMES])
        visitor = make_app(table, None, COVERS, HostPin(Path(folder))).test_client()
        for name, number in zip(GAMES, numbers, strict=True):
            address = f"/games/{number}/replay/step?at="
            last = int(visitor.get(f"{address}999999").get_data(as_text=True).partition('data-at="')[2].split('"')[0])
            asked = [lots.randint(0, last) for _ in range(PAGES_ASKED)]
            timed(lambda at, to=address: visitor.get(f"{to}{at}"), asked[:50])
            yield {"game": name, "lines": last, **timed(lambda at, to=address: visitor.get(f"{to}{at}"), asked)}
        table.close()


def main() -> None:
    """Print a line for the long game, one for its reference, and one for the page of each kind of game."""
    steps, lots = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, Random("replay")
    before, began = memory_kb(), time.process_time()
    timeline = of_record(GAMES, enumerate(long_game(LINES), 1), Timeline)
    built = {"built_s": round(time.process_time() - began, 1), "memory_kb": memory_kb() - before}
    asked = [lots.randint(0, LINES) for _ in range(steps)]
    figures = {"lines": len(timeline), "steps": steps, **built, **timed(timeline.at, asked), "aim_ms": AIM_MS}
    print(json.dumps({"bench": "replay", **figures}), flush=True)
    reference = timed(lambda step: from_the_start(timeline, step), asked[:REFERENCES])
    print(json.dumps({"bench": "replay", "reference": "from the start", "steps": REFERENCES, **reference}), flush=True)
    for page in pages(lots):
        print(
            json.dumps({"bench": "replay", "page": "step", "steps": PAGES_ASKED, **page, "aim_ms": AIM_MS}), flush=True
        )


if __name__ == "__main__":
    main()
