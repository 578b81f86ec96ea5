"""Measures how often uncalibrated colours are taken for calibrated ones, and how often results are uncertain.

`python -m tests.bench.strangers [--calibrations N] [--passes N] [--near N] [--worlds A,B]`: five colours are
calibrated, and four others slide too; nine are calibrated to measure uncertain results. In per cent, for each of eight
worlds. An uncalibrated colour that came near a calibrated one slides *near* times more with other random
numbers, and only these passes count, so that the worst case isn't a result of chance.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle, islice
from math import sqrt
from random import Random

from companion.ports.ring import Judgement
from firmware_bridge.colour import CalibratedJudge
from firmware_bridge.simulation.evaluation.recognition import calibrated, measured
from firmware_bridge.simulation.physics import PhysicsBench
from firmware_bridge.simulation.physics.world import world
from tests.bench.recognition import FIVE, NINE, SHOWN

SPEED_MM_S = 100.0
LEANING = 0.02  # probability of a calibrated colour above which a stranger counts as near; it is accepted at 0.98
SURELY = 1.96  # standard deviations of a 95 % interval
STRANGERS = tuple(colour for colour in NINE if colour not in FIVE)
WORST = 3  # listed with all details, for each world
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
    "bright and flickering room": {"ambient": 0.2, "ambient_modulation": 1.0},
    "older lamp": {"after_calibration": {"drift": 0.7}},
    "dusty window": {"after_calibration": {"stray_mean": 0.2}},
    "uneven paint": {"paint_sigma": 0.06, "pose_sigma": 0.25},
}


@dataclass
class Shown:
    """One colour after one calibration: its results with their counts, and whether it ever came near."""

    colour: str
    seed: int
    told: Counter[str | None] = field(default_factory=Counter)
    near: bool = False

    @property
    def taken(self) -> float:
        """The share of passes with a colour, in per cent."""
        return 100 - self.unsure

    @property
    def unsure(self) -> float:
        """The share of passes without a colour, in per cent."""
        return 100 * self.told[None] / self.told.total()

    def line(self) -> dict[str, object]:
        """Return the colours it was taken for, and the 95 % interval of the true share (Wilson)."""
        low, high = interval(self.told.total() - self.told[None], self.told.total())
        taken_for = {colour: times for colour, times in self.told.items() if colour}
        return {
            "per_cent": round(self.taken, 2),
            "between": [round(100 * low, 2), round(100 * high, 2)],
            "stranger": self.colour,
            "seed": self.seed,
            "passages": self.told.total(),
            "taken for": taken_for,
        }


def interval(times: int, of: int) -> tuple[float, float]:
    """Return Wilson's interval of a share."""
    share, weight = times / of, SURELY**2 / of
    middle = share + weight / 2
    half = SURELY * sqrt(share * (1 - share) / of + weight / of / 4)
    return (middle - half) / (1 + weight), (middle + half) / (1 + weight)


class Table:
    """A gate after one calibration with the cubes of one box, and its judge."""

    def __init__(self, name: str, taught: tuple[str, ...], seed: int) -> None:
        self.seed = seed
        self._gate = PhysicsBench(world(dict(WORLDS[name])), Random(seed))
        self._judge = CalibratedJudge(calibrated(self._gate, taught, SHOWN, SPEED_MM_S))
        self._gate.age()

    def slid(self, colour: str, passes: int, near: int = 0) -> Shown:
        """Slide the cubes of *colour* one by one; if one comes near, slide *near* times more and count only these."""
        found = Shown(colour, self.seed)
        for judged in self._judged(colour, passes):
            found.told[judged.colour] += 1
            found.near = found.near or judged.ranking[0][1] * (1 - judged.unknown) >= LEANING
        if found.near and near:
            found.told = Counter(judged.colour for judged in self._judged(colour, near))
        return found

    def _judged(self, colour: str, passes: int) -> Iterator[Judgement]:
        for cube in islice(cycle(self._gate.cubes(colour)), passes):
            passing = self._gate.passing("out", [cube], SPEED_MM_S, reported_only=True)
            yield self._judge.judge(measured(self._gate, passing).reading(), {})


def of_world(name: str, calibrations: int, passes: int, near: int) -> dict[str, object]:
    """Return how often strangers are accepted (mean and worst), and how often results are uncertain, in per cent."""
    seeds = range(1, calibrations + 1)
    five, nine = ([Table(name, taught, seed) for seed in seeds] for taught in (FIVE, NINE))
    strangers = [table.slid(colour, passes, near) for table in five for colour in STRANGERS]
    worst = sorted(strangers, key=lambda each: each.taken, reverse=True)
    return {
        "strangers taken": mean([each.taken for each in strangers]),
        "one stranger in one calibration, at worst": [each.line() for each in worst[:WORST] if each.taken],
        "came near": sum(each.near for each in strangers),
        "unsure of five": mean([table.slid(colour, passes).unsure for table in five for colour in FIVE]),
        "unsure of nine": mean([table.slid(colour, passes).unsure for table in nine for colour in NINE]),
    }


def mean(values: list[float]) -> float:
    """Return the mean."""
    return round(sum(values) / len(values), 3)


def main() -> None:
    """Print the figures of all worlds as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calibrations", type=int, default=2)
    parser.add_argument(
        "--passes", type=int, default=24, help="passes of each colour in each calibration, shared by its six cubes"
    )
    parser.add_argument(
        "--near", type=int, default=600, help="passes of each stranger that came near, in that calibration"
    )
    parser.add_argument("--worlds", default=",".join(WORLDS), help="names of worlds, separated by commas")
    options = parser.parse_args()
    names, about = options.worlds.split(","), {key: getattr(options, key) for key in ("calibrations", "passes", "near")}
    report = {name: of_world(name, **about) for name in names}
    print(json.dumps({"bench": "strangers", **about, "per_cent": report}))


if __name__ == "__main__":
    main()
