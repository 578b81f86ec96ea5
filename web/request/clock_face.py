"""The clock as pages and programs get it: times of the server's clock, so that all devices show the same countdown."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import Any

from companion.kernel.values import dataclass
from companion.model.clock import REVEAL_MS, PlayerTime
from companion.model.countdown import Countdown
from companion.model.snapshot import Snapshot

MINUTES_FROM_S = 60
"""A clock that shows at least this many seconds shows them as minutes and seconds."""
HOUR_S = 3_600
LOW_MS = 60_000
"""A bank with this much or less is marked as low."""


@dataclass(frozen=True)
class BankFace:
    """A player's remaining time bank. *ends_at_ms* is the time when it will be empty, or None if it isn't running."""

    seat: str
    left_ms: int
    waits: bool
    ends_at_ms: int | None

    @property
    def low(self) -> bool:
        """Whether little is left (`LOW_MS`)."""
        return self.left_ms <= LOW_MS

    @property
    def empty(self) -> bool:
        """Whether nothing is left."""
        return self.left_ms <= 0

    def body(self) -> dict[str, Any]:
        """Return the remaining time as JSON for programs."""
        return {"seat": self.seat, "left_ms": self.left_ms, "waits": self.waits, "ends_at_ms": self.ends_at_ms}


@dataclass(frozen=True)
class ClockFace:
    """The clock of the present step. Times are milliseconds of the server's monotonic clock.

    *ends_at_ms* is None if the clock is stopped or has no limit.
    """

    now_ms: int
    version: int
    timing: Countdown

    @property
    def shown(self) -> bool:
        """Whether there is anything to count down."""
        return bool(self.timing.limit_ms or self.count)

    @property
    def ends_at_ms(self) -> int | None:
        """The time when the step's limit will be over, or None."""
        timing = self.timing
        return self.now_ms + timing.lead_ms + timing.left_ms if timing.running and timing.limit_ms else None

    @property
    def lead_ends_at_ms(self) -> int | None:
        """The time when the countdown 3-2-1 ends and the cards are turned over, or None."""
        timing = self.timing
        return self.now_ms + timing.lead_ms if timing.running and timing.lead_ms else None

    @property
    def began_at_ms(self) -> int | None:
        """The time when the step would have begun if its clock had never been stopped."""
        timing = self.timing
        return self.now_ms + timing.lead_ms - timing.spent_ms if timing.running else None

    @property
    def count(self) -> int:
        """The present number of the countdown 3-2-1, or 0 if there is no countdown."""
        return self.timing.count

    @property
    def seconds(self) -> int:
        """The number on the dial: the countdown, and then the remaining seconds.

        Without a limit, it is the elapsed seconds.
        """
        timing = self.timing
        if timing.count:
            return timing.count
        return max(0, ceil(timing.left_ms / 1000)) if timing.limit_ms else timing.spent_ms // 1000

    @property
    def banks(self) -> tuple[BankFace, ...]:
        """Each player's remaining bank, in seat order; it is empty if the table plays without banks."""
        return tuple(map(self._bank, self.timing.banks))

    def bank(self, seat: str | None) -> BankFace | None:
        """Return the remaining bank of *seat*."""
        return next((each for each in self.banks if each.seat == seat), None)

    @property
    def over_s(self) -> int:
        """The seconds since the limit was reached."""
        return -self.timing.left_ms // 1000 if self.timing.over else 0

    @property
    def part(self) -> float:
        """The remaining part of the limit or of the countdown, from 0 to 1, in steps of a second."""
        whole = REVEAL_MS if self.count else self.timing.limit_ms
        return min(1.0, round(self.seconds * 1000 / whole, 4)) if whole else 0.0

    def body(self) -> dict[str, Any]:
        """Return the clock as JSON for programs."""
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
            "bank_mode": str(timing.bank_mode),
            "banks": [each.body() for each in self.banks],
        }

    def _bank(self, own: PlayerTime) -> BankFace:
        runs = self.timing.running and own.waits
        ends = self.now_ms + self.timing.lead_ms + own.free_ms + own.left_ms if runs else None
        return BankFace(own.seat, own.left_ms, own.waits, ends)


def seen_at(snapshot: Snapshot, now: float) -> Snapshot:
    """Return *snapshot* with its clocks advanced to *now*. Between two rows only the time changes a snapshot."""
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
    """Return the clock of *snapshot* at the time `as_of` of the snapshot, or None if nothing is timed."""
    return (
        None if snapshot.timing is None else ClockFace(round(snapshot.as_of * 1000), snapshot.version, snapshot.timing)
    )


def in_words(seconds: int) -> str:
    """Return seconds as a dial shows them: `12`, or `3:05` if there are at least `MINUTES_FROM_S`."""
    return str(seconds) if seconds < MINUTES_FROM_S else f"{seconds // 60}:{seconds % 60:02}"


def bank_in_words(left_ms: int) -> str:
    """Return the remaining time of a bank: `14:59`, `1:02:03`; with a minus sign if the bank is overdrawn."""
    seconds = ceil(left_ms / 1000) if left_ms > 0 else -left_ms // 1000
    minutes = f"{seconds // 60}" if seconds < HOUR_S else f"{seconds // HOUR_S}:{seconds % HOUR_S // 60:02}"
    return f"{'−' if left_ms < 0 < seconds else ''}{minutes}:{seconds % 60:02}"
