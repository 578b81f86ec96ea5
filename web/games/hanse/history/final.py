"""The end: who has won and why, what each had in the end, and how it came about."""

from __future__ import annotations

from urllib.parse import urlencode

from companion.games.hanse.goods import GOAL
from companion.games.hanse.state import State, turn_of
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.players import faces, listed
from web.games.hanse.components.layout import bar, surroundings
from web.games.hanse.components.space import space
from web.games.hanse.setup.new_game import filled_from
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Scene


def final_scene(snapshot: Snapshot, viewer: Viewer, may_act: bool) -> Scene:
    """Return the page of a finished game."""
    state: State = snapshot.state
    known = faces(state.setting.seats)
    assert snapshot.game is not None, "a result belongs to a game"
    result = snapshot.game.result(state)
    won = result.winners if result else ()
    names = listed(known[colour].name for colour in won)
    title = _("%(name)s wins", name=names) if len(won) == 1 else _("%(names)s share the win", names=names)
    heading = bar(state, title, face=known[won[0]] if len(won) == 1 else None)
    more = {
        "won": won,
        "why": str(translated(result.why)) if result else "",
        "how": _("The last two goods cards left the game.") if state.ended_by == "goods" else "",
        "goal": GOAL,
        "turns": ngettext("%(num)s turn", "%(num)s turns", turn_of(state).number),
        "played_ms": snapshot.game_ms,
        "space": space(snapshot, taps=False),
        "again": "/new?" + urlencode(filled_from(snapshot.header)) if snapshot.header else "/new?game=hanse",
    }
    return Scene("hanse/final.html", surroundings(snapshot, viewer, heading, may_act) | more)
