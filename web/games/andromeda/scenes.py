"""Which page of Andromeda stands at which address, and what each phase shows by itself."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.state import Phase, State
from companion.kernel.frozen import replace
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
from web.request.game_pages import Elsewhere, Look, NotNow, Scene

Query = Mapping[str, str]


def scene_at(look: Look, path: str) -> Scene | Elsewhere | NotNow | None:
    """Return the page at *path* below /table, None when there is none."""
    if look.viewer.seat is not None:
        # Nobody else's cards are counted or named from a phone
        look = replace(look, query={**look.query, "seat": look.viewer.seat})
    if path == "":
        return _at_hand(look) if _whole(look.snapshot, look.viewer, look.query) else seat_scene(look)
    if path == "now":
        return now_scene(look)
    if path == "board":
        return board_scene(look)
    if path == "correct":
        return mend_scene(look.of_the_table)
    if path == "left":
        return left_scene(look.of_the_table)
    place, _, action = path.partition("/")
    return _action(look, action) if place == "act" else None


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


def _at_hand(look: Look) -> Scene | Elsewhere:
    """Return the page of the step that the table waits for."""
    state: State = look.state
    if state.attempt:
        return attempt_scene(look)
    if look.snapshot.questions:
        return question_scene(look)
    match state.phase:
        case Phase.SETUP:
            return set_up_scene(look)
        case Phase.CARDS:
            return deal_scene(look)
        case Phase.TRANSPORT:
            return transport_scene(look)
        case Phase.TRADING:
            return trading_scene(look)
        case Phase.ACTIONS if just_over(look.snapshot, look.query):
            return over_scene(look)
        case Phase.ACTIONS:
            return turn_scene(look)
        case Phase.FINISHED:
            return final_scene(look)


def _action(look: Look, action: str) -> Scene | Elsewhere | NotNow | None:
    if look.viewer.seat not in (None, look.state.turn):
        return Elsewhere()
    begins = action in (*WITH_SETS, "exchange") and in_actions(look.state)
    if begins and (reason := reason_against(look.snapshot, look.viewer, action)):
        return NotNow(reason)
    if action in WITH_SETS:
        return picker_scene(look, action)
    if action == "exchange":
        return exchange_scene(look)
    if action == "transport":
        own_page = look.state.phase is Phase.ACTIONS or (look.viewer.seat and look.state.phase is Phase.TRANSPORT)
        return transport_scene(look) if own_page else Elsewhere()
    return None
