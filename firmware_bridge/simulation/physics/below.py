"""The stations below a simulated ring. They are counted by colour, and turned into individual cubes at the gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from companion.kernel.shown import shows
from firmware_bridge.simulation.physics import Cube

Copy = Callable[[str], Sequence[Cube]]


@shows("stations")
class Below:
    """The stations below the ring. *lots* draws which station comes out. All stations are equally likely.

    *copy* returns the cubes of a colour, and *paints* chooses one of these cubes at random. Because *paints* is a
    separate random generator, the drawn colours do not depend on how many cubes of a colour the game's box contains.
    """

    def __init__(self, copy: Copy, lots: Random, paints: Random) -> None:
        self.stations: Counter[str] = Counter()
        self._copy = copy
        self._lots = lots
        self._paints = paints

    def take(self, kind: str, colour: str) -> tuple[Cube, ...]:
        """Remove the cubes that leave in a passage of this *kind* from `stations`. Return the cubes of the passage.

        The first cube has the given *colour*, if there is one. The other cubes are random.
        """
        colours = [colour or self._drawn()]
        self.stations[colours[0]] -= 1
        self.stations = +self.stations
        if kind == "pair":
            colours.append(self._drawn() if self.stations else colours[0])
            self.stations[colours[1]] -= 1
        if kind == "back":
            self.stations[colours[0]] += 1
        self.stations = +self.stations
        return self._cubes(colours)

    def _drawn(self) -> str:
        number = self._lots.randrange(self.stations.total())
        for colour in sorted(self.stations):
            number -= self.stations[colour]
            if number < 0:
                break
        return colour

    def _cubes(self, colours: Sequence[str]) -> tuple[Cube, ...]:
        """Pick a cube for each of the colours.

        Two cubes of one colour are different cubes, if the copy has at least two.
        """
        picked: list[Cube] = []
        for colour in colours:
            cubes = self._copy(colour)
            picked.append(self._paints.choice([cube for cube in cubes if cube not in picked] or cubes))
        return tuple(picked)
