"""Measures how reliably two touching cubes are distinguished from one, by the four edges of the two beams.

Prints one JSON object. Cubes and pairs pass at speeds spread evenly on a
logarithmic scale, which change within the passage in several ways; each edge
comes early or late by chance. These are figures of the estimate, not of a
real ring.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from math import exp, log, pi, sin
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from firmware_bridge.device.beam_recogniser import Passage, Recogniser

SLOWEST_MM_S, FASTEST_MM_S = 20.0, 500.0
CHANGE = 0.3
JITTER_S = 0.0001
PIECES = 60  # parts of a passage, each at a constant speed
SIZES = ((8.0, 4.0), (10.0, 5.0))

Shape = Callable[[float], float]


def even(much: float, lots: Random) -> Shape:
    """Return a speed that changes evenly with time, by the fraction *much*."""
    end = 1 + much
    return lambda part: (1 + (end * end - 1) * part) ** 0.5


def bump(much: float, lots: Random) -> Shape:
    """Return a speed that rises or falls in the middle, and is the same at both ends."""
    return lambda part: 1 + much * sin(pi * part)


def sudden(much: float, lots: Random) -> Shape:
    """Return a speed that changes suddenly at a random point."""
    where = lots.random()
    return lambda part: 1 + much * (part > where)


def spell(much: float, lots: Random) -> Shape:
    """Return a speed that changes suddenly at a random point, and back at another point."""
    begin, end = sorted((lots.random(), lots.random()))
    return lambda part: 1 + much * (begin < part < end)


SHAPES = (even, bump, sudden, spell)


def edges(length: float, gap: float, speed: float, shape: Shape, lots: Random) -> list[tuple[str, bool, int]]:
    """Return the edges of two beams *gap* apart for an object of *length* (mm), in microseconds."""
    way = gap + length
    times = [0.0]
    for n in range(PIECES):
        times.append(times[-1] + way / PIECES / (speed * shape((n + 0.5) / PIECES)))

    def at(place: float) -> float:
        n = min(int(place / way * PIECES), PIECES - 1)
        late = lots.gauss(0, JITTER_S)
        return times[n] + (times[n + 1] - times[n]) * (place / way * PIECES - n) + late

    seen = [("A", True, at(0)), ("B", True, at(gap)), ("A", False, at(length)), ("B", False, at(way))]
    return [(beam, on, round(time * 1e6) + 1_000_000) for beam, on, time in sorted(seen, key=lambda edge: edge[2])]


def told(edge: float, gap: float, cubes: int, shape: Shape, lots: Random) -> Passage | None:
    """Return the recogniser's verdict on one passage."""
    recogniser = Recogniser(round(edge * 1000), round(gap * 1000))
    speed = exp(lots.uniform(log(SLOWEST_MM_S), log(FASTEST_MM_S)))
    passage = None
    for beam, on, at in edges(cubes * edge, gap, speed, shape, lots):
        passage = recogniser.edge(beam, on, at)
    return passage


def measured(passages: int, seed: int) -> dict[str, object]:
    """Return the share of wrong verdicts for each cube size and each change of speed."""
    lots = Random(seed)
    figures: dict[str, object] = {"passages_each": passages, "seed": seed}
    for edge, gap in SIZES:
        for cubes, right in ((1, "out"), (2, "pair")):
            wrong = {shape.__name__: 0 for shape in SHAPES}
            lengths = []
            for n in range(passages):
                shape = SHAPES[n % len(SHAPES)]
                passage = told(edge, gap, cubes, shape(lots.uniform(-CHANGE, CHANGE), lots), lots)
                if passage is None or passage.kind != right:
                    wrong[shape.__name__] += 1
                lengths.append(passage.length if passage else -1)
            name = f"{edge:g} mm, {'one' if cubes == 1 else 'two'}"
            total = sum(wrong.values())
            figures[name] = {
                "wrong": total,
                "wrong_percent": round(100 * total / passages, 4),
                "wrong_by_change": wrong,
                "shortest": min(lengths),
                "longest": max(lengths),
            }
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    print(json.dumps(measured(chosen.passages, chosen.seed), indent=1))
