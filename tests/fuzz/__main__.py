"""`make fuzz`: coverage-guided fuzzing of both ends of the protocol; prints one JSON line for each.

Fails on any exception, on an input that takes over a second of the processor's
time, and on memory beyond 512 MB. A script that caused a failure is saved in the given folder.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ENDS = ("device", "host")
ROOT = Path(__file__).resolve().parents[2]


def hunted(end: str, inputs: int, seed: int, corpus: Path) -> dict[str, object] | None:
    """Return the figures of a fuzzing run, or None if it has found a failure."""
    command = [sys.executable, "-m", "tests.fuzz.hunting", end, corpus, "--inputs", inputs, "--seed", seed]
    done = subprocess.run([str(each) for each in command], cwd=ROOT, capture_output=True, text=True)
    told = re.findall(r"^\{.*\}$", done.stdout, re.MULTILINE)
    covered = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", done.stderr)
    if done.returncode or not told or not covered:
        print(done.stdout[-2000:], done.stderr[-4000:], f"The script that did it is in {corpus}.", sep="\n")
        return None
    edges, features, kept = map(int, covered[-1])
    return {"end": end, **json.loads(told[-1]), "edges": edges, "features": features, "kept": kept}


def main() -> int:
    """Fuzz both ends, one after the other; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000, help="number of inputs for each end of the wire")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--end", choices=ENDS, action="append")
    asked = parser.parse_args()
    sound = True
    for end in asked.end or ENDS:
        figures = hunted(end, asked.inputs, asked.seed, Path(tempfile.mkdtemp(prefix=f"fuzz-{end}-")))
        sound = sound and figures is not None
        if figures:
            print(json.dumps(figures), flush=True)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
