"""The page on which the players choose who moves first, and where both ships start."""

from __future__ import annotations

from companion.games.hanse.state import Phase, State, waited_for
from web.components.players import faces
from web.games.hanse.components.layout import bar, may_play
from web.games.hanse.components.space import space
from web.http.i18n import _
from web.request.game_pages import Look, Scene


def beginning_scene(look: Look) -> Scene:
    """Return the page for the younger player's choice, or for naming the planet."""
    state: State = look.state
    face = faces(state.setting.seats)[waited_for(state)[0]]
    choosing = state.phase is Phase.CHOICE
    asks = _("%(name)s, move first or name the planet?", name=face.name)
    asks = asks if choosing else _("%(name)s, where do both ships start?", name=face.name)
    ways = ("first", "planet") if choosing else ()
    lines = tuple((way, {"do": "choose", "player": face.colour, "take": way}) for way in ways)
    more = {"face": face, "asks": asks, "ways": lines, "space": space(look.snapshot, may_play(look))}
    return Scene("hanse/beginning.html", more, bar(state, face.name, face=face))
