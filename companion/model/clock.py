"""The arithmetic of the table's clock, and the clock of the present step as pages, lamps and speech show it.

It never reads the time: callers pass in elapsed times. The `Countdown` of a step can be computed for any moment until
the next row.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

from companion.kernel.values import replace
from companion.model.game import Step
from companion.model.time_control import Accounts, PlayerTime, Strictness, TimeControl, player_times

REVEAL_MS = 3_000
"""Length of the countdown before cards are turned over together, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How long the game and its present step have been played, in milliseconds, without pauses.

    *extra_ms* was added to the step's limit. *ready* are the seats that have finished the step. *reveal_ms* is the game
    time at which the countdown 3-2-1 before or in this step began. *held* says why the clock is stopped while the game
    goes on; it is empty if the clock runs. *accounts* are the times of each player, which don't run during the
    countdown.
    """

    game_ms: int = 0
    step: Step | None = None
    step_ms: int = 0
    extra_ms: int = 0
    ready: tuple[str, ...] = ()
    reveal_ms: int | None = None
    held: str = ""
    accounts: Accounts = field(default_factory=Accounts)

    @property
    def lead_ms(self) -> int:
        """The remaining time of the countdown 3-2-1, in milliseconds."""
        return 0 if self.reveal_ms is None else max(0, REVEAL_MS - (self.game_ms - self.reveal_ms))

    def after(self, elapsed_ms: int) -> Clock:
        """Return the clock *elapsed_ms* later. Without a step, only the game's time advances."""
        step_ms = self.step_ms + elapsed_ms if self.step is not None else 0
        accounts = self.accounts.after(max(0, elapsed_ms - self.lead_ms))
        return replace(self, game_ms=self.game_ms + elapsed_ms, step_ms=step_ms, accounts=accounts)

    def turned(self, step: Step | None) -> Clock:
        """Return the clock in *step*. A different step begins at 0 ms; the same step continues."""
        return self if step == self.step else replace(self, step=step, step_ms=0, extra_ms=0, ready=(), reveal_ms=None)

    def back_to(self, earlier: Clock) -> Clock:
        """Return the clock after an undo to a moment with the clock *earlier*.

        The step of *earlier* continues where it stopped, and no seat counts as ready.

        The players' times go back too, so each player gets back the time used since then.
        """
        if earlier.step == self.step:
            return replace(self, ready=(), reveal_ms=None)
        step = (earlier.step, earlier.step_ms, earlier.extra_ms)
        return Clock(self.game_ms, *step, held=self.held, accounts=earlier.accounts)


def read(clock: Clock, since: float, now: float) -> tuple[Clock, float]:
    """Advance *clock* from *since* to *now* (monotonic seconds). Return the clock and the second for which it is exact.

    A fraction of a millisecond isn't counted yet; the next call counts it.
    """
    elapsed_ms = max(0, int((now - since) * 1000 + 1e-6))
    return clock.after(elapsed_ms), since + elapsed_ms / 1000


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
