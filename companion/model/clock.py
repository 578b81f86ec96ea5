"""The arithmetic of the table's clock. It never reads the time: callers pass in elapsed times."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.kernel.frozen import replace
from companion.model.game import Step
from companion.model.time_bank import Accounts

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
