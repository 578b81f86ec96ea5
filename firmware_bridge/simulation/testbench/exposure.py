"""The history of what the sensor saw: a frame is computed only when it is read, after its exposure."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from companion.kernel.shown import shows
from firmware_bridge.colour.channels import Counts
from firmware_bridge.simulation.physics.light import MOST_COUNTS

KEPT_US = 20_000_000  # longer than two of the longest cycles: an older frame was read, or has been replaced


class SensorScene(Protocol):
    """Something that the sensor can see."""

    def counts(self, at: float, steps: int, gain: int, lamp: bool) -> Counts:
        """Return one frame of *steps*, started at *at* seconds of the scene's own time."""


@dataclass(frozen=True)
class LitScene:
    """A scene and its light, from *since_us* on. The scene's own time starts at *zero_us*."""

    since_us: int
    scene: SensorScene
    zero_us: int
    lamp: bool


@shows("_looks")
class Exposure:
    """The recent scenes, in order, for a sensor whose steps take *step_us*."""

    def __init__(self, scene: SensorScene, step_us: int) -> None:
        self._step_us = step_us
        self._looks = [LitScene(0, scene, 0, False)]

    def show(self, scene: SensorScene, at_us: int, zero_us: int = 0) -> None:
        """Show *scene* to the sensor from *at_us* on."""
        self._add(LitScene(at_us, scene, zero_us, self._looks[-1].lamp))

    def light(self, lamp: bool, at_us: int) -> None:
        """Switch the lamp from *at_us* on."""
        last = self._looks[-1]
        if lamp != last.lamp:
            self._add(LitScene(at_us, last.scene, last.zero_us, lamp))

    def counts(self, begun_us: int, steps: int, gain: int) -> Counts:
        """Return one frame of *steps* from *begun_us* on. If the scene changes meanwhile, each counts for its steps."""
        starts = [begun_us + n * self._step_us for n in range(steps)]
        total = (0, 0, 0, 0)
        for index, during in groupby(starts, self._index):
            look, span = self._looks[index], list(during)
            seen = look.scene.counts((span[0] - look.zero_us) / 1e6, len(span), gain, look.lamp)
            r, g, b, c = (min(had + more, MOST_COUNTS) for had, more in zip(total, seen, strict=True))
            total = (r, g, b, c)
        return total

    def _index(self, begun_us: int) -> int:
        """Return the index of the scene in the middle of a step."""
        return max(bisect_right(self._looks, begun_us + self._step_us // 2, key=lambda look: look.since_us) - 1, 0)

    def _add(self, look: LitScene) -> None:
        self._looks.append(look)
        while len(self._looks) > 2 and self._looks[1].since_us < look.since_us - KEPT_US:
            del self._looks[0]
