"""Exchange cards: one button for each number."""

from __future__ import annotations

from companion.games.andromeda.state import State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.legality import why_not
from web.components.players import Face, faces
from web.games.andromeda.actions.turn import NAMES, in_actions
from web.games.andromeda.components.layout import actions_left, bar, surroundings
from web.games.andromeda.components.public_hand import with_public_hands
from web.request.game_pages import Elsewhere, Scene


def exchange_scene(snapshot: Snapshot, viewer: Viewer, may_act: bool) -> Scene | Elsewhere:
    """Return the page on which cards are exchanged: one button for each number."""
    state: State = snapshot.state
    if not in_actions(state):
        return Elsewhere()
    face: Face = faces(state.setting.seats)[state.turn]
    public = with_public_hands(state)
    lines = ({"do": "exchange", "player": state.turn, "cards": cards} for cards in (1, 2, 3))
    more = {
        "face": face,
        "exchanges": tuple((line["cards"], line, why_not(snapshot, line, public)) for line in lines),
        "supply": state.supply,
        "discards": state.discards,
    }
    left = actions_left(face.name, state.actions_left)
    heading = bar(state, NAMES["exchange"], face=face, left_words=left, back=to())
    return Scene("andromeda/exchange.html", surroundings(snapshot, viewer, heading, may_act) | more)
