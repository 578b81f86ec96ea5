"""The optics of a virtual ring: its references, what a board's rules make of them, and what may go wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from firmware_bridge.physics import Bench, Cube, Passing
from firmware_bridge.physics.bench import REFERENCES
from firmware_bridge.physics.light import Counts
from firmware_bridge.wire.references import Watch
from firmware_bridge.world import World

Change = Callable[[World], World]

# Each makes the fault's own cause, and leaves it to the rules of the board to notice.
WEATHER: Mapping[str, Change] = {
    "ambient_light": lambda world: replace(world, ambient=0.8),
    "dirty_window": lambda world: replace(world, drift=world.drift * 0.6),
}
GLARE: Mapping[str, Change] = {"saturated": lambda world: replace(world, ambient=5.0, ambient_modulation=0.0)}
"""What shines into the open gate only."""
MISSING = "sensor_missing"
TROUBLES = (*WEATHER, *GLARE, MISSING)


class Optics:
    """The sensor of one ring at its *bench*; the black card was shown to it when it was made."""

    def __init__(self, bench: Bench) -> None:
        self.known: dict[str, Counts] = {"black": bench.reference("black")}
        self._bench = bench
        self._watch = Watch()
        self._trouble = ""

    def start(self) -> list[str]:
        """Begin as a board does that has just started: what it sees now is its white; return the faults seen."""
        self._watch = Watch()
        return self.refresh()

    def refresh(self) -> list[str]:
        """Take white and dark anew, the gate being closed; return the faults that begin with them."""
        if self._trouble == MISSING:
            return []
        self.known["white"], self.known["dark"] = self._bench.reference("white"), self._bench.reference("dark")
        return self._watch.looked(self.known["white"], self.known["dark"])

    def look(self, what: str) -> Counts:
        """Take one reference anew, because somebody wants to go by it from now on; KeyError for an unknown one."""
        if what not in REFERENCES:
            raise KeyError(what)
        self.known[what] = self._bench.reference(what)
        if what == "white":
            self._watch.calibrated(self.known["white"], self.known["dark"])
        return self.known[what]

    @property
    def references(self) -> Mapping[str, Counts]:
        """The latest of each reference, none while the sensor does not answer."""
        return {} if self._trouble == MISSING else self.known

    @contextmanager
    def trouble(self, fault: str) -> Iterator[None]:
        """Let the cause of *fault* be there for a while; any other name changes nothing."""
        usual, self._trouble = self._bench.world, fault
        self._bench.world = WEATHER.get(fault, _as_it_is)(usual)
        try:
            yield
        finally:
            self._bench.world, self._trouble = usual, ""

    def passing(self, kind: str, cubes: Sequence[Cube], speed_mm_s: float) -> Passing:
        """Let *cubes* do *kind* in what light there is; frames only of a sensor that answers."""
        usual = self._bench.world
        self._bench.world = GLARE.get(self._trouble, _as_it_is)(usual)
        seen = self._bench.passing(kind, cubes, speed_mm_s, told_only=True)
        self._bench.world = usual
        return Passing(seen.edges) if self._trouble == MISSING else seen


def _as_it_is(world: World) -> World:
    return world
