"""One fuzzing run: coverage-guided inputs for one end, in its own process, since the library ends it."""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["firmware_bridge"]):
    from tests.fuzz.ends import ENDS

from tests.fuzz.script import varied
from tests.fuzz.seeds import STEPS, seeds

LONGEST_INPUT = 4096
MOST_MB = 512
MOST_MS = 1_000  # of processor time for one input, since a busy machine pauses the process
HANGS_S = 60


class Hunt:
    """Feeds one end, and prints the result after the last input."""

    def __init__(self, end: Callable[[bytes], None], inputs: int) -> None:
        self._end = end
        self._inputs = inputs
        self._count = 0
        self._slowest_ms = 0.0
        self._begun = time.monotonic()
        self._settled_mb = 0.0

    def __call__(self, data: bytes) -> None:
        """Run one input; any exception ends the run."""
        begun = time.thread_time()
        self._end(data)
        took_ms = 1000 * (time.thread_time() - begun)
        assert took_ms < MOST_MS, f"an input took {took_ms:.0f} ms"
        self._slowest_ms = max(self._slowest_ms, took_ms)
        self._count += 1
        if self._count == self._inputs // 2:
            self._settled_mb = peak_mb()
        if self._count == self._inputs:
            self._tell()

    def _tell(self) -> None:
        told = {
            "inputs": self._count,
            "seconds": round(time.monotonic() - self._begun, 1),
            "slowest_ms": round(self._slowest_ms, 2),
            "peak_mb_halfway": round(self._settled_mb, 1),
            "peak_mb": round(peak_mb(), 1),
        }
        print(json.dumps(told), flush=True)


def peak_mb() -> float:
    """Return the peak memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def hunt(name: str, inputs: int, seed: int, corpus: Path) -> None:
    """Fuzz with *inputs* inputs; does not return."""
    for number, data in enumerate(seeds(name)):
        (corpus / f"{number:03}").write_bytes(data)

    def mutated(data: bytes, most: int, lot: int) -> bytes:
        """Change a step three times out of four; otherwise change bytes like the library."""
        changed = varied(data, lot, STEPS[name]) if lot % 4 else atheris.Mutate(data, most)
        return changed[:most]

    limits = [f"-runs={inputs}", f"-seed={seed}", f"-max_len={LONGEST_INPUT}", f"-timeout={HANGS_S}"]
    memory = [f"-rss_limit_mb={MOST_MB}", "-print_final_stats=1", f"-artifact_prefix={corpus}/"]
    atheris.Setup([sys.argv[0], *limits, *memory, str(corpus)], Hunt(ENDS[name], inputs), custom_mutator=mutated)
    atheris.Fuzz()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("end", choices=sorted(ENDS))
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--inputs", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    asked = parser.parse_args()
    hunt(asked.end, asked.inputs, asked.seed, asked.corpus)
