"""The rules cards as pages, and which card helps on which page."""

from __future__ import annotations

from companion.games.wreck.state import Phase, State
from companion.model.snapshot import Snapshot
from web.components.rules_cards import rules_scene as cards_scene
from web.games.wreck.rules.text import CARDS
from web.http.i18n import lazy
from web.request.game_pages import Scene

ENGINE = {
    "always": lazy("The engine room brings one more with every call."),
    "once": lazy("The engine room is a room action: once a round, with a call by a die."),
}


def rules_scene(name: str, snapshot: Snapshot) -> Scene | None:
    """Return the card called *name*, all of them for an empty one, None when there is none."""
    state = snapshot.state if isinstance(snapshot.state, State) else None
    ruled = ENGINE[state.setting.options.engine_room] if state is not None and name == "rooms" else ""
    return cards_scene("wreck", CARDS, name, card_now(snapshot), ruled=ruled)


def card_now(snapshot: Snapshot) -> str:
    """Return the card of the step at hand."""
    state = snapshot.state
    if not isinstance(state, State):
        return ""
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP:
            if state.open_due:
                return "cleanup" if state.phase is Phase.CLEANUP else "setup"
            return "roll"
        case Phase.OFFERS:
            return "offers"
        case Phase.TURNS:
            dirty = state.players[state.turn].contamination
            return "contamination" if dirty else "missions" if state.fulfilling else "actions"
        case Phase.FINISHED:
            return "score"


def card_at(snapshot: Snapshot, path: str) -> str:
    """Return the rules card that helps on the page at *path*."""
    if not isinstance(snapshot.state, State) or not path.startswith("/table"):
        return ""
    return {"/table/mission": "missions", "/table/board": "rooms"}.get(path, card_now(snapshot))
