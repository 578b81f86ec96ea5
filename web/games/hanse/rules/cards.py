"""The rules cards as pages, and which card helps on which page."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hanse.state import Phase, State
from companion.model.snapshot import Snapshot
from web.games.hanse.rules.text import BY_NAME, CARDS
from web.request.game_pages import Scene

PHASES: Mapping[Phase, str] = {
    Phase.GOODS: "setup",
    Phase.CHOICE: "setup",
    Phase.PLANET: "setup",
    Phase.FLIP: "load",
    Phase.ANSWER: "interventions",
    Phase.FINISHED: "end",
}
PAGES = {"/table/act/discard": "turn"}


def rules_scene(name: str, snapshot: Snapshot) -> Scene | None:
    """Return the card called *name*, all of them for an empty one, None when there is none."""
    if not name:
        return Scene("hanse/rules.html", {"cards": CARDS, "at_hand": card_now(snapshot)})
    card = BY_NAME.get(name)
    if card is None:
        return None
    at = CARDS.index(card)
    neighbours = {"earlier": CARDS[at - 1] if at else None, "later": CARDS[at + 1] if at + 1 < len(CARDS) else None}
    state = snapshot.state if isinstance(snapshot.state, State) else None
    stays = state is not None and not state.setting.reshuffle and name == "turn"
    return Scene("hanse/rule.html", {"card": card, "stays_empty": stays, **neighbours})


def card_now(snapshot: Snapshot) -> str:
    """Return the card that explains the step at hand, empty without a game."""
    state = snapshot.state
    if not isinstance(state, State):
        return ""
    if state.phase is Phase.TURN and state.turn is not None and state.turn.energy is not None:
        return "flight"
    return PHASES.get(state.phase, "turn")


def card_at(snapshot: Snapshot, path: str) -> str:
    """Return the card that helps on the page at *path*, empty where none does."""
    if path.startswith("/table/card/"):
        return "interventions"
    return PAGES.get(path, "") or (card_now(snapshot) if path == "/table" else "")
