"""Who moves first, and on which planet both ships stand."""

from __future__ import annotations

from companion.games.hanse.state import Phase, State, waited_for
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.players import faces
from web.games.hanse.components.layout import bar, surroundings
from web.games.hanse.components.space import space
from web.http.i18n import _
from web.request.game_pages import Scene


def beginning_scene(snapshot: Snapshot, viewer: Viewer, may_act: bool) -> Scene:
    """Return the page of the choice, or of the planet that is named."""
    state: State = snapshot.state
    face = faces(state.setting.seats)[waited_for(state)[0]]
    choosing = state.phase is Phase.CHOICE
    asks = _("%(name)s, move first or name the planet?", name=face.name)
    asks = asks if choosing else _("%(name)s, where do both ships start?", name=face.name)
    around = surroundings(snapshot, viewer, bar(state, face.name, face=face), may_act)
    ways = ("first", "planet") if choosing else ()
    lines = tuple((way, {"do": "choose", "player": face.colour, "take": way}) for way in ways)
    more = {"face": face, "asks": asks, "ways": lines, "space": space(snapshot, around["may_play"])}
    return Scene("hanse/beginning.html", around | more)
