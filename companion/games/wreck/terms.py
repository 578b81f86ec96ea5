"""Words of this box that stand in many sentences."""

from __future__ import annotations

from companion.games.wreck.cards import TELEPORTER, VACCINE
from companion.games.wreck.state import State
from companion.kernel.i18n import Said, said, said_n

SYMBOLS = {
    "training": said("Training"),
    "support": said("Support"),
    "improvise": said("Improvise"),
    "move": said("Movement"),
    "technology": said("Technology"),
    "contamination": said("Contamination"),
}
COLOURS = (said("red"), said("blue"), said("green"), said("yellow"))
"""Named here for the catalogues: `companion.kernel.i18n.word` finds them by their English names."""


def symbol(name: str) -> Said:
    """Return the table's word for a die's symbol."""
    return SYMBOLS[name]


def counted_dice(number: int) -> Said:
    """Return *number* with its word: one die, two dice."""
    return said_n("%(num)s die", "%(num)s dice", number)


def counted_researchers(number: int) -> Said:
    """Return *number* with its word: one researcher, two researchers."""
    return said_n("%(num)s researcher", "%(num)s researchers", number)


def technology_name(state: State, id: str) -> str:
    """Return what the table calls a technology; two are known by the rules, of others what was entered."""
    entered = next((each.name for each in state.setting.technologies if each.id == id), "")
    return entered or {TELEPORTER: said("Teleporter"), VACCINE: said("Vaccine")}.get(id) or said("A technology")
