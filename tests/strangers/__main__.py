"""`python -m tests.strangers`: attacks a service of its own as strangers might, and prints the findings.

Each attack starts a service on this machine's loopback, with a game on its
table, and prints a report at its end. The status is 1 if an attack has
findings. A million inputs take about an hour on two cores.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.strangers.attacks import ATTACKS, shared

USUAL = 10_000


def main() -> int:
    """Run the attacks given on the command line, one after another; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.strangers", description=__doc__)
    parser.add_argument(
        "--only",
        metavar="NAME",
        choices=sorted(ATTACKS),
        action="append",
        help=f"only this attack: {', '.join(ATTACKS)}",
    )
    parser.add_argument("--inputs", type=int, default=USUAL, help="number of inputs of all attacks together")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random numbers of all attacks")
    asked = parser.parse_args()
    findings = 0
    for name, inputs in shared(asked.inputs, asked.only).items():
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix=f"strangers-{name}-") as folder:
            report = ATTACKS[name].run(Path(folder), inputs, Random(f"{asked.seed} {name}"))
        print(*report.lines(time.monotonic() - began), sep="\n", flush=True)
        findings += report.findings
    print(f"{findings:,} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
