"""Exchange cards: one button for each number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.andromeda.state import State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import number, to
from web.components.legality import taken
from web.components.players import Face, faces
from web.games.andromeda.actions.turn import NAMES, Number, exchange_lines, exchange_of, in_actions
from web.games.andromeda.components.layout import actions_left, bar, surroundings
from web.games.andromeda.components.public_hand import judged
from web.request.game_pages import Elsewhere, Scene


def exchange_scene(snapshot: Snapshot, viewer: Viewer, query: Mapping[str, str], may_act: bool) -> Scene | Elsewhere:
    """Return the page on which cards are exchanged: one button for each number."""
    state: State = snapshot.state
    if not in_actions(state):
        return Elsewhere()
    face: Face = faces(state.setting.seats)[state.turn]
    chosen = number(query, "cards", 1, 3)
    more = {
        "face": face,
        "exchanges": tuple(
            _exchange(snapshot, viewer, cards, line, cards == chosen) for cards, line in exchange_lines(state).items()
        ),
        "supply": state.supply,
        "discards": state.discards,
    }
    left = actions_left(face.name, state.actions_left)
    heading = bar(state, NAMES["exchange"], face=face, left_words=left, back=to())
    return Scene("andromeda/exchange.html", surroundings(snapshot, viewer, heading, may_act) | more)


def _exchange(snapshot: Snapshot, viewer: Viewer, cards: int, line: dict[str, Any], chosen: bool) -> Number:
    """Return one number of cards: a button, the reason against it, or the way to ask the rules about it."""
    known = judged(snapshot, viewer, line)
    if known.sure or chosen:
        return Number(cards, line, taken(snapshot, line) if chosen and not known.reason else known.reason)
    return Number(cards, line, "", exchange_of(cards))
