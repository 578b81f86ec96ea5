"""The arithmetic of time banks: how long each player may think in a whole game, and what of it is left.

The two ways of being given time back are those of tournament clocks: an
increment after each step (Fischer), or a delay before the bank begins to run
(simple delay, which comes to what Bronstein's clock gives back afterwards).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from companion.kernel.frozen import replace
from companion.kernel.validation import Fields
from companion.kernel.values import dataclass
from companion.model.strictness import Strictness

LEAST_S = 60
MOST_S = 6 * 3_600
MOST_GAIN_S = 600


class TimeGain(StrEnum):
    """What a step gives back: nothing, so much after it, or so much of it free."""

    NOTHING = "nothing"
    INCREMENT = "increment"
    DELAY = "delay"


@dataclass(frozen=True)
class TimeBank:
    """A table's time banks: *seconds* for each player's own steps in the whole game, *gain_s* given back in each.

    Only *steps* count, by their names, which are the game's to say: those in which a player thinks.
    """

    mode: Strictness = Strictness.OFF
    seconds: int = 900
    gain: TimeGain = TimeGain.NOTHING
    gain_s: int = 0
    steps: tuple[str, ...] = ()

    @property
    def on(self) -> bool:
        """Whether the table plays with it."""
        return self.mode is not Strictness.OFF and bool(self.steps)

    @property
    def delay_ms(self) -> int:
        """What of each step is free."""
        return self.gain_s * 1000 if self.gain is TimeGain.DELAY else 0

    @property
    def increment_ms(self) -> int:
        """What is given back after each step."""
        return self.gain_s * 1000 if self.gain is TimeGain.INCREMENT else 0

    def line(self) -> dict[str, Any]:
        """Return it as JSON; `changed` reads it back."""
        return {"mode": str(self.mode), "seconds": self.seconds, "gain": str(self.gain), "gain_s": self.gain_s}

    def changed(self, fields: Fields) -> TimeBank:
        """Return the bank with what *fields* say instead, or raise `Malformed`; what they leave out stays."""
        fields.only("mode", "seconds", "gain", "gain_s")
        return replace(
            self,
            mode=Strictness(fields.word("mode", Strictness)) if fields.has("mode") else self.mode,
            seconds=fields.whole("seconds", LEAST_S, MOST_S) if fields.has("seconds") else self.seconds,
            gain=TimeGain(fields.word("gain", TimeGain)) if fields.has("gain") else self.gain,
            gain_s=fields.whole("gain_s", 0, MOST_GAIN_S) if fields.has("gain_s") else self.gain_s,
        )


@dataclass(frozen=True)
class Accounts:
    """What each player has used of their bank, by colour, in milliseconds.

    *used* in the steps before, what was given back taken off; *own* in the
    step at hand, as long as the table waited for them in it; *waited* are
    those for whom it waits.
    """

    used: Mapping[str, int] = field(default_factory=dict)
    own: Mapping[str, int] = field(default_factory=dict)
    waited: tuple[str, ...] = ()

    def after(self, elapsed_ms: int) -> Accounts:
        """Return the accounts after *elapsed_ms* more of the step."""
        if not self.waited or not elapsed_ms:
            return self
        own = {**self.own, **{seat: self.own.get(seat, 0) + elapsed_ms for seat in self.waited}}
        return replace(self, own=own)

    def closed(self, bank: TimeBank) -> Accounts:
        """Return the accounts after the step; whoever took part in it is given back what *bank* says."""
        if not self.own:
            return replace(self, waited=()) if self.waited else self
        done = replace(self, waited=())
        return Accounts({**self.used, **{seat: done.used_ms(seat, bank) for seat in self.own}})

    def used_ms(self, seat: str, bank: TimeBank) -> int:
        """Return what *seat* has used in all; below nought where more was given back.

        Whoever was not waited for at all has no step of their own, and is given nothing for it.
        """
        own = self.own.get(seat, 0)
        given = bank.increment_ms if own and seat not in self.waited else 0
        return self.used.get(seat, 0) + max(0, own - bank.delay_ms) - given


@dataclass(frozen=True)
class PlayerTime:
    """The bank of one *seat*, as anybody may see it: *left_ms* of it, below nought once it is empty.

    While the table *waits* for them, *free_ms* more pass before it runs.
    """

    seat: str
    left_ms: int
    waits: bool = False
    free_ms: int = 0

    @property
    def empty(self) -> bool:
        """Whether nothing is left."""
        return self.left_ms <= 0

    def at(self, elapsed_ms: int) -> PlayerTime:
        """Return it *elapsed_ms* later, if nothing happens meanwhile."""
        if not self.waits or elapsed_ms <= 0:
            return self
        free, run = max(0, self.free_ms - elapsed_ms), max(0, elapsed_ms - self.free_ms)
        return PlayerTime(self.seat, self.left_ms - run, True, free)


def player_times(accounts: Accounts, bank: TimeBank, seats: tuple[str, ...]) -> tuple[PlayerTime, ...]:
    """Return what is left of the bank of each of *seats*, nothing where the table plays without."""
    return tuple(_player_time(accounts, bank, seat) for seat in seats) if bank.on else ()


def _player_time(accounts: Accounts, bank: TimeBank, seat: str) -> PlayerTime:
    waits = seat in accounts.waited
    free = max(0, bank.delay_ms - accounts.own.get(seat, 0)) if waits else 0
    return PlayerTime(seat, bank.seconds * 1000 - accounts.used_ms(seat, bank), waits, free)
