"""What can we do now? Everything that a table can do, and the reason wherever it cannot be done yet."""

from __future__ import annotations

from companion.games.draws.state import State, outside, stuck
from web.components.addresses import to
from web.components.possible_now import Possible
from web.games.draws.layout import bar
from web.http.i18n import _
from web.request.game_pages import Look, Scene


def now_scene(look: Look) -> Scene:
    """Return the page of all that can be done."""
    heading = bar(look.snapshot, _("What can we do now?"), back=to())
    facts = {"things": things(look.state)}
    return Scene("draws/now.html", facts, heading)


def things(state: State) -> tuple[Possible, ...]:
    """Return every deed of the table in the order in which one comes to them."""
    closed = _("The table is closed.") if state.finished else ""
    empty = "" if any(state.inside.values()) else _("Nothing is inside.")
    nothing_out = "" if any(outside(state).values()) else _("Everything is back inside.")
    bare = "" if any(stuck(state).values()) else _("Nothing is in the tower.")
    return (
        Possible(_("Draw"), _("tap a cube, or use the ring"), to(), closed or empty, icon="bag"),
        Possible(_("Several at once"), _("they count as one draw"), to("several"), closed or empty, icon="several"),
        Possible(_("Put cubes back"), _("all of them, or some"), to("back"), closed or nothing_out, icon="back-in"),
        Possible(_("Put cubes in"), _("new ones, new colours too"), to("put"), closed, icon="put-in"),
        Possible(_("Into the tower"), _("what is thrown"), to("throw"), closed, icon="tower-in"),
        Possible(_("Out of the tower"), _("what comes out"), to("out"), closed or bare, icon="tower-out"),
        Possible(_("Odds"), _("of the next draw, and of one of mine"), to("odds"), empty, icon="chance"),
        Possible(_("Who drew what"), _("by player and colour"), to("tally"), icon="tally"),
        Possible(_("Count again"), _("bring the numbers to the cubes"), to("count"), icon="mend"),
    )
