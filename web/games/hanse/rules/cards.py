"""The rules cards as pages, and which card helps on which page."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hanse.state import Phase, State
from companion.model.snapshot import Snapshot
from web.components.rules_cards import rules_scene as cards_scene
from web.games.hanse.rules.text import CARDS
from web.request.game_pages import Scene

PHASES: Mapping[Phase, str] = {
    Phase.GOODS: "setup",
    Phase.CHOICE: "setup",
    Phase.PLANET: "setup",
    Phase.TURN: "turn",
    Phase.FLIP: "load",
    Phase.ANSWER: "interventions",
    Phase.FINISHED: "end",
}
PAGES = {"/table/act/discard": "turn"}


def rules_scene(name: str, snapshot: Snapshot) -> Scene | None:
    """Return the card called *name*, all of them for an empty one, None when there is none."""
    state = snapshot.state if isinstance(snapshot.state, State) else None
    stays = state is not None and not state.setting.reshuffle and name == "turn"
    return cards_scene("hanse", CARDS, name, card_now(snapshot), stays_empty=stays)


def card_now(snapshot: Snapshot) -> str:
    """Return the card that explains the step at hand, empty without a game."""
    state = snapshot.state
    if not isinstance(state, State):
        return ""
    if state.phase is Phase.TURN and state.turn is not None and state.turn.energy is not None:
        return "flight"
    return PHASES[state.phase]


def card_at(snapshot: Snapshot, path: str) -> str:
    """Return the card that helps on the page at *path*, empty where none does."""
    if path.startswith("/table/card/"):
        return "interventions"
    return PAGES.get(path, "") or (card_now(snapshot) if path == "/table" else "")
