"""The colour sensor of a virtual ring, and the faults that it can have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from companion.kernel.shown import shows
from firmware_bridge.colour.channels import Counts
from firmware_bridge.simulation.physics import Cube, Passing, PhysicsBench
from firmware_bridge.simulation.physics.disturbances import GLARE, MISSING, WEATHER
from firmware_bridge.simulation.physics.world import World


@shows("_trouble")
class Optics:
    """The sensor of one ring at *bench*. Its reference of the black card is taken at creation."""

    def __init__(self, bench: PhysicsBench) -> None:
        self.black = bench.reference("black")
        self._bench = bench
        self._trouble = ""
        self.connected = True

    @property
    def answers(self) -> bool:
        """True while the sensor answers."""
        return self.connected and self._trouble != MISSING

    def look(self, what: str) -> Counts:
        """Take one reference and return it. The black one is stored until it is taken again."""
        counts = self._bench.reference(what)
        if what == "black":
            self.black = counts
        return counts

    @contextmanager
    def trouble(self, fault: str) -> Iterator[None]:
        """Apply the cause of *fault* within this context. Names without an optical cause change nothing."""
        usual, self._trouble = self._bench.world, fault
        self._bench.world = WEATHER.get(fault, _as_it_is)(usual)
        try:
            yield
        finally:
            self._bench.world, self._trouble = usual, ""

    def passing(self, kind: str, cubes: Sequence[Cube], speed_mm_s: float) -> Passing:
        """Let *cubes* do *kind* in the current light. Without a working sensor the result has no frames."""
        usual = self._bench.world
        self._bench.world = GLARE.get(self._trouble, _as_it_is)(usual)
        seen = self._bench.passing(kind, cubes, speed_mm_s, told_only=True)
        self._bench.world = usual
        return seen if self.answers else Passing(seen.edges)


def _as_it_is(world: World) -> World:
    return world
