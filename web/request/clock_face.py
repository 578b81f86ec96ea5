"""What a page or a program is told of the clock: moments of the house, from which every device counts down alike."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import Any

from companion.kernel.values import dataclass
from companion.model.countdown import REVEAL_MS, Timing
from companion.model.snapshot import Snapshot

MINUTES_FROM_S = 100
"""From so many seconds on a clock shows minutes too."""


@dataclass(frozen=True)
class ClockFace:
    """The clock of the step at hand; moments are milliseconds of the house's own time, which only goes forward.

    A clock that stands or has no limit never ends: its moment is None.
    """

    now_ms: int
    version: int
    timing: Timing

    @property
    def shown(self) -> bool:
        """Whether there is a time to count down."""
        return bool(self.timing.limit_ms)

    @property
    def ends_at_ms(self) -> int | None:
        """When the time is up."""
        timing = self.timing
        return self.now_ms + timing.lead_ms + timing.left_ms if timing.running and timing.limit_ms else None

    @property
    def lead_ends_at_ms(self) -> int | None:
        """When three, two, one is counted and all turn over."""
        timing = self.timing
        return self.now_ms + timing.lead_ms if timing.running and timing.lead_ms else None

    @property
    def began_at_ms(self) -> int | None:
        """Since when the step would have run without a stop."""
        timing = self.timing
        return self.now_ms + timing.lead_ms - timing.spent_ms if timing.running else None

    @property
    def count(self) -> int:
        """The number of 3-2-1 that is counted now, 0 when none is."""
        return min(ceil(self.timing.lead_ms / 1000), REVEAL_MS // 1000)

    @property
    def seconds(self) -> int:
        """What a dial shows: the seconds that are left, or those since the step began where there is no limit."""
        timing = self.timing
        return max(0, ceil(timing.left_ms / 1000)) if timing.limit_ms else timing.spent_ms // 1000

    @property
    def over_s(self) -> int:
        """For how many seconds the time has been up."""
        return -self.timing.left_ms // 1000 if self.timing.over else 0

    @property
    def part(self) -> float:
        """What is left of the whole limit, in whole seconds, from 0 to 1."""
        return min(1.0, round(self.seconds * 1000 / self.timing.limit_ms, 4)) if self.timing.limit_ms else 0.0

    def body(self) -> dict[str, Any]:
        """Return it as JSON for programs."""
        timing = self.timing
        return {
            "now_ms": self.now_ms,
            "version": self.version,
            "step": timing.step,
            "seats": list(timing.seats),
            "mode": str(timing.mode),
            "running": timing.running,
            "held": timing.held,
            "ends_at_ms": self.ends_at_ms,
            "lead_ends_at_ms": self.lead_ends_at_ms,
            "limit_ms": timing.limit_ms,
            "spent_ms": timing.spent_ms,
            "ready": list(timing.ready),
        }


def seen_at(snapshot: Snapshot, now: float) -> Snapshot:
    """Return *snapshot* with its clocks as they stand *now*: between two rows only time changes them."""
    elapsed_ms = max(0, round((now - snapshot.as_of) * 1000))
    ran_ms = elapsed_ms if snapshot.runs else 0
    return replace(
        snapshot,
        timing=None if snapshot.timing is None else snapshot.timing.at(elapsed_ms),
        step_ms=snapshot.step_ms + ran_ms,
        game_ms=snapshot.game_ms + ran_ms,
        as_of=now,
    )


def clock_face(snapshot: Snapshot) -> ClockFace | None:
    """Return the clock of *snapshot* at the moment it is right for, None where nothing is timed."""
    return (
        None if snapshot.timing is None else ClockFace(round(snapshot.as_of * 1000), snapshot.version, snapshot.timing)
    )


def in_words(seconds: int) -> str:
    """Return what a dial shows: `12`, or `3:05` once a bare number would be long."""
    return str(seconds) if seconds < MINUTES_FROM_S else f"{seconds // 60}:{seconds % 60:02}"
