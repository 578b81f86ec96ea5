"""Which page of Andromeda stands at which address, and what each phase shows by itself."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.state import Phase, State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.games.andromeda.actions.corrections import mend_scene
from web.games.andromeda.actions.exchange import exchange_scene
from web.games.andromeda.actions.possible_now import now_scene
from web.games.andromeda.actions.set_picker import WITH_SETS, picker_scene
from web.games.andromeda.actions.transport import transport_scene
from web.games.andromeda.actions.turn import board_scene, in_actions, reason_against, turn_scene
from web.games.andromeda.attempt.leftover import left_scene
from web.games.andromeda.attempt.page import attempt_scene
from web.games.andromeda.attempt.questions import question_scene
from web.games.andromeda.attempt.result import just_over, over_scene
from web.games.andromeda.history.final import final_scene
from web.games.andromeda.phone.page import seat_scene
from web.games.andromeda.setup.deal import deal_scene
from web.games.andromeda.setup.face_up_cards import set_up_scene
from web.games.andromeda.trading.page import trading_scene
from web.request.game_pages import Elsewhere, NotNow, Scene

Query = Mapping[str, str]


def scene_at(
    snapshot: Snapshot, viewer: Viewer, path: str, query: Query, may_act: bool
) -> Scene | Elsewhere | NotNow | None:
    """Return the page at *path* below /table, None when there is none."""
    if viewer.seat is not None:
        query = {**query, "seat": viewer.seat}  # nobody else's cards are counted or named from a phone
    if path == "":
        return (
            _at_hand(snapshot, viewer, query, may_act)
            if _whole(snapshot, viewer, query)
            else seat_scene(snapshot, viewer, query, may_act)
        )
    if path == "now":
        return now_scene(snapshot, viewer, query, may_act)
    if path == "board":
        return board_scene(snapshot, viewer, may_act)
    if path == "correct":
        return mend_scene(snapshot, viewer, query, may_act and viewer.seat is None)
    if path == "left":
        return left_scene(snapshot, viewer, query, may_act and viewer.seat is None)
    place, _, action = path.partition("/")
    return _action(snapshot, viewer, action, query, may_act) if place == "act" else None


def _whole(snapshot: Snapshot, viewer: Viewer, query: Query) -> bool:
    """Say whether the step at hand is shown whole: to the table, and to a phone whose own set-up or attempt it is."""
    state: State = snapshot.state
    own = viewer.seat
    if own is None or state.finished:
        return True
    if state.attempt:
        return state.attempt.player == own
    if state.phase is Phase.SETUP:
        return bool(state.players[own].unplaced)
    return just_over(snapshot, query) and state.tried[-1].player == own


def _at_hand(snapshot: Snapshot, viewer: Viewer, query: Query, may_act: bool) -> Scene | Elsewhere:
    """Return the page of the step that the table waits for."""
    state: State = snapshot.state
    if state.attempt:
        return attempt_scene(snapshot, viewer, query, may_act)
    if snapshot.questions:
        return question_scene(snapshot, viewer, query, may_act)
    match state.phase:
        case Phase.SETUP:
            return set_up_scene(snapshot, viewer, query, may_act)
        case Phase.CARDS:
            return deal_scene(snapshot, viewer, may_act)
        case Phase.TRANSPORT:
            return transport_scene(snapshot, viewer, may_act)
        case Phase.TRADING:
            return trading_scene(snapshot, viewer, query, may_act)
        case Phase.ACTIONS if just_over(snapshot, query):
            return over_scene(snapshot, viewer, may_act)
        case Phase.ACTIONS:
            return turn_scene(snapshot, viewer, may_act)
        case Phase.FINISHED:
            return final_scene(snapshot, viewer, may_act)


def _action(
    snapshot: Snapshot, viewer: Viewer, action: str, query: Query, may_act: bool
) -> Scene | Elsewhere | NotNow | None:
    if viewer.seat not in (None, snapshot.state.turn):
        return Elsewhere()
    begins = action in (*WITH_SETS, "exchange") and in_actions(snapshot.state)
    if begins and (reason := reason_against(snapshot, viewer, action)):
        return NotNow(reason)
    if action in WITH_SETS:
        return picker_scene(snapshot, viewer, action, query, may_act)
    if action == "exchange":
        return exchange_scene(snapshot, viewer, query, may_act)
    if action == "transport":
        own_page = snapshot.state.phase is Phase.ACTIONS or (viewer.seat and snapshot.state.phase is Phase.TRANSPORT)
        return transport_scene(snapshot, viewer, may_act) if own_page else Elsewhere()
    return None
