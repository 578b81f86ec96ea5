"""Measures how well colours and passages are recognised in the simulated world: `companion ring recognise`.

It uses the same recogniser and judge as a game: a cube moves, beams and sensor see it, the
recogniser counts it, and the judge names its colour. Only the wire is not simulated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice, product, repeat
from math import exp, log
from random import Random
from time import perf_counter

from companion.kernel.progress import ProgressWatch, unwatched
from companion.kernel.shown import shows
from firmware_bridge.colour import Calibration, Judge, Pass, Reading, judge_of
from firmware_bridge.colour.calibration import USUAL_METHOD
from firmware_bridge.colour.channels import Channels
from firmware_bridge.device.beam_recogniser import Passage, Recogniser
from firmware_bridge.device.frame_filter import usable_frames
from firmware_bridge.device.sensor_chips import USUAL
from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.passages.passage import MeasuredPassage, judged
from firmware_bridge.simulation.physics import Cube, Edge, Passing, PhysicsBench
from firmware_bridge.simulation.physics.bench import REFERENCE_FRAMES
from firmware_bridge.simulation.physics.world import World

# Readings and calibrations of simulated cubes, to test judges without a wire.

SHOWN_CUBES = 4  # cubes of each colour with which a table calibrates
PATIENCE = 50


def calibrated(
    gate: PhysicsBench, colours: Sequence[str], passes: int, speed: float | Iterator[float], copy: str = "simulated"
) -> Calibration:
    """Return a calibration made from *passes* passages of each colour. The first four cubes of each colour are used.

    Raise InputError if a passage slow enough for a full frame never occurs.
    """
    hands = repeat(speed) if isinstance(speed, float) else speed
    shown = [cube for colour in colours for cube in islice(cycle(gate.cubes(colour)[:SHOWN_CUBES]), passes)]
    seen = [(cube.colour, _in_full(gate, cube, hands)) for cube in shown]
    return Calibration(
        device="virtual",
        sensor=gate.chip.NAME,
        copy=copy,
        made="2000-01-01T00:00:00Z",
        black=_mean([_less(one.black, one.dark) for _, one in seen]),
        white=_mean([_less(one.white, one.dark) for _, one in seen]),
        passes=tuple(Pass(colour, tuple(one.frames), one.white, one.dark) for colour, one in seen),
    )


def _in_full(gate: PhysicsBench, cube: Cube, hands: Iterator[float]) -> Reading:
    """Slide *cube* repeatedly, until one frame shows only the cube, as a calibration requires."""
    for speed in islice(hands, PATIENCE):
        reading = read(gate, cube, speed)
        if reading.frames:
            return reading
    raise InputError(f"{cube.colour}: no full frame in {PATIENCE} passes; slide slower to calibrate")


def read(gate: PhysicsBench, cube: Cube, speed_mm_s: float) -> Reading:
    """Return the reading that a judge gets of *cube* when it slides out at *gate*."""
    return measured(gate, gate.passing("out", [cube], speed_mm_s)).reading()


def measured(gate: PhysicsBench, passing: Passing) -> MeasuredPassage:
    """Return what a device would report of *passing*, with references that were taken just before."""
    references = gate.references()
    frames, _ = usable_frames(list(passing.edges), [(frame.at_us, frame.counts) for frame in passing.frames], gate.chip)
    black, white, dark = (_one(each) for each in (references.black, references.white, references.dark))
    seen = tuple((at, _channels(counts)) for at, counts in frames)
    return MeasuredPassage("out", passing.edges, seen, white, black, dark)


def _one(total: Sequence[int]) -> Channels:
    r, g, b, c = (each / REFERENCE_FRAMES for each in total)
    return r, g, b, c


def _channels(counts: Sequence[int]) -> Channels:
    r, g, b, c = map(float, counts)
    return r, g, b, c


def _less(counts: Channels, dark: Channels) -> Channels:
    r, g, b, c = (count - off for count, off in zip(counts, dark, strict=True))
    return r, g, b, c


def _mean(rows: Sequence[Channels]) -> Channels:
    r, g, b, c = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return r, g, b, c


BETWEEN_US = 300_000
UNKNOWN = "unknown"
DISTURBANCES = ("back", "poke", "glitch")
"""What may happen before a passage, with the rates of the world. None of these may be counted as a cube."""


@dataclass(frozen=True)
class Trial:
    """The parameters of one measurement.

    *strangers* are colours that the calibration does not include. *speeds* are the slowest and the fastest speed in
    mm/s; speeds between them are drawn evenly on a logarithmic scale. With None, the world's own speeds are drawn.
    *seed* makes the result reproducible. *sensor* is the chip at the gate. *method* is the name of the method that
    judges the colours.
    """

    world: World
    colours: tuple[str, ...]
    strangers: tuple[str, ...] = ()
    calibrate: int = 10
    passes: int = 1000
    speeds: tuple[float, float] | None = None
    seed: int = 1
    sensor: type[Chip] = USUAL
    method: str = USUAL_METHOD


@dataclass
class RecognitionOutcome:
    """The result. *confusion* counts (colour slid, colour read); an unsure reading counts as `unknown`."""

    confusion: dict[str, Counter[str]] = field(default_factory=dict)
    strangers: dict[str, Counter[str]] = field(default_factory=dict)
    missed: int = 0
    doubled: int = 0
    judging_s: float = 0.0

    @property
    def passages(self) -> int:
        """The number of cubes of calibrated colours that were slid through the ring."""
        return sum(read.total() for read in self.confusion.values())

    @property
    def unsure(self) -> int:
        """The number of these cubes whose judgement was unsure."""
        return sum(read[UNKNOWN] for read in self.confusion.values())

    @property
    def wrong(self) -> int:
        """The number of these cubes for which the judgement named a wrong colour."""
        return sum(read.total() - read[slid] - read[UNKNOWN] for slid, read in self.confusion.items())

    @property
    def ms_per_passage(self) -> float:
        """The mean time to judge one passage, in milliseconds."""
        judged = self.passages + sum(read.total() for read in self.strangers.values())
        return 1000 * self.judging_s / max(judged, 1)


def check(trial: Trial) -> None:
    """Raise InputError if *trial* names colours that its world does not have, or if its colours are inconsistent."""
    for colour in (*trial.colours, *trial.strangers):
        if colour not in trial.world.reflectance:
            raise InputError(f"the world knows no colour `{colour}`: add its reflectance to the world file")
    for name, colours in (("colours", trial.colours), ("strangers", trial.strangers)):
        if len(set(colours)) != len(colours):
            raise InputError(f"--{name} names a colour twice")
    if len(trial.colours) < 2:
        raise InputError("--colours needs at least two")
    if shared := set(trial.colours) & set(trial.strangers):
        raise InputError(f"`{min(shared)}` can't be a stranger and be shown as well")


def recognise(trial: Trial, watch: ProgressWatch = unwatched) -> RecognitionOutcome:
    """Calibrate, then judge passages, all with the settings of *trial*.

    *watch* wraps the judged passages to show progress.
    """
    gate = PhysicsBench(trial.world, Random(trial.seed), chip=trial.sensor)
    hands = _hands(trial, gate)
    made = calibrated(gate, trial.colours, trial.calibrate, hands)
    gate.age()
    return _judged(trial, gate, hands, judge_of(replace(made, method=trial.method)), watch)


def _hands(trial: Trial, gate: PhysicsBench) -> Iterator[float]:
    """Yield the speeds of hands in mm/s, without end."""
    lots = Random(trial.seed + 1)
    while trial.speeds is None:
        yield gate.speed()
    slow, fast = map(log, trial.speeds)
    while True:
        yield exp(lots.uniform(slow, fast))


def _judged(
    trial: Trial, gate: PhysicsBench, hands: Iterator[float], judge: Judge, watch: ProgressWatch
) -> RecognitionOutcome:
    outcome = RecognitionOutcome()
    lots = Random(trial.seed + 2)
    counting = Counting(gate)
    colours = (*trial.colours, *trial.strangers)
    for colour, _ in watch(product(colours, range(trial.passes)), len(colours) * trial.passes):
        stranger = colour in trial.strangers
        read_as = (outcome.strangers if stranger else outcome.confusion).setdefault(colour, Counter())
        passing = counting.slide(lots.choice(gate.cubes(colour)), next(hands), lots)
        seen = measured(gate, passing)
        began = perf_counter()
        judgement = judged(seen, judge, {})
        outcome.judging_s += perf_counter() - began
        read_as[judgement.colour or UNKNOWN] += 1
    outcome.missed, outcome.doubled = counting.missed, counting.doubled
    return outcome


@shows("missed", "doubled")
class Counting:
    """Counts passages at the gate as a device does, and compares the count with the cubes that really left."""

    def __init__(self, gate: PhysicsBench) -> None:
        self.missed = 0
        self.doubled = 0
        self._gate = gate
        um = round(gate.world.edge_mm * 1000)
        self._recogniser = Recogniser(um, um // 2)
        self._clock = 0

    def slide(self, cube: Cube, speed_mm_s: float, lots: Random) -> Passing:
        """Let *cube* out. Before that, let other events occur at the rates that are set in the world."""
        rates = self._gate.world.rates
        for kind in DISTURBANCES:
            if lots.random() < getattr(rates, kind):
                self.doubled += self._counted(self._gate.passing(kind, [cube], speed_mm_s).edges)
        kind = "stuck" if lots.random() < rates.stuck else "out"
        passing = self._gate.passing(kind, [cube], speed_mm_s)
        counted = self._counted(passing.edges)
        self.missed += max(1 - counted, 0)
        self.doubled += max(counted - 1, 0)
        return passing

    def _counted(self, edges: Sequence[Edge]) -> int:
        """Return how many cubes the recogniser counted as having left."""
        passages: list[Passage | None] = []
        for beam, on, at in edges:
            passages.append(self._recogniser.tick(self._clock + at))
            passages.append(self._recogniser.edge(beam, on, self._clock + at))
        self._clock += edges[-1][2] + BETWEEN_US
        return sum({"out": 1, "pair": 2}.get(each.kind, 0) for each in passages if each)


def combined(outcomes: Sequence[RecognitionOutcome]) -> RecognitionOutcome:
    """Add *outcomes* up and return the sum."""
    whole = RecognitionOutcome()
    for one in outcomes:
        for ours, theirs in ((whole.confusion, one.confusion), (whole.strangers, one.strangers)):
            for slid, read_as in theirs.items():
                ours.setdefault(slid, Counter()).update(read_as)
        whole.missed += one.missed
        whole.doubled += one.doubled
        whole.judging_s += one.judging_s
    return whole


def as_json(outcome: RecognitionOutcome) -> Mapping[str, object]:
    """Return *outcome* in the form that `--json` prints."""
    line: dict[str, object] = {
        "passages": outcome.passages,
        "wrong": outcome.wrong,
        "unsure": outcome.unsure,
        "missed": outcome.missed,
        "doubled": outcome.doubled,
        "confusion": {slid: dict(read_as) for slid, read_as in outcome.confusion.items()},
        "ms_per_passage": round(outcome.ms_per_passage, 4),
    }
    if outcome.strangers:
        line["strangers"] = {slid: dict(read_as) for slid, read_as in outcome.strangers.items()}
    return line
