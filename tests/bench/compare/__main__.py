"""Prints figures of two checkouts on this machine, before and after, as a table in Markdown.

`python -m tests.bench.compare OLD [--rounds N] [--only BENCH]` runs each bench alternately in the other checkout and in
this one, with the interpreter of that checkout's `.venv`, and shows the medians. A dash means that a checkout doesn't
print this figure.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.compare.figures import BENCHES, Bench, Figure, objects
from tests.bench.services.house import python_of
from tests.bench.services.process import as_after_a_first_start

ROOT = Path(__file__).parents[3]
NONE = "–"
Runs = list[list[Any]]


def ran(bench: Bench, checkout: Path) -> list[Any]:
    """Return what *bench* prints for *checkout*; if it doesn't run there, print a message and return nothing."""
    command = [python_of(checkout), "-m", f"tests.bench.{bench.name}", *bench.arguments]
    if bench.outside:
        command = [sys.executable, *command[1:], "--checkout", str(checkout)]
    folder = ROOT if bench.outside else checkout
    done = subprocess.run(command, cwd=folder, env=as_after_a_first_start(), capture_output=True, text=True)
    if done.returncode:
        reason = done.stderr.strip().rpartition("\n")[2]
        print(f"{bench.name} does not run in {checkout}: {reason}", file=sys.stderr, flush=True)
        return []
    return list(objects(done.stdout))


def lines(bench: Bench, before: Runs, after: Runs) -> Iterable[str]:
    """Yield the table's lines for one bench."""
    for figure in bench.figures:
        old, new = _median(figure, before), _median(figure, after)
        ratio = NONE if old is None or new is None or not old else f"{new / old:.2f}"
        yield f"| {figure.name} | {_shown(old)} | {_shown(new)} | {ratio} |"


def _median(figure: Figure, runs: Runs) -> float | None:
    found = [value for printed in runs if (value := figure.found_in(printed)) is not None]
    return median(found) if found else None


def _shown(value: float | None) -> str:
    if value is None:
        return NONE
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"


def main() -> None:
    """Run the benches of both checkouts alternately, and print the table line by line."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="the other checkout, with its .venv")
    parser.add_argument(
        "--only",
        action="append",
        choices=[bench.name for bench in BENCHES],
        help="only this bench; may be repeated (default: all)",
    )
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    print("| | before | after | after / before |\n|---|---:|---:|---:|", flush=True)
    for bench in (each for each in BENCHES if args.only is None or each.name in args.only):
        before: Runs = []
        after: Runs = []
        for _ in range(args.rounds):
            before.append(ran(bench, args.old.resolve()))
            after.append(ran(bench, ROOT))
        print("\n".join(lines(bench, before, after)), flush=True)


if __name__ == "__main__":
    main()
