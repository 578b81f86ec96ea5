"""The table of tellings as the help sheet shows it: what a line means, and what can be done now."""

from __future__ import annotations

from companion.games.draws.rules import TELLINGS
from web.components.addresses import to
from web.components.possible_now import Possible
from web.http.i18n import translated


def means(do: str) -> str:
    """Return the explanation of lines with this *do*."""
    return TELLINGS.explained({"do": do}, {}, None, None)[0]


def deed(do: str, reason: str, path: str, icon: str) -> Possible:
    """Return what lines with this *do* would do, with the *reason* against it and the *path* of its page."""
    row = TELLINGS.lines[do]
    return Possible(translated(row.possible), translated(row.how), to(path), reason, icon)
