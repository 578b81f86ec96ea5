"""An attempt that is over stays in sight with what it came to, beside what can be done next."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.state import Phase, State, stations_on
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.games.andromeda.actions.turn import turn_scene
from web.games.andromeda.attempt.ring_view import ring_view
from web.games.andromeda.components.outcome import outcome
from web.request.game_pages import Scene


def just_over(snapshot: Snapshot, query: Mapping[str, str]) -> bool:
    """Say whether an attempt is the newest thing that happened, and nobody has asked for the board since."""
    state: State = snapshot.state
    return state.phase is Phase.ACTIONS and "board" not in query and outcome(snapshot) is not None


def over_scene(snapshot: Snapshot, viewer: Viewer, may_act: bool) -> Scene:
    """Return the ring as the attempt has left it, with the actions of whoever is on the move now."""
    state: State = snapshot.state
    attempt = state.tried[-1]
    ring = ring_view(snapshot, attempt, stations_on(state, attempt.planet))
    return Scene("andromeda/result.html", {**turn_scene(snapshot, viewer, may_act).context, **ring, "over": True})
