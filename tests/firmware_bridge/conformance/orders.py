"""`python -m tests.firmware_bridge.conformance.orders`: runs the suite for rings file by file and in random orders.

It runs on `companion ring mock`.
A test that changes the ring and doesn't undo it breaks a promise of the test after it. The exit status is 1 if any
promise is broken in any order. The seed of an order repeats that order (`--rungs-order`).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[3]
QUIETLY = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={ROOT}")
COUNTED = re.compile(r"real:\S+: (\d+) kept, (\d+) broken, (\d+) not applicable")
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


def run(port: Path, record: Path, words: Sequence[str]) -> tuple[int, str]:
    """Run the suite with *words*, such as test names, on the ring at *port*. Return the exit status and the output."""
    command = [sys.executable, "-m", "pytest", *words, *QUIETLY, f"--ring={port}", f"--rungs-report={record}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def counts(said: str) -> tuple[int, int, int]:
    """Return how many promises were *kept*, broken and not applicable in a run."""
    found = COUNTED.search(said)
    assert found, said
    kept, broken, skipped = map(int, found.groups())
    return kept, broken, skipped


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all orders. Print a line for each, and the whole output if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, default=3, help="number of random orders (default: 3)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first order (default: 1)")
    told = parser.parse_args(arguments)
    files = [[f"tests/hil/{path.name}"] for path in sorted((ROOT / "tests" / "hil").glob("test_*.py"))]
    orders = [["tests/hil", f"--rungs-order={number}"] for number in range(told.seed, told.seed + told.orders)]
    bad = 0
    with TemporaryDirectory() as folder, mock(Path(folder)) as port:
        for words in [*files, *orders]:
            status, said = run(port, Path(folder) / "record", words)
            kept, broken, skipped = counts(said)
            sys.stdout.write(f"{words[-1]:36} {kept} kept, {broken} broken, {skipped} not applicable\n")
            if status:
                bad += 1
                sys.stdout.write(said)
            sys.stdout.flush()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
