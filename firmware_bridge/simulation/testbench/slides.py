"""Plans one slide at the rig in real time: a hand opens the gate, cubes come out, faults occur, the gate closes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from firmware_bridge.device.shake_detector import SHAKES
from firmware_bridge.simulation.physics import Cube, PhysicsBench
from firmware_bridge.simulation.physics.below import Below
from firmware_bridge.simulation.physics.disturbances import GLARE, LIGHT_CHANGES, MISSING
from firmware_bridge.simulation.physics.kinds import VERDICTS, kinds
from firmware_bridge.simulation.physics.world import World
from firmware_bridge.simulation.testbench.actions import (
    ActionPlan,
    BeamAction,
    HandAction,
    LightChange,
    Note,
    PassageAction,
    Power,
    Shutter,
    SwitchAction,
)

BOUNCES_US = (1_000, 3_000)
MOST_BOUNCES = 3
JOLT_US = 5_000  # how long a jolt closes the contact of the shake switch

BETWEEN_US = 300_000  # from one cube to the next, and from the gate to the first
CLOSES_US = 250_000  # from the last cube to closing the gate
LIFTED_US = 1_500_000
APART_US = 120_000  # between two jolts
EARLIER_US = 5_500_000  # how long before a slide the light changes: an idle board takes references every 5 s


@dataclass(frozen=True)
class Wish:
    """The settings of one slide, given by a script or a caller. Fields without a value are drawn at random."""

    colour: str = ""
    speed_mm_s: float = 0.0
    fault: str = ""


class SlidePlanner:
    """Adds slides to a *plan*. *lots* draws what happens; *contacts* draws how switches bounce."""

    def __init__(self, plan: ActionPlan, bench: PhysicsBench, below: Below, lots: Random, contacts: Random) -> None:
        self._plan = plan
        self._bench = bench
        self._below = below
        self._lots = lots
        self._contacts = contacts

    def slide(self, at_us: int, wish: Wish, usual: World) -> int:
        """Plan a slide from *at_us* on. Return when the next slide may begin.

        *usual* is the world without the fault.
        """
        opens = self._cause(at_us, wish.fault)
        self._bench.world, now = self._lit(wish.fault, usual), self._bench.world
        over = opens
        for kind in kinds(wish.fault, usual.rates, lambda: self._below.stations.total(), self._lots):
            over = self._happen(kind, wish, over + BETWEEN_US)
        self._bench.world = now
        self.gate(over + CLOSES_US, False)
        self._cure(over + CLOSES_US, wish.fault)
        return over + CLOSES_US + BETWEEN_US

    def gate(self, at_us: int, is_open: bool) -> None:
        """Schedule an opening or a closing of the gate. The gate's switch is LOW while the gate is closed."""
        self._plan.add(at_us, Shutter(is_open))
        self.switch(at_us, "gate", is_open)

    def switch(self, at_us: int, pin: str, level: bool) -> None:
        """Plan that the switch at *pin* changes to *level* and bounces."""
        self._turns(pin, bounced(level, at_us, self._contacts))

    def jolt(self, at_us: int) -> None:
        """Plan one jolt of the shake switch."""
        self._turns("shake", jolted(at_us, self._contacts))

    def beams(self, at_us: int, edges: Iterable[tuple[str, bool, int]]) -> None:
        """Plan edges of the beams A and B; each has its time in microseconds after *at_us*."""
        for beam, on, after in edges:
            self._plan.add(at_us + after, BeamAction(beam.lower(), on))

    def _cause(self, at_us: int, fault: str) -> int:
        """Plan the cause of *fault* and the opening of the gate. Return the time of the opening."""
        opens = at_us + EARLIER_US if fault in LIGHT_CHANGES else at_us
        if fault in LIGHT_CHANGES:
            self._plan.add(at_us, LightChange(LIGHT_CHANGES[fault]))
        elif fault in GLARE:
            self._plan.add(at_us, LightChange(GLARE[fault]))
        elif fault == MISSING:
            self._plan.add(at_us, Power(False))
        self.gate(opens, True)
        return opens

    def _cure(self, at_us: int, fault: str) -> None:
        if fault in LIGHT_CHANGES or fault in GLARE:
            self._plan.add(at_us, LightChange(None))
        elif fault == MISSING:
            self._plan.add(at_us, Power(True))

    def _lit(self, fault: str, usual: World) -> World:
        change = LIGHT_CHANGES.get(fault) or GLARE.get(fault)
        return change(usual) if change else usual

    def _happen(self, kind: str, wish: Wish, at_us: int) -> int:
        """Plan one part of a slide, of this *kind*, from *at_us* on. Return the time at which it ends."""
        if kind == "lift":
            return self._lift(at_us)
        if kind == "shake_open":
            return self._shake(at_us)
        cubes = () if kind in ("poke", "glitch") else self._below.take(kind, wish.colour)
        return self._pass(kind, cubes, wish.speed_mm_s, at_us)

    def _pass(self, kind: str, cubes: Sequence[Cube], speed_mm_s: float, at_us: int) -> int:
        going = self._bench.going(kind, cubes, speed_mm_s)
        edges = [(beam, on, round(at * 1e6)) for beam, on, at in going.edges]
        over = at_us + round(going.ends * 1e6)
        self._plan.add(at_us, PassageAction(going))
        self.beams(at_us, edges)
        for text in VERDICTS.get(kind, (kind,)):
            left = kind == "waiting" and text == "out"  # the next cube's edges follow
            self._note(text, cubes, at_us + edges[0][2], at_us + edges[-2 if left else -1][2])
        self._plan.add(over, PassageAction(None))
        return over

    def _lift(self, at_us: int) -> int:
        self.switch(at_us, "lift", True)
        self.switch(at_us + LIFTED_US, "lift", False)
        self._note("lift", (), at_us, at_us + LIFTED_US)
        return at_us + LIFTED_US

    def _shake(self, at_us: int) -> int:
        jolts = [at_us + n * APART_US for n in range(SHAKES)]
        for each in jolts:
            self.jolt(each)
        self._note("shake_open", (), jolts[0], jolts[-1])
        return jolts[-1] + APART_US

    def _note(self, kind: str, cubes: Sequence[Cube], first_us: int, last_us: int) -> None:
        happened = HandAction(kind, tuple(cube.colour for cube in cubes), first_us, last_us)
        self._plan.add(last_us, Note(happened))

    def _turns(self, pin: str, turns: Iterable[tuple[int, bool]]) -> None:
        for at_us, level in turns:
            self._plan.add(at_us, SwitchAction(pin, level))


def bounced(level: bool, at_us: int, lots: Random) -> list[tuple[int, bool]]:
    """Return the level changes of a contact that changes to *level* at once and then bounces a few times within 1 to 3
    ms.
    """
    lasts = lots.randint(*BOUNCES_US)
    times = sorted(lots.sample(range(1, lasts), 2 * lots.randint(1, MOST_BOUNCES)))
    return [(at_us, level), *((at_us + at, level == bool(n % 2)) for n, at in enumerate(times))]


def jolted(at_us: int, lots: Random) -> list[tuple[int, bool]]:
    """Return the level changes of one jolt, at a normally open contact to ground."""
    return bounced(False, at_us, lots) + bounced(True, at_us + JOLT_US, lots)
