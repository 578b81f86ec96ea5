"""What can be done now: all actions at the table, with the reason if one isn't possible yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.draws.state import State, outside, stuck
from companion.games.draws.tellings import TELLINGS
from web.components.addresses import to
from web.components.possible_now import Possible, SeatActions
from web.http.i18n import _, translated
from web.request.game_pages import Look


def possible(look: Look) -> Mapping[str, Any]:
    """Return all actions of the table."""
    return {"whose": [SeatActions(None, "", things(look.state))]}


def things(state: State) -> tuple[Possible, ...]:
    """Return all actions, in the order in which players usually need them."""
    closed = _("The table is closed.") if state.finished else ""
    empty = "" if any(state.inside.values()) else _("Nothing is inside.")
    nothing_out = "" if any(outside(state).values()) else _("Everything is back inside.")
    bare = "" if any(stuck(state).values()) else _("Nothing is in the tower.")
    return (
        _thing("draw", closed or empty, "", "bag"),
        Possible(_("Several at once"), _("they count as one draw"), to("several"), closed or empty, icon="several"),
        _thing("return", closed or nothing_out, "back", "back-in"),
        _thing("put", closed, "put", "put-in"),
        _thing("throw", closed, "throw", "tower-in"),
        _thing("out", closed or bare, "out", "tower-out"),
        Possible(_("Odds"), _("of the next draw, and of one of mine"), to("odds"), empty, icon="chance"),
        Possible(_("Who drew what"), _("by player and colour"), to("tally"), icon="tally"),
        _thing("correct", "", "count", "mend"),
    )


def _thing(do: str, reason: str, path: str, icon: str) -> Possible:
    row = TELLINGS.lines[do]
    return Possible(translated(row.possible), translated(row.how), to(path), reason, icon)
