"""Which page of Die Kosmische Hanse stands at which address, and what each phase shows by itself."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hanse.state import Phase, State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.games.hanse.history.final import final_scene
from web.games.hanse.setup.beginning import beginning_scene
from web.games.hanse.setup.goods import goods_scene
from web.games.hanse.turn.answer import answer_scene
from web.games.hanse.turn.cards import card_scene, cards_scene
from web.games.hanse.turn.corrections import mend_scene
from web.games.hanse.turn.discard import discard_scene
from web.games.hanse.turn.flip import flip_scene
from web.games.hanse.turn.page import board_scene, turn_scene
from web.games.hanse.turn.possible_now import now_scene
from web.request.game_pages import Elsewhere, NotNow, Scene

Query = Mapping[str, str]


def scene_at(
    snapshot: Snapshot, viewer: Viewer, path: str, query: Query, may_act: bool
) -> Scene | Elsewhere | NotNow | None:
    """Return the page at *path* below /table, None when there is none."""
    match path:
        case "":
            return _at_hand(snapshot, viewer, query, may_act)
        case "now":
            return now_scene(snapshot, viewer, query, may_act)
        case "board":
            return board_scene(snapshot, viewer, may_act)
        case "correct":
            return mend_scene(snapshot, viewer, query, may_act and viewer.seat is None)
        case "card":
            return cards_scene(snapshot, viewer, may_act)
        case "act/discard":
            return discard_scene(snapshot, viewer, query, may_act)
    place, _, card = path.partition("/")
    return card_scene(snapshot, viewer, card, query, may_act) if place == "card" else None


def _at_hand(snapshot: Snapshot, viewer: Viewer, query: Query, may_act: bool) -> Scene:
    """Return the page of the step that the table waits for."""
    state: State = snapshot.state
    match state.phase:
        case Phase.GOODS:
            return goods_scene(snapshot, viewer, query, may_act)
        case Phase.CHOICE | Phase.PLANET:
            return beginning_scene(snapshot, viewer, may_act)
        case Phase.TURN:
            return turn_scene(snapshot, viewer, query, may_act)
        case Phase.FLIP:
            return flip_scene(snapshot, viewer, query, may_act)
        case Phase.ANSWER:
            return answer_scene(snapshot, viewer, may_act)
        case Phase.FINISHED:
            return final_scene(snapshot, viewer, may_act)
