"""How often a colour that nobody has taught is taken for a taught one, and what an unsure judge costs, in eight worlds.

`python -m tests.bench.strangers [--calibrations N] [--passes N]`: five colours are taught, four others slide too; nine
are taught as well, for how many passages of taught colours are told none. In per cent, for each world.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from itertools import product
from random import Random

from firmware_bridge.colour import Calibrated
from firmware_bridge.simulation.evaluation.samples import calibrated, read
from firmware_bridge.simulation.physics import Bench
from firmware_bridge.simulation.physics.world import world
from tests.bench.recognition import FIVE, NINE, SHOWN

SPEED_MM_S = 100.0
STRANGERS = tuple(colour for colour in NINE if colour not in FIVE)
DULL = {
    "red": [0.36, 0.12, 0.11, 0.20],
    "orange": [0.52, 0.30, 0.18, 0.33],
    "yellow": [0.66, 0.52, 0.24, 0.48],
    "green": [0.18, 0.30, 0.17, 0.22],
    "blue": [0.08, 0.14, 0.27, 0.16],
    "purple": [0.15, 0.10, 0.19, 0.14],
    "white": [0.80, 0.79, 0.76, 0.79],
    "black": [0.05, 0.05, 0.05, 0.05],
    "wood": [0.55, 0.42, 0.30, 0.43],
}
WORLDS: Mapping[str, Mapping[str, object]] = {
    "usual": {},
    "dim": {"white_counts": 200},
    "warm lamp": {"lamp": "4100K"},
    "duller paints": {"reflectance": DULL},
    "bright, flickering room": {"ambient": 0.2, "ambient_modulation": 1.0},
    "older lamp": {"after_calibration": {"drift": 0.7}},
    "dusty window": {"after_calibration": {"stray_mean": 0.2}},
    "uneven paint": {"paint_sigma": 0.06, "pose_sigma": 0.25},
}


def shares(name: str, taught: tuple[str, ...], seed: int, passes: int) -> dict[str, float]:
    """Return of each colour, after one calibration, how much of it was told a colour (a taught one: was told none)."""
    gate, lots = Bench(world(dict(WORLDS[name])), Random(seed)), Random(seed + 1)
    judge = Calibrated(calibrated(gate, taught, SHOWN, SPEED_MM_S))
    gate.age()
    slid = (*taught, *STRANGERS) if taught == FIVE else taught
    found = {}
    for colour in slid:
        told = [judge.judge(read(gate, lots.choice(gate.cubes(colour)), SPEED_MM_S), {}).colour for _ in range(passes)]
        none = told.count(None)
        found[colour] = 100 * (none if colour in taught else passes - none) / passes
    return found


def of_world(name: str, calibrations: int, passes: int) -> dict[str, float]:
    """Return how often strangers are taken, on average and at worst, and how often passages are unsure, in per cent."""
    five = [shares(name, FIVE, seed, passes) for seed in range(1, calibrations + 1)]
    nine = [shares(name, NINE, seed, passes) for seed in range(1, calibrations + 1)]
    taken = [found[colour] for found, colour in product(five, STRANGERS)]
    return {
        "strangers taken": mean(taken),
        "one stranger in one calibration, at worst": max(taken),
        "unsure of five": mean([found[colour] for found, colour in product(five, FIVE)]),
        "unsure of nine": mean([found[colour] for found, colour in product(nine, NINE)]),
    }


def mean(values: list[float]) -> float:
    """Return the mean."""
    return round(sum(values) / len(values), 3)


def main() -> None:
    """Print the figures of all worlds as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calibrations", type=int, default=2)
    parser.add_argument("--passes", type=int, default=20)
    options = parser.parse_args()
    report = {name: of_world(name, options.calibrations, options.passes) for name in WORLDS}
    about = {"calibrations": options.calibrations, "passes": options.passes}
    print(json.dumps({"bench": "strangers", **about, "per_cent": report}))


if __name__ == "__main__":
    main()
