"""How a table wants its clocks: for each step off, gentle or strict, and how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from companion.kernel.i18n import said

LONGEST_S = 3_600
LONGEST_PENALTY = 120


class BadTimeControl(ValueError):
    """A pace that cannot be kept: says which part, and why."""

    @property
    def reason(self) -> str:
        """The sentence, as it was said."""
        reason: str = self.args[0]
        return reason


class Strictness(StrEnum):
    """What a clock does when its time is over.

    `OFF` nothing, and it is not shown; `GENTLE` it shows and beeps; `STRICT`
    it suggests the table's own penalty too. No clock ever plays for anybody.
    """

    OFF = "off"
    GENTLE = "gentle"
    STRICT = "strict"


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a step may take, and what happens then."""

    mode: Strictness
    seconds: int

    @property
    def ms(self) -> int:
        """The limit in milliseconds, 0 for none."""
        return 0 if self.mode is Strictness.OFF else self.seconds * 1000


@dataclass(frozen=True)
class TimeControl:
    """The clocks of a table.

    *limits* by the name of a step; *reveal*: 3-2-1 before all turn over
    together; *naming*: the table taps each card that was laid, instead of
    laying cards without a name; *penalty*: the table's own words.
    """

    limits: Mapping[str, Limit] = field(default_factory=dict)
    reveal: bool = True
    naming: bool = False
    penalty: str = ""

    def limit(self, step: str) -> Limit:
        """Return the limit of a step; one without any is off."""
        return self.limits.get(step, NO_LIMIT)

    def line(self) -> dict[str, Any]:
        """Return it as JSON; `changed` of the same game's pace reads it back."""
        limits = {name: {"mode": str(each.mode), "seconds": each.seconds} for name, each in self.limits.items()}
        return {"limits": limits, "reveal": self.reveal, "naming": self.naming, "penalty": self.penalty}

    def changed(self, line: object) -> TimeControl:
        """Return the pace with what *line* says instead, or raise `BadTimeControl`; what it leaves out stays."""
        if not isinstance(line, Mapping):
            raise BadTimeControl(said("pace: an object is wanted"))
        if unknown := sorted(set(line) - {"limits", "reveal", "naming", "penalty"}):
            raise BadTimeControl(said("pace: %(name)s is none of its fields", name=repr(unknown[0])))
        return replace(
            self,
            limits={**self.limits, **self._limits(line.get("limits", {}))},
            reveal=_flag(line, "reveal", self.reveal),
            naming=_flag(line, "naming", self.naming),
            penalty=_words(line.get("penalty", self.penalty)),
        )

    def _limits(self, value: object) -> dict[str, Limit]:
        if not isinstance(value, Mapping):
            raise BadTimeControl(said("pace: limits: an object is wanted"))
        for name in value:
            if name not in self.limits:
                known = ", ".join(self.limits)
                raise BadTimeControl(
                    said("pace: limits: %(name)s is no step, but %(known)s are", name=repr(name), known=known)
                )
        return {name: _limit(name, each) for name, each in value.items()}


NO_LIMIT = Limit(Strictness.OFF, 0)


def _limit(name: str, value: object) -> Limit:
    if not isinstance(value, Mapping) or set(value) != {"mode", "seconds"}:
        raise BadTimeControl(said("pace: %(name)s: mode and seconds are wanted", name=name))
    mode, seconds = value["mode"], value["seconds"]
    if mode not in list(Strictness):
        raise BadTimeControl(said("pace: %(name)s: mode is one of %(words)s", name=name, words=", ".join(Strictness)))
    if not isinstance(seconds, int) or isinstance(seconds, bool) or not 1 <= seconds <= LONGEST_S:
        raise BadTimeControl(
            said("pace: %(name)s: a whole number of seconds from 1 to %(most)s is wanted", name=name, most=LONGEST_S)
        )
    return Limit(Strictness(mode), seconds)


def _flag(line: Mapping[str, Any], name: str, kept: bool) -> bool:
    value = line.get(name, kept)
    if not isinstance(value, bool):
        raise BadTimeControl(said("pace: %(name)s: true or false is wanted", name=name))
    return value


def _words(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_PENALTY or not value.isprintable():
        raise BadTimeControl(
            said("pace: penalty: up to %(most)s characters on one line are wanted", most=LONGEST_PENALTY)
        )
    return value.strip()
