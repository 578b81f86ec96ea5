"""The rulings that a table may choose, each with its default first."""

from __future__ import annotations

from dataclasses import dataclass, fields

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, shown
from companion.kernel.said import said
from companion.model.header import Ruling, yes_or_no

RULINGS = (
    Ruling(
        "trade_record",
        said("Do you type trades in?"),
        (("on", said("Yes, card by card; naming is optional")), ("off", said("No, trade off the screen"))),
    ),
    yes_or_no("show_odds", said("Show the chance of a centre during attempts?")),
    yes_or_no("virtual_ring", said("May the companion draw if there's no ring?")),
    Ruling(
        "show_bonus_credits",
        said("When are bonus credits shown?"),
        (("end", said("Only at the end")), ("always", said("Always"))),
    ),
    Ruling(
        "double_exit",
        said("Two stations come out at once: what counts?"),
        (("random_of_two", said("One at random; the other goes back")), ("redo", said("Neither; draw again"))),
    ),
    Ruling(
        "tech4_rounds_up",
        said("What does technology level 4 round up?"),
        (("draws", said("Draws with the ring")), ("draws_and_moves", said("Draws and moved stations"))),
    ),
    yes_or_no("may_stop_drawing", said("May players give up unused draws?")),
    yes_or_no("allow_overpay", said("May players overpay for ship and technology?")),
    yes_or_no("transport_as_action", said("May a transport card be played as an action?")),
)
"""All rulings, in the order of the new-game page."""
DISPLAY = frozenset({"virtual_ring", "show_bonus_credits", "show_odds"})
"""Options that change what is displayed, but not what is legal."""


@dataclass(frozen=True, slots=True)
class Options:
    """The chosen value of each ruling. The defaults are this program's reading of the rules."""

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
_BY_NAME = {ruling.name: ruling for ruling in RULINGS}
CHOICES = {name: _BY_NAME[name].words for name in _NAMES if not _BY_NAME[name].flag}
"""The options with words as values, and the possible words. All other options are true or false."""


def options_from(value: object) -> Options:
    """Parse *value* as the options of a header. Missing options have their defaults. Raises `Malformed`."""
    given = Fields(value, "options")
    chosen: dict[str, object] = {}
    for name in _NAMES:
        if given.has(name):
            chosen[name] = _option(name, given.take(name))
    given.nothing_else()
    return Options(**chosen)  # type: ignore[arg-type]  # _option has checked each against its type


def _option(name: str, value: object) -> object:
    if name not in CHOICES:
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
