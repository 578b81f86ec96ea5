"""The countdown of a step, which pages, lamps and speech show. It can be computed for any moment until the next row."""

from __future__ import annotations

from math import ceil

from companion.kernel.values import dataclass, replace
from companion.model.clock import REVEAL_MS, Clock, PlayerTime, Strictness, TimeControl, player_times

NAMING = "name"
REVEAL = "reveal"


@dataclass(frozen=True)
class Countdown:
    """How long the present step has taken, and its limit.

    *name* is the name of the step, *seats* are the seats that must act in it, and *ready* those that have finished.
    *lead_ms* is the remaining time of the countdown 3-2-1; the step begins when it is 0. *limit_ms* includes
    extensions, and is 0 for no limit. The time advances only while *running* is true. *held* says why the clock is
    stopped (by hand, or after a restart). *banks* are the players' remaining bank times in seat order.
    """

    name: str
    seats: tuple[str, ...]
    mode: Strictness
    limit_ms: int
    spent_ms: int
    lead_ms: int = 0
    running: bool = True
    held: str = ""
    ready: tuple[str, ...] = ()
    banks: tuple[PlayerTime, ...] = ()
    bank_mode: Strictness = Strictness.OFF

    @property
    def step(self) -> str:
        """The step to show: `reveal` during the countdown 3-2-1."""
        return REVEAL if self.lead_ms else self.name

    @property
    def count(self) -> int:
        """The present number of the countdown 3-2-1, or 0 if there is none. Pages, lamps and speech all use it."""
        return min(ceil(self.lead_ms / 1000), REVEAL_MS // 1000)

    @property
    def left_ms(self) -> int:
        """The remaining time in milliseconds. It is negative after the limit, and 0 if there is no limit."""
        return self.limit_ms - self.spent_ms if self.limit_ms else 0

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return bool(self.limit_ms) and not self.lead_ms and self.spent_ms >= self.limit_ms

    def at(self, elapsed_ms: int) -> Countdown:
        """Return the countdown *elapsed_ms* later, provided that there is no new row until then."""
        if not self.running or elapsed_ms <= 0:
            return self
        run_ms = max(0, elapsed_ms - self.lead_ms)
        banks = tuple(each.at(run_ms) for each in self.banks)
        return replace(self, lead_ms=max(0, self.lead_ms - elapsed_ms), spent_ms=self.spent_ms + run_ms, banks=banks)


def timing(
    clock: Clock, pace: TimeControl, wanting: tuple[str, ...], live: bool, seats: tuple[str, ...] = ()
) -> Countdown | None:
    """Return the countdown that shows *clock*, or None if the clock has no step.

    *wanting* are the seats that must still lay a card face down. *live* means that the game is running. *seats* are all
    seats; their time banks are shown.
    """
    if clock.step is None:
        return None
    lead, spent = _since_reveal(clock)
    naming = bool(wanting) and (clock.reveal_ms is not None or set(wanting) <= set(clock.ready))
    limit = pace.limit(NAMING if naming else clock.step.name)
    return Countdown(
        name=NAMING if naming else clock.step.name,
        seats=clock.step.seats,
        mode=limit.mode,
        limit_ms=limit.ms + clock.extra_ms if limit.ms else 0,
        spent_ms=spent,
        lead_ms=lead,
        running=live and not clock.held,
        held=clock.held,
        ready=clock.ready,
        banks=player_times(clock.accounts, pace.bank, seats),
        bank_mode=pace.bank.mode,
    )


def _since_reveal(clock: Clock) -> tuple[int, int]:
    """Return the remaining time of the countdown 3-2-1, and the time of the step without the countdown."""
    if clock.reveal_ms is None:
        return 0, clock.step_ms
    since = clock.game_ms - clock.reveal_ms
    return clock.lead_ms, min(clock.step_ms, max(0, since - REVEAL_MS))
