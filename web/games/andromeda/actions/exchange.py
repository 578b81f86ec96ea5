"""Exchanging cards, next to the board: a row for each number of cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.games.andromeda.state import State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import number
from web.components.legality import taken
from web.games.andromeda.actions.deeds import Number, exchange_lines, exchange_of, in_actions
from web.games.andromeda.actions.turn import turn_scene
from web.games.andromeda.components.public_hand import judged
from web.request.game_pages import Elsewhere, Look, Scene


def exchange_scene(look: Look) -> Scene | Elsewhere:
    """Return the board with the numbers of cards that can be exchanged."""
    state: State = look.state
    if not in_actions(state):
        return Elsewhere()
    chosen = number(look.query, "cards", 1, 3)
    exchanges = tuple(
        _exchange(look.snapshot, look.viewer, cards, line, cards == chosen)
        for cards, line in exchange_lines(state).items()
    )
    scene = turn_scene(look)
    more = {"exchanges": exchanges, "supply": state.supply, "discards": state.discards, "moved": ""}
    return replace(scene, context={**scene.context, **more})


def _exchange(snapshot: Snapshot, viewer: Viewer, cards: int, line: dict[str, Any], chosen: bool) -> Number:
    """Return the button for a number of cards, with the reason against it, or with the URL where the rules check it."""
    known = judged(snapshot, viewer, line)
    if known.sure or chosen:
        return Number(cards, line, taken(snapshot, line) if chosen and not known.reason else known.reason)
    return Number(cards, line, "", exchange_of(cards))
