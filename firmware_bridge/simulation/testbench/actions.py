"""The timed actions that make up a slide at the simulated gate."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from firmware_bridge.simulation.physics import Going
from firmware_bridge.simulation.physics.world import World


@dataclass(frozen=True)
class HandAction:
    """One thing that the hand did. It has the times of its first and last edge (or switch change), in microseconds."""

    kind: str
    colours: tuple[str, ...]
    first_us: int
    last_us: int


@dataclass(frozen=True)
class SwitchAction:
    """A switch's pin changes to a level."""

    pin: str
    level: bool


@dataclass(frozen=True)
class BeamAction:
    """Something enters or leaves a beam."""

    pin: str
    blocked: bool


@dataclass(frozen=True)
class Shutter:
    """The gate opens or closes."""

    is_open: bool


@dataclass(frozen=True)
class PassageAction:
    """A passage starts, or (None) ends."""

    going: Going | None


@dataclass(frozen=True)
class LightChange:
    """The light of lamp and room changes, or (None) returns to normal."""

    change: Callable[[World], World] | None


@dataclass(frozen=True)
class Power:
    """The sensor gains or loses its power."""

    on: bool


@dataclass(frozen=True)
class Note:
    """An action of the hand has ended and becomes part of the ground truth."""

    happened: HandAction


Deed = SwitchAction | BeamAction | Shutter | PassageAction | LightChange | Power | Note


@shows("_count", "_coming")
class ActionPlan:
    """A queue of timed actions, in order of time and then of planning."""

    def __init__(self) -> None:
        self._coming: list[tuple[int, int, Deed]] = []
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._coming)

    def add(self, at_us: int, deed: Deed) -> None:
        """Plan *deed* for *at_us*."""
        self._count += 1
        heappush(self._coming, (at_us, self._count, deed))

    def due_us(self) -> int | None:
        """Return the time of the next action, or None."""
        return self._coming[0][0] if self._coming else None

    def next(self) -> tuple[int, Deed]:
        """Remove and return the next action, with its time."""
        at_us, _, deed = heappop(self._coming)
        return at_us, deed
