"""The page on which cards are exchanged, with one button for each possible number of cards."""

from __future__ import annotations

from typing import Any

from companion.games.andromeda.state import State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import number, to
from web.components.legality import taken
from web.components.players import Face, faces
from web.games.andromeda.actions.deeds import NAMES, Number, exchange_lines, exchange_of, in_actions
from web.games.andromeda.components.layout import actions_left, bar
from web.games.andromeda.components.public_hand import judged
from web.request.game_pages import Elsewhere, Look, Scene


def exchange_scene(look: Look) -> Scene | Elsewhere:
    """Return the page on which cards are exchanged."""
    state: State = look.state
    if not in_actions(state):
        return Elsewhere()
    face: Face = faces(state.setting.seats)[state.turn]
    chosen = number(look.query, "cards", 1, 3)
    more = {
        "face": face,
        "exchanges": tuple(
            _exchange(look.snapshot, look.viewer, cards, line, cards == chosen)
            for cards, line in exchange_lines(state).items()
        ),
        "supply": state.supply,
        "discards": state.discards,
    }
    left = actions_left(face.name, state.actions_left)
    heading = bar(state, NAMES["exchange"], face=face, left_words=left, back=to())
    return Scene("andromeda/exchange.html", more, heading)


def _exchange(snapshot: Snapshot, viewer: Viewer, cards: int, line: dict[str, Any], chosen: bool) -> Number:
    """Return the button for a number of cards, with the reason against it, or with the URL where the rules check it."""
    known = judged(snapshot, viewer, line)
    if known.sure or chosen:
        return Number(cards, line, taken(snapshot, line) if chosen and not known.reason else known.reason)
    return Number(cards, line, "", exchange_of(cards))
