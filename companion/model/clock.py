"""The clock of a table: its time limits, the time banks of the players, and the clock itself.

It never reads the time: callers pass in elapsed times.

A time bank limits how long a player may think in the whole game. As with tournament clocks, there are two ways to give
time back. An increment is added after each step (Fischer). A delay is the time at the beginning of a step in which the
bank does not run (simple delay; Bronstein's clock has the same effect).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from companion.kernel.fields import Fields
from companion.kernel.names import name_fault
from companion.kernel.said import said
from companion.kernel.values import dataclass, replace

LEAST_S = 60
MOST_S = 6 * 3_600
MOST_GAIN_S = 600


class Strictness(StrEnum):
    """What a clock does at the end of a time limit.

    `OFF`: there is no limit and no clock. `GENTLE`: the clock shows the end and beeps. `STRICT`: it also suggests the
    table's own penalty. A clock never makes a move for a player.
    """

    OFF = "off"
    GENTLE = "gentle"
    STRICT = "strict"


LONGEST_S = 3_600
LONGEST_PENALTY = 120


class TimeGain(StrEnum):
    """How time is given back: not at all, as an increment after each step, or as a free delay at its beginning."""

    NOTHING = "nothing"
    INCREMENT = "increment"
    DELAY = "delay"


@dataclass(frozen=True)
class TimeBank:
    """The time banks of a table. Each player has *seconds* for the whole game, and gets *gain_s* back in each step.

    Time counts only in the named *steps*, those in which a player thinks. The game names them.
    """

    mode: Strictness = Strictness.OFF
    seconds: int = 900
    gain: TimeGain = TimeGain.NOTHING
    gain_s: int = 0
    steps: tuple[str, ...] = ()

    @property
    def on(self) -> bool:
        """Whether the table plays with time banks."""
        return self.mode is not Strictness.OFF and bool(self.steps)

    @property
    def delay_ms(self) -> int:
        """The free time at the beginning of each step, in milliseconds."""
        return self.gain_s * 1000 if self.gain is TimeGain.DELAY else 0

    @property
    def increment_ms(self) -> int:
        """The time given back after each step, in milliseconds."""
        return self.gain_s * 1000 if self.gain is TimeGain.INCREMENT else 0

    def line(self) -> dict[str, Any]:
        """Return the bank as JSON; `changed` reads it back."""
        return {"mode": str(self.mode), "seconds": self.seconds, "gain": str(self.gain), "gain_s": self.gain_s}

    def changed(self, fields: Fields) -> TimeBank:
        """Return the bank with the changes in *fields*, or raise `Malformed`. Missing fields stay the same."""
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
    """The time that each player has used, by colour, in milliseconds.

    *used* is the time in earlier steps minus the time given back. *own* is how long the table waited for that player in
    the present step. *waited* are the players that the table waits for now.
    """

    used: Mapping[str, int] = field(default_factory=dict)
    own: Mapping[str, int] = field(default_factory=dict)
    waited: tuple[str, ...] = ()

    def after(self, elapsed_ms: int) -> Accounts:
        """Return the accounts *elapsed_ms* later in the same step."""
        if not self.waited or not elapsed_ms:
            return self
        own = {**self.own, **{seat: self.own.get(seat, 0) + elapsed_ms for seat in self.waited}}
        return replace(self, own=own)

    def closed(self, bank: TimeBank) -> Accounts:
        """Return the accounts as they are when the step has ended.

        Each player who took part in the step gets the increment of *bank*.
        """
        if not self.own:
            return replace(self, waited=()) if self.waited else self
        done = replace(self, waited=())
        return Accounts({**self.used, **{seat: done.used_ms(seat, bank) for seat in self.own}})

    def used_ms(self, seat: str, bank: TimeBank) -> int:
        """Return how much time *seat* has used in all; it is negative if more time was given back than used.

        A player whom the table didn't wait for in this step gets no increment for it.
        """
        own = self.own.get(seat, 0)
        given = bank.increment_ms if own and seat not in self.waited else 0
        return self.used.get(seat, 0) + max(0, own - bank.delay_ms) - given


@dataclass(frozen=True)
class PlayerTime:
    """The bank of one *seat*, for pages and consoles.

    *left_ms* is the remaining time; it is negative if the player has used too much. *waits* means that the table waits
    for that player now. The bank begins to run after *free_ms*.
    """

    seat: str
    left_ms: int
    waits: bool = False
    free_ms: int = 0

    @property
    def empty(self) -> bool:
        """Whether no time is left."""
        return self.left_ms <= 0

    def at(self, elapsed_ms: int) -> PlayerTime:
        """Return the bank *elapsed_ms* later, provided that there is no new row until then."""
        if not self.waits or elapsed_ms <= 0:
            return self
        free, run = max(0, self.free_ms - elapsed_ms), max(0, elapsed_ms - self.free_ms)
        return PlayerTime(self.seat, self.left_ms - run, True, free)


def player_times(accounts: Accounts, bank: TimeBank, seats: tuple[str, ...]) -> tuple[PlayerTime, ...]:
    """Return the banks of *seats*; the result is empty if the table plays without banks."""
    return tuple(_player_time(accounts, bank, seat) for seat in seats) if bank.on else ()


def _player_time(accounts: Accounts, bank: TimeBank, seat: str) -> PlayerTime:
    waits = seat in accounts.waited
    free = max(0, bank.delay_ms - accounts.own.get(seat, 0)) if waits else 0
    return PlayerTime(seat, bank.seconds * 1000 - accounts.used_ms(seat, bank), waits, free)


@dataclass(frozen=True)
class Limit:
    """How long a step may take, and how strict the clock is."""

    mode: Strictness
    seconds: int

    @property
    def ms(self) -> int:
        """The limit in milliseconds, or 0 if there is none."""
        return 0 if self.mode is Strictness.OFF else self.seconds * 1000


@dataclass(frozen=True)
class TimeControl:
    """The clocks of a table.

    - *limits*: the limit of each step, by its name.
    - *reveal*: whether there is a countdown 3-2-1 before cards are turned over together.
    - *naming*: whether the table taps each card that was laid. Otherwise cards are laid without being named.
    - *penalty*: the table's own words for its penalty.
    - *bank*: each player's time for the whole game.
    """

    limits: Mapping[str, Limit] = field(default_factory=dict)
    reveal: bool = True
    naming: bool = False
    penalty: str = ""
    bank: TimeBank = field(default_factory=TimeBank)

    def limit(self, step: str) -> Limit:
        """Return the limit of a step. If it has no limit, its clock is off."""
        return self.limits.get(step, NO_LIMIT)

    def line(self) -> dict[str, Any]:
        """Return the time limits as JSON; `changed` of the same game's `TimeControl` reads them back."""
        limits = {name: {"mode": str(each.mode), "seconds": each.seconds} for name, each in self.limits.items()}
        bank = {"bank": self.bank.line()} if self.bank.steps else {}
        return {"limits": limits, "reveal": self.reveal, "naming": self.naming, "penalty": self.penalty, **bank}

    def changed(self, line: object) -> TimeControl:
        """Return the time limits with the changes in *line*, or raise `Malformed`. Missing fields stay the same."""
        fields = Fields(line, "pace").only("limits", "reveal", "naming", "penalty", "bank")
        limits = fields.inner("limits", {}).only(*self.limits)
        return replace(
            self,
            limits={name: _limit(limits, name) if limits.has(name) else limit for name, limit in self.limits.items()},
            reveal=fields.flag("reveal", self.reveal),
            naming=fields.flag("naming", self.naming),
            penalty=fields.wanted("penalty", _PENALTY, _is_penalty, self.penalty).strip(),
            bank=self.bank.changed(fields.inner("bank", {})),
        )


NO_LIMIT = Limit(Strictness.OFF, 0)


_PENALTY = said("one line of up to %(most)s characters", most=LONGEST_PENALTY)


def _limit(limits: Fields, name: str) -> Limit:
    fields = limits.inner(name).only("mode", "seconds")
    return Limit(Strictness(fields.word("mode", Strictness)), fields.whole("seconds", 1, LONGEST_S))


def _is_penalty(value: object) -> bool:
    return isinstance(value, str) and (not value or name_fault(value, LONGEST_PENALTY) is None)


@dataclass(frozen=True)
class Step:
    """A part of the game that a clock can measure. When the value changes, a new step begins.

    *name* is the game's word for it, *seats* are the seats that must act in it, and *mark* distinguishes steps of the
    same name, for example by the round.
    """

    name: str
    seats: tuple[str, ...]
    mark: tuple[int, ...] = ()


REVEAL_MS = 3_000
"""Length of the countdown before cards are turned over together, in milliseconds."""


@dataclass(frozen=True)
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
