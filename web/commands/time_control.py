"""The choices on the page of the clock. Each button sends a change of the time control ("pace")."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.kernel.values import dataclass, replace
from companion.model.clock import LONGEST_S, Limit, Strictness, TimeBank, TimeControl, TimeGain
from web.commands.declaration import object_or_text

BANK_MINUTES = (5, 10, 15, 20, 30, 45)
GAINS_S = (5, 10, 20)
STEP_S = 5
SHORTEST_S = 5
RELAXED = 2
MODES = {
    Strictness.OFF: said("off"),
    Strictness.GENTLE: said("gentle"),
    Strictness.STRICT: said("strict"),
}


@dataclass(frozen=True)
class LimitChoice:
    """One button: its text, whether it is the present choice, and the change it sends."""

    words: str
    chosen: bool
    change: str


@dataclass(frozen=True)
class LimitSetting:
    """The row of one step: its name, strictness, seconds, and buttons for less and more (empty at the limits)."""

    name: str
    words: str
    modes: tuple[LimitChoice, ...]
    seconds: int
    off: bool
    less: str
    more: str


@dataclass(frozen=True)
class Preset:
    """A button that sets all clocks: its strictness, the minutes for each player, and the change that it sends."""

    words: str
    mode: Strictness
    minutes: int
    chosen: bool
    change: str


@dataclass(frozen=True)
class BankSetting:
    """The rows of the time banks: strictness, minutes for each player, and the time that is added back in each step."""

    mode: Strictness
    modes: tuple[LimitChoice, ...]
    minutes: tuple[LimitChoice, ...]
    increments: tuple[LimitChoice, ...]
    delays: tuple[LimitChoice, ...]


def change_from(fields: Mapping[str, Any]) -> Line:
    """Return the change of pace in *fields* of a form or a program, or raise `Malformed`."""
    asked = object_or_text(fields.get("pace", {}))
    if not isinstance(asked, Mapping):
        raise Malformed(said("pace must be an object"))
    return {**asked, "penalty": fields["penalty"]} if "penalty" in fields else asked


def presets(pace: TimeControl, suggested: TimeControl) -> tuple[Preset, ...]:
    """Return the buttons that set all clocks: none, relaxed, usual (as *suggested*), strict."""
    return (
        _preset(said("No clocks"), pace, _all(pace, Strictness.OFF)),
        _preset(said("Relaxed"), pace, _all(suggested, Strictness.GENTLE, RELAXED)),
        _preset(said("Usual"), pace, _all(suggested, Strictness.GENTLE)),
        _preset(said("Strict"), pace, _all(suggested, Strictness.STRICT)),
    )


def _all(pace: TimeControl, mode: Strictness, times: int = 1) -> TimeControl:
    """Return *pace* with *mode* for all its clocks and their limits multiplied by *times*.

    Clocks that are off stay off.
    """

    def wanted(now: Strictness) -> Strictness:
        return now if now is Strictness.OFF else mode

    limits = {name: Limit(wanted(each.mode), each.seconds * times) for name, each in pace.limits.items()}
    bank = replace(pace.bank, mode=wanted(pace.bank.mode), seconds=pace.bank.seconds * times)
    return replace(pace, limits=limits, bank=bank)


def _preset(words: str, pace: TimeControl, wanted: TimeControl) -> Preset:
    now, line = pace.line(), wanted.line()
    change = {name: line[name] for name in ("limits", "bank") if name in line}
    chosen = all(now.get(name) == each for name, each in change.items())
    minutes = wanted.bank.seconds // 60 if wanted.bank.on else 0
    return Preset(words, wanted.bank.mode, minutes, chosen, json.dumps(change))


def settings(pace: TimeControl, words: Mapping[str, str]) -> tuple[LimitSetting, ...]:
    """Return a row for each step that can have a clock, with the game's *words*."""
    return tuple(_setting(name, words.get(name, name), limit) for name, limit in pace.limits.items())


def _setting(name: str, words: str, limit: Limit) -> LimitSetting:
    modes = tuple(
        LimitChoice(says, mode is limit.mode, _change(name, Limit(mode, limit.seconds))) for mode, says in MODES.items()
    )
    less, more = limit.seconds - STEP_S, limit.seconds + STEP_S
    return LimitSetting(
        name=name,
        words=words,
        modes=modes,
        seconds=limit.seconds,
        off=limit.mode is Strictness.OFF,
        less=_change(name, Limit(limit.mode, less)) if less >= SHORTEST_S else "",
        more=_change(name, Limit(limit.mode, more)) if more <= LONGEST_S else "",
    )


def _change(name: str, limit: Limit) -> str:
    return json.dumps({"limits": {name: {"mode": limit.mode, "seconds": limit.seconds}}})


def bank_setting(bank: TimeBank) -> BankSetting:
    """Return the rows of the time banks. If they are off, choosing a time switches them on."""
    minutes = sorted({*BANK_MINUTES, bank.seconds // 60})
    on = {"mode": Strictness.GENTLE} if bank.mode is Strictness.OFF else {}
    return BankSetting(
        bank.mode,
        tuple(_bank_choice(says, mode is bank.mode, mode=mode) for mode, says in MODES.items()),
        tuple(_bank_choice(str(each), each * 60 == bank.seconds, seconds=each * 60, **on) for each in minutes),
        _gains(bank, TimeGain.INCREMENT, on),
        _gains(bank, TimeGain.DELAY, on),
    )


def _gains(bank: TimeBank, gain: TimeGain, on: Mapping[str, Any]) -> tuple[LimitChoice, ...]:
    chosen = bank.gain_s if bank.gain is gain else 0
    nothing = _bank_choice(said("nothing"), not chosen, gain=TimeGain.NOTHING if chosen else bank.gain, **on)
    seconds = sorted({*GAINS_S, chosen} - {0})
    return nothing, *(_bank_choice(f"{each} s", each == chosen, gain=gain, gain_s=each, **on) for each in seconds)


def _bank_choice(words: str, chosen: bool, **change: Any) -> LimitChoice:
    return LimitChoice(words, chosen, json.dumps({"bank": change}))


def flags(pace: TimeControl) -> tuple[tuple[LimitChoice, LimitChoice], tuple[LimitChoice, LimitChoice]]:
    """Return the two choices for the countdown 3-2-1, and the two for naming cards."""
    reveal = (
        LimitChoice(said("3-2-1 first"), pace.reveal, '{"reveal": true}'),
        LimitChoice(said("at once"), not pace.reveal, '{"reveal": false}'),
    )
    naming = (
        LimitChoice(said("not typed in"), not pace.naming, '{"naming": false}'),
        LimitChoice(said("tapped one by one"), pace.naming, '{"naming": true}'),
    )
    return reveal, naming
