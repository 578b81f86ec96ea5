"""Which page of Andromeda stands at which address, and what each phase shows by itself."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Viewer
from companion.games.andromeda.state import Phase, State
from companion.sight import Sight
from web.gamepages import Elsewhere, Scene
from web.games.andromeda.attempt_over import just_over, over_scene
from web.games.andromeda.dealing import deal_scene
from web.games.andromeda.exchanging import exchange_scene
from web.games.andromeda.left_over import left_scene
from web.games.andromeda.mending import mend_scene
from web.games.andromeda.now import now_scene
from web.games.andromeda.ring_attempt import attempt_scene
from web.games.andromeda.ring_questions import question_scene
from web.games.andromeda.set_picker import WITH_SETS, picker_scene
from web.games.andromeda.setting_out import set_up_scene
from web.games.andromeda.standing import final_scene
from web.games.andromeda.trading_table import trading_scene
from web.games.andromeda.transporting import transport_scene
from web.games.andromeda.turn import board_scene, turn_scene

Query = Mapping[str, str]


def scene_at(sight: Sight, viewer: Viewer, path: str, query: Query, may_act: bool) -> Scene | Elsewhere | None:
    """Return the page at *path* below /table, None when there is none."""
    if path == "":
        return _at_hand(sight, viewer, query, may_act)
    if path == "now":
        return now_scene(sight, viewer, query, may_act)
    if path == "board":
        return board_scene(sight, viewer, may_act)
    if path == "correct":
        return mend_scene(sight, viewer, query, may_act)
    if path == "left":
        return left_scene(sight, viewer, query, may_act)
    place, _, action = path.partition("/")
    return _action(sight, viewer, action, query, may_act) if place == "act" else None


def _at_hand(sight: Sight, viewer: Viewer, query: Query, may_act: bool) -> Scene | Elsewhere:
    """Return the page of the step that the table waits for."""
    state: State = sight.state
    if state.attempt:
        return attempt_scene(sight, viewer, query, may_act)
    if sight.questions:
        return question_scene(sight, viewer, query, may_act)
    match state.phase:
        case Phase.SETUP:
            return set_up_scene(sight, viewer, query, may_act)
        case Phase.CARDS:
            return deal_scene(sight, viewer, may_act)
        case Phase.TRANSPORT:
            return transport_scene(sight, viewer, may_act)
        case Phase.TRADING:
            return trading_scene(sight, viewer, query, may_act)
        case Phase.ACTIONS if just_over(sight, query):
            return over_scene(sight, viewer, may_act)
        case Phase.ACTIONS:
            return turn_scene(sight, viewer, may_act)
        case Phase.FINISHED:
            return final_scene(sight, viewer, may_act)


def _action(sight: Sight, viewer: Viewer, action: str, query: Query, may_act: bool) -> Scene | Elsewhere | None:
    if action in WITH_SETS:
        return picker_scene(sight, viewer, action, query, may_act)
    if action == "exchange":
        return exchange_scene(sight, viewer, may_act)
    if action == "transport":
        return transport_scene(sight, viewer, may_act) if sight.state.phase is Phase.ACTIONS else Elsewhere()
    return None
