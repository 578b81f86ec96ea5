"""Compares our recognition of colours with other methods and with the optimum, on the same simulated readings.

`python -m tests.bench.recognition [--seeds N] [--passes N] [--plots DIR]`;
docs/recognition.md has the figures of 20 seeds.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from random import Random

from firmware_bridge.colour import CalibratedJudge, Reading
from firmware_bridge.simulation.evaluation.recognition import calibrated, read
from firmware_bridge.simulation.physics import PhysicsBench
from firmware_bridge.simulation.physics.world import World, world
from tests.bench.rivals.judges import chromaticity, discriminant, limit, nearest, rgb, shrunk

FIVE = ("red", "yellow", "green", "blue", "black")
NINE = ("red", "orange", "yellow", "green", "blue", "purple", "white", "black", "wood")
COLOURS = {"five": FIVE, "nine": NINE}
FLICKER = {"ambient": 0.2, "ambient_modulation": 1.0, "ambient_hz": 100}
WORLDS: Mapping[str, Mapping[str, object]] = {
    "default": {},
    "white_counts 100": {"white_counts": 100},
    "ambient 0.2, flicker": FLICKER,
    "drift 0.7 later": {"after_calibration": {"drift": 0.7}},
    "stray 0.25 later": {"after_calibration": {"stray_mean": 0.25}},
    "20 to 500 mm/s": {},
}
RIVALS = ("raw RGB centroid", "chromaticity centroid", "LDA", "shrunk Gaussians", "ours", "limit")
SHOWN = 10


def speeds(name: str, seed: int) -> Iterator[float]:
    """Yield the hand's speeds in a world."""
    lots = Random(seed)
    while True:
        yield 20 * 25 ** lots.random() if "mm/s" in name else 100.0


def judges(
    gate: PhysicsBench, colours: tuple[str, ...], hands: Iterator[float]
) -> dict[str, Callable[[Reading], str | None]]:
    """Let all judges learn from the same passes."""
    made = calibrated(gate, colours, SHOWN, hands)
    shown = [(each.colour, made.reading(each)) for each in made.passes]
    ours = CalibratedJudge(made)
    gate.age()
    return {
        "raw RGB centroid": nearest(shown, rgb),
        "chromaticity centroid": nearest(shown, chromaticity),
        "LDA": discriminant(shown),
        "shrunk Gaussians": shrunk(shown),
        "ours": lambda reading: ours.judge(reading, {}).colour,
        "limit": limit(gate.world, colours, made.white),
    }


def compared(job: tuple[str, str, int, int]) -> Counter[str]:
    """Count each judge's wrong and uncertain results for one world, set of colours and seed."""
    name, size, seed, passes = job
    place: World = world(WORLDS[name])
    gate, hands, lots = PhysicsBench(place, Random(seed)), speeds(name, seed), Random(seed + 1)
    rivals = judges(gate, COLOURS[size], hands)
    found: Counter[str] = Counter()
    for colour, _ in product(COLOURS[size], range(passes)):
        reading = read(gate, lots.choice(gate.cubes(colour)), next(hands))
        for rival, judge in rivals.items():
            text = judge(reading)
            found[f"{rival}/unsure"] += text is None
            found[f"{rival}/wrong"] += text not in (None, colour)
    return found


def main() -> None:
    """Print the comparison as JSON: wrong and uncertain in per cent, for each world and judge."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--passes", type=int, default=100)
    parser.add_argument("--plots", type=Path)
    options = parser.parse_args()
    report = {}
    with ProcessPoolExecutor(max_workers=2) as pool:
        for size, name in product(COLOURS, WORLDS):
            jobs = [(name, size, seed, options.passes) for seed in range(1, options.seeds + 1)]
            found = sum(pool.map(compared, jobs), Counter())
            whole = options.seeds * options.passes * len(COLOURS[size]) / 100
            report[f"{size}, {name}"] = {
                rival: {kind: round(found[f"{rival}/{kind}"] / whole, 3) for kind in ("wrong", "unsure")}
                for rival in RIVALS
            }
    print(json.dumps({"bench": "recognition", "seeds": options.seeds, "passes": options.passes, "per_cent": report}))
    if options.plots:
        from tests.bench.rivals.plots import draw

        draw(options.plots, report)


if __name__ == "__main__":
    main()
