"""Terms of this game that many sentences share: symbols of dice, colours, counts, names of technologies."""

from __future__ import annotations

from companion.games.wreck.cards import TELEPORTER, VACCINE
from companion.games.wreck.state import State
from companion.kernel.said import Said, said, said_n

SYMBOLS = {
    "training": said("Training"),
    "support": said("Support"),
    "improvise": said("Improvise"),
    "move": said("Movement"),
    "technology": said("Technology"),
    "contamination": said("Contamination"),
}
COLOURS = (said("red"), said("blue"), said("green"), said("yellow"))
"""The colours, listed here so that the translation catalogues contain them.

`companion.kernel.said.word` finds their translations by the English words.
"""


def symbol(name: str) -> Said:
    """Return the name of a die's symbol."""
    return SYMBOLS[name]


def counted_dice(number: int) -> Said:
    """Return *number* with "die" in the singular or plural: "1 die", "2 dice"."""
    return said_n("%(num)s die", "%(num)s dice", number)


def counted_researchers(number: int) -> Said:
    """Return *number* with "researcher" in the singular or plural: "1 researcher", "2 researchers"."""
    return said_n("%(num)s researcher", "%(num)s researchers", number)


def technology_name(state: State, id: str) -> str:
    """Return the name of a technology: the entered name, or its name in the rules, or a general word."""
    entered = next((each.name for each in state.setting.technologies if each.id == id), "")
    return entered or {TELEPORTER: said("Teleporter"), VACCINE: said("Vaccine")}.get(id) or said("A technology")
