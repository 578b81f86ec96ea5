"""What is done to a rig, each at its moment: the pieces that a slide is made of."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from firmware_bridge.simulation.physics import Going
from firmware_bridge.simulation.physics.world import World


@dataclass(frozen=True)
class HandAction:
    """One thing that the hand did: when its first and its last edge (or turn of a switch) came, in microseconds."""

    kind: str
    colours: tuple[str, ...]
    first_us: int
    last_us: int


@dataclass(frozen=True)
class SwitchAction:
    """A switch's pin takes a level."""

    pin: str
    level: bool


@dataclass(frozen=True)
class BeamAction:
    """Something comes into a beam, or leaves it."""

    pin: str
    blocked: bool


@dataclass(frozen=True)
class Shutter:
    """The gate opens or closes."""

    is_open: bool


@dataclass(frozen=True)
class PassageAction:
    """A passage begins on its way, or (None) is over."""

    going: Going | None


@dataclass(frozen=True)
class Weather:
    """Lamp and room become what *change* makes of the usual ones; None: the usual ones."""

    change: Callable[[World], World] | None


@dataclass(frozen=True)
class Power:
    """The sensor has power and wires, or has not."""

    on: bool


@dataclass(frozen=True)
class Note:
    """Something is over, and goes down as true."""

    happened: HandAction


Deed = SwitchAction | BeamAction | Shutter | PassageAction | Weather | Power | Note


@shows("_count", "_coming")
class ActionPlan:
    """Deeds to come; of those at one moment the one that was planned first comes first."""

    def __init__(self) -> None:
        self._coming: list[tuple[int, int, Deed]] = []
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._coming)

    def add(self, at_us: int, deed: Deed) -> None:
        """Plan *deed*."""
        self._count += 1
        heappush(self._coming, (at_us, self._count, deed))

    def due_us(self) -> int | None:
        """Return when the next deed is due, None when there is none."""
        return self._coming[0][0] if self._coming else None

    def next(self) -> tuple[int, Deed]:
        """Take out the next deed, with its time."""
        at_us, _, deed = heappop(self._coming)
        return at_us, deed
