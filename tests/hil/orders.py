"""`python -m tests.hil.orders`: runs the suite on `companion ring mock`, file by file and in random orders.

A test that changes the ring and doesn't undo it breaks a promise of the test after it. The exit status is 1 if any
promise is broken in any order. The seed of an order repeats that order.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
QUIETLY = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={ROOT}")
COUNTED = re.compile(r"hil real: (\d+) promises kept, (\d+) broken, (\d+) not applicable")
ENDS_S = 10.0


@contextmanager
def mock(folder: Path, *more: str) -> Iterator[Path]:
    """Run a virtual ring as `companion ring mock` does, and yield its port, which exists until the end."""
    port = folder / "ring"
    command = [sys.executable, "-m", "companion", "ring", "mock", "--pty", str(port), *more]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as ring:
        ring.stdout.readline()
        try:
            yield port
        finally:
            ring.terminate()
            ring.communicate(timeout=ENDS_S)


def names(port: Path, *chosen: str) -> list[str]:
    """Return the tests that the suite has for the ring at *port*, in the order of PROTOCOL.md."""
    command = [sys.executable, "-m", "pytest", *(chosen or ["tests/hil"]), *QUIETLY, "--collect-only", f"--ring={port}"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [line for line in said.splitlines() if line.startswith("tests/hil/")]


def run(port: Path, record: Path, tests: Sequence[str]) -> tuple[int, str]:
    """Run *tests* in this order on the ring at *port*. Return the exit status and the output."""
    options = (*QUIETLY, f"--ring={port}", f"--record={record}")
    command = [sys.executable, "-m", "pytest", *tests, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def counts(said: str) -> tuple[int, int, int]:
    """Return how many promises were *kept*, broken and not applicable in a run."""
    found = COUNTED.search(said)
    assert found, said
    kept, broken, skipped = map(int, found.groups())
    return kept, broken, skipped


def trials(everything: Sequence[str], orders: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the runs with their names: each file alone, then all tests in *orders* random orders."""
    for path in sorted({name.partition("::")[0] for name in everything}):
        yield Path(path).name, [path]
    for number in range(seed, seed + orders):
        shuffled = list(everything)
        Random(number).shuffle(shuffled)
        yield f"seed {number}", shuffled


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all orders. Print a line for each, and the whole output if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, default=3, help="number of random orders (default: 3)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first order (default: 1)")
    told = parser.parse_args(arguments)
    bad = 0
    with TemporaryDirectory() as folder, mock(Path(folder)) as port:
        for name, tests in trials(names(port), told.orders, told.seed):
            status, said = run(port, Path(folder) / "record", tests)
            kept, broken, skipped = counts(said)
            sys.stdout.write(f"{name:24} {kept} kept, {broken} broken, {skipped} not applicable\n")
            if status:
                bad += 1
                sys.stdout.write(said)
            sys.stdout.flush()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
