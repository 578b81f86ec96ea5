"""The parts of the panel next to the map: buttons, with the reason if one is disabled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.wreck.cards import TELEPORTER
from companion.games.wreck.state import State
from companion.games.wreck.tellings import TELLINGS
from companion.kernel.fields import Line
from web.components.addresses import to
from web.components.possible_now import Possible
from web.http.i18n import _, translated


@dataclass(frozen=True)
class Choice:
    """One button. It opens *address* or sends *line*. It is disabled if it has a *reason*."""

    words: str
    address: str = ""
    line: Line | None = None
    reason: str = ""
    picture: str = ""
    small: str = ""
    chosen: bool = False


@dataclass(frozen=True)
class ChoicePanel:
    """A question next to the map, with its answers. *back* is the URL that closes it.

    *main* is the filled button, and *foot* are the buttons next to it.
    """

    title: str
    choices: tuple[Choice, ...]
    back: str = ""
    note: str = ""
    main: Choice | None = None
    foot: tuple[Choice, ...] = ()


def thing(do: str, reason: str = "", how: str = "") -> Possible:
    """Return the action of lines with this *do*, worded as in the tellings, or with the *reason* against it."""
    row = TELLINGS.lines[do]
    return Possible(translated(row.possible), how or translated(row.how), to(), reason)


def led(title: str, choices: Sequence[Choice], back: str, note: str = "", equal: bool = False) -> ChoicePanel:
    """Return a panel of *choices*. The main button is the chosen one or, unless all are *equal*, the last possible.

    The other choices are next to it if they have no pictures.
    """
    possible = [one for one in choices if one.line and not one.reason]
    main = next((one for one in reversed(possible) if one.chosen or not equal), None)
    others = tuple(one for one in choices if one is not main)
    if any(one.picture for one in others):
        return ChoicePanel(title, others, back, note, main)
    reasons = (one.reason for one in others if one.reason)
    return ChoicePanel(title, (), back, next(reasons, note), main, others)


def technology_name(state: State, id: str) -> str:
    """Return the name of a technology: the entered name, or its name in the rules, or a name with a number."""
    found = next(each for each in state.setting.technologies if each.id == id)
    number = [each.id for each in state.setting.technologies].index(id) + 1
    if id == TELEPORTER:
        return found.name or _("Teleporter")
    return found.name or (_("Vaccine") if id == "vaccine" else _("Technology %(num)s", num=number))
