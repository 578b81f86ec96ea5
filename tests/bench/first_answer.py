"""Prints how soon `companion serve` answers its first page after a start, compared with a bare Flask application.

Both are new processes with the same interpreter and start alternately, so that a
busy machine affects both; the bare one runs with our server, and with Flask's
own. The data folder has a game of four; compiled Python files are cached, as
they are after a first start. The page is GET /, requested every 2 ms. `processor` is
the time of all threads, which a busy machine changes least. `--checkout`
measures the program of another folder.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from tests.bench.services.house import begin_a_game, house, python_of
from tests.bench.services.process import Running, free_port, running

ROOT = Path(__file__).parents[2]
RINGS = ("none", "mock:")
BARE = ("uvicorn", "werkzeug")
AIM = 1.6
Runs = dict[str, list[Running]]


def bare(checkout: Path, server: str) -> Running:
    """Start a bare Flask application once, with the interpreter of *checkout*."""
    port = free_port()
    command = [python_of(checkout), "-m", "tests.bench.services.bare_flask", server, str(port)]
    with running(command, ROOT, port) as service:
        return service


def starts(checkout: Path, count: int, data: Path) -> Runs:
    """Start the programs alternately, each *count* times."""
    begin_a_game(checkout, data)
    runs: Runs = {name: [] for name in (*RINGS, *BARE)}
    for _ in range(count):
        for ring in RINGS:
            with house(checkout, data, ring) as service:
                runs[ring].append(service)
        for server in BARE:
            runs[server].append(bare(checkout, server))
    return runs


def figures(runs: Runs) -> dict[str, float]:
    """Return medians, and the ratio of our program to the bare application with the same server."""
    wall = {name: statistics.median(one.first_answer_s for one in each) for name, each in runs.items()}
    processor = {name: statistics.median(one.processor_s for one in each) for name, each in runs.items()}
    found: dict[str, float] = {}
    for name in runs:
        word = {"none": "house", "mock:": "house_mock"}.get(name, f"bare_{name}")
        found |= {f"{word}_s": round(wall[name], 4), f"{word}_processor_s": round(processor[name], 4)}
    for ring, word in (("none", "times_bare"), ("mock:", "times_bare_mock")):
        found[word] = round(wall[ring] / wall["uvicorn"], 2)
        found[f"{word}_processor"] = round(processor[ring] / processor["uvicorn"], 2)
    return found


def main() -> None:
    """Start everything a number of times, and print the figures as JSON."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=9)
    parser.add_argument("--checkout", type=Path, default=ROOT)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = starts(args.checkout.resolve(), args.starts, Path(folder))
    print(json.dumps({"bench": "first_answer", "starts": args.starts, **figures(runs), "aim": AIM}))


if __name__ == "__main__":
    main()
