"""Readings and calibrations of simulated cubes, for testing judges without a wire."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice, repeat

from firmware_bridge.colour import Calibration, Pass, Reading
from firmware_bridge.colour.channels import Channels
from firmware_bridge.device.frame_filter import told
from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.passages.passage import MeasuredPassage
from firmware_bridge.simulation.physics import Cube, Passing, PhysicsBench
from firmware_bridge.simulation.physics.bench import REFERENCE_FRAMES

SHOWN_CUBES = 4  # of each colour: the cubes that a table calibrates with
PATIENCE = 50


def calibrated(
    gate: PhysicsBench, colours: Sequence[str], passes: int, speed: float | Iterator[float], copy: str = "simulated"
) -> Calibration:
    """Return a calibration from *passes* passages of each colour, by its first four cubes.

    Raise BadInput if no passage was slow enough for a full frame.
    """
    hands = repeat(speed) if isinstance(speed, float) else speed
    shown = [cube for colour in colours for cube in islice(cycle(gate.cubes(colour)[:SHOWN_CUBES]), passes)]
    seen = [(cube.colour, _in_full(gate, cube, hands)) for cube in shown]
    return Calibration(
        device="virtual",
        sensor="tcs34725",
        copy=copy,
        made="2000-01-01T00:00:00Z",
        black=_mean([_less(one.black, one.dark) for _, one in seen]),
        white=_mean([_less(one.white, one.dark) for _, one in seen]),
        passes=tuple(Pass(colour, tuple(one.frames), one.white, one.dark) for colour, one in seen),
    )


def _in_full(gate: PhysicsBench, cube: Cube, hands: Iterator[float]) -> Reading:
    """Slide *cube* until one frame shows nothing but the cube, as a calibration requires."""
    for speed in islice(hands, PATIENCE):
        reading = read(gate, cube, speed)
        if reading.frames:
            return reading
    raise BadInput(f"{cube.colour}: no full frame in {PATIENCE} passes; slide slower to calibrate")


def read(gate: PhysicsBench, cube: Cube, speed_mm_s: float) -> Reading:
    """Return the reading that a judge gets of *cube* when it slides out at *gate*."""
    return measured(gate, gate.passing("out", [cube], speed_mm_s)).reading()


def measured(gate: PhysicsBench, passing: Passing) -> MeasuredPassage:
    """Return what a device reports of *passing*, with references taken just before."""
    references = gate.references()
    frames, _ = told(list(passing.edges), [(frame.at_us, frame.counts) for frame in passing.frames])
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
