"""The rulings a table may switch, with the default first."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import get_type_hints

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, Line, shown

CHOICES: dict[str, tuple[str, ...]] = {
    "tech4_rounds_up": ("draws", "draws_and_moves"),
    "double_exit": ("random_of_two", "redo"),
    "trade_record": ("on", "off"),
    "show_bonus_credits": ("end", "always"),
}
"""The options that are a word, with their words; all others are true or false."""

DISPLAY = frozenset({"virtual_ring", "show_bonus_credits", "show_odds"})
"""Options that change what is shown, never what is legal."""


@dataclass(frozen=True, slots=True)
class Options:
    """One value per ruling; the defaults are the rules as this program reads them."""

    tech4_rounds_up: str = "draws"
    transport_as_action: bool = False
    allow_overpay: bool = False
    may_stop_drawing: bool = False
    double_exit: str = "random_of_two"
    trade_record: str = "on"
    virtual_ring: bool = False
    show_bonus_credits: str = "end"
    show_odds: bool = False


_NAMES = tuple(field.name for field in fields(Options))
_TYPES = get_type_hints(Options)


def options_from(value: object) -> Options:
    """Return the options a header names, the rest by default, or raise `Malformed`."""
    given = Fields(value, "options")
    chosen: dict[str, object] = {}
    for name in _NAMES:
        if given.has(name):
            chosen[name] = _option(name, given.take(name))
    given.nothing_else()
    return Options(**chosen)  # type: ignore[arg-type]  # _option has checked each against its type


def options_json(options: Options) -> Line:
    """Return what differs from the defaults, as a header writes it."""
    return {name: getattr(options, name) for name in _NAMES if getattr(options, name) != getattr(Options(), name)}


def _option(name: str, value: object) -> object:
    if _TYPES[name] is bool:
        if not isinstance(value, bool):
            raise Malformed(
                said("options.%(name)s must be true or false, not %(given)s", name=name, given=shown(value))
            )
    elif value not in CHOICES[name] or not isinstance(value, str):
        known = " or ".join(CHOICES[name])
        raise Malformed(
            said("options.%(name)s must be %(words)s, not %(given)s", name=name, words=known, given=shown(value))
        )
    return value
