"""Runs a command several times next to busy loops: `python -m tests.busy [--times 3] [--loops N] COMMAND...`.

Tests must not depend on how busy the machine is. This makes it busy, one loop per core unless said otherwise, ends the
loops whatever happens, and prints how often the command succeeded. For example: `python -m tests.busy make unit`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


def main() -> int:
    """Run the command; the status is 0 if it succeeded each time."""
    parser = argparse.ArgumentParser(prog="python -m tests.busy", description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="number of runs of the command (default: 3)")
    parser.add_argument(
        "--loops", type=int, default=os.cpu_count() or 1, help="number of busy loops (default: one per core)"
    )
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    statuses = []
    with busy(args.loops):
        for turn in range(args.times):
            began = time.monotonic()
            statuses.append(subprocess.run(command, check=False).returncode)
            took = time.monotonic() - began
            print(f"run {turn + 1} of {args.times}: status {statuses[-1]} after {took:.0f} s", flush=True)
    print(f"{statuses.count(0)} of {args.times} runs succeeded next to {args.loops} busy loops")
    return 0 if not any(statuses) else 1


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep *loops* processes busy until the end of the `with` block."""
    processes = [multiprocessing.Process(target=_turn, daemon=True) for _ in range(loops)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def _turn() -> None:
    while os.getppid() != 1:  # so that it also ends if this script is killed
        sum(range(100_000))


if __name__ == "__main__":
    sys.exit(main())
