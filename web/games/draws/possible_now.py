"""What can we do now? Everything that a table can do, and the reason wherever it cannot be done yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.draws.state import State, outside, stuck
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.games.draws.layout import bar, surroundings
from web.http.i18n import _
from web.request.game_pages import Scene


@dataclass(frozen=True)
class Possible:
    """One thing to do: its picture, where it is done, or the reason why it cannot be done now."""

    icon: str
    words: str
    small: str
    address: str
    reason: str = ""


def now_scene(snapshot: Snapshot, viewer: Viewer, query: Mapping[str, str], may_act: bool) -> Scene:
    """Return the page of all that can be done."""
    heading = bar(snapshot, _("What can we do now?"), back=to())
    facts = {"things": things(snapshot.state)}
    return Scene("draws/now.html", surroundings(snapshot, viewer, heading, may_act) | facts)


def things(state: State) -> tuple[Possible, ...]:
    """Return every deed of the table in the order in which one comes to them."""
    closed = _("The table is closed.") if state.finished else ""
    empty = "" if any(state.inside.values()) else _("Nothing is inside.")
    nothing_out = "" if any(outside(state).values()) else _("Everything is back inside.")
    bare = "" if any(stuck(state).values()) else _("Nothing is in the tower.")
    return (
        Possible("bag", _("Draw"), _("tap a cube, or use the ring"), to(), closed or empty),
        Possible("several", _("Several at once"), _("they count as one draw"), to("several"), closed or empty),
        Possible("back-in", _("Put cubes back"), _("all of them, or some"), to("back"), closed or nothing_out),
        Possible("put-in", _("Put cubes in"), _("new ones, new colours too"), to("put"), closed),
        Possible("tower", _("Into the tower"), _("what is thrown"), to("throw"), closed),
        Possible("tower", _("Out of the tower"), _("what comes out"), to("out"), closed or bare),
        Possible("chance", _("Odds"), _("of the next draw, and of one of mine"), to("odds"), empty),
        Possible("tally", _("Who drew what"), _("by player and colour"), to("tally")),
        Possible("mend", _("Count again"), _("bring the numbers to the cubes"), to("count")),
    )
