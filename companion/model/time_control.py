"""The time limits of a table: for each step its length, and whether it is off, gentle or strict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.kernel.fields import Fields
from companion.kernel.i18n import said
from companion.kernel.names import name_fault
from companion.model.strictness import Strictness
from companion.model.time_bank import TimeBank

LONGEST_S = 3_600
LONGEST_PENALTY = 120


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a step may take, and how strict the clock is."""

    mode: Strictness
    seconds: int

    @property
    def ms(self) -> int:
        """The limit in milliseconds, 0 for none."""
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
