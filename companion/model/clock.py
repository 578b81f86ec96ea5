"""The arithmetic of the table's clock. It never reads the time: callers pass in elapsed times."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.kernel.frozen import replace
from companion.model.game import Step
from companion.model.time_bank import Accounts

REVEAL_MS = 3_000
"""Length of the countdown before cards are turned over together."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How long the game and its present step have been played, in milliseconds, without pauses.

    *extra_ms* was added to the step's limit; *ready* are the seats that are done with it. *reveal_ms* is the game time
    at which the countdown 3-2-1 began that is part of this step or leads to it. *held* says why the clock is stopped
    although the game goes on, empty if it runs. *accounts* are the players' own times; they don't run during the
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
        """The rest of the countdown 3-2-1."""
        return 0 if self.reveal_ms is None else max(0, REVEAL_MS - (self.game_ms - self.reveal_ms))

    def after(self, elapsed_ms: int) -> Clock:
        """Return the clock *elapsed_ms* later. Without a step, only the game's time advances."""
        step_ms = self.step_ms + elapsed_ms if self.step is not None else 0
        accounts = self.accounts.after(max(0, elapsed_ms - self.lead_ms))
        return replace(self, game_ms=self.game_ms + elapsed_ms, step_ms=step_ms, accounts=accounts)

    def turned(self, step: Step | None) -> Clock:
        """Return the clock in *step*: a new step begins at 0 ms, the same one goes on."""
        return self if step == self.step else replace(self, step=step, step_ms=0, extra_ms=0, ready=(), reveal_ms=None)

    def back_to(self, earlier: Clock) -> Clock:
        """Return the clock after an undo to an *earlier* one.

        Its step continues where it stopped, and nobody is ready yet.

        The players' times go back too, so each player gets back the time used since then.
        """
        if earlier.step == self.step:
            return replace(self, ready=(), reveal_ms=None)
        step = (earlier.step, earlier.step_ms, earlier.extra_ms)
        return Clock(self.game_ms, *step, held=self.held, accounts=earlier.accounts)


def read(clock: Clock, since: float, now: float) -> tuple[Clock, float]:
    """Return *clock* advanced from monotonic second *since* to *now*, and the second that it is exact for.

    Part of a millisecond isn't counted yet; it is counted at the next reading.
    """
    elapsed_ms = max(0, int((now - since) * 1000 + 1e-6))
    return clock.after(elapsed_ms), since + elapsed_ms / 1000
