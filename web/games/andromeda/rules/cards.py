"""The rules cards as pages, with what this table has ruled; and which card helps on which page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.andromeda.options import RULINGS
from companion.games.andromeda.state import Phase, State
from companion.games.andromeda.trading import laying
from companion.model.header import Ruling, word_of
from companion.model.snapshot import Snapshot
from web.components.rules_cards import rules_scene as cards_scene
from web.games.andromeda.rules.text import BY_NAME, CARDS
from web.request.game_pages import Scene

PHASES: Mapping[Phase, str] = {
    Phase.SETUP: "setup",
    Phase.CARDS: "cards",
    Phase.TRANSPORT: "transport",
    Phase.ACTIONS: "round",
    Phase.FINISHED: "score",
}
ACTS = "/table/act/"


@dataclass(frozen=True)
class Ruled:
    """One ruling as this table plays it."""

    asks: str
    way: str
    usual: bool


def rules_scene(name: str, snapshot: Snapshot) -> Scene | None:
    """Return the card called *name*, all of them for an empty one, None when there is none."""
    return cards_scene("andromeda", CARDS, name, card_now(snapshot), ruled=_ruled(name, snapshot.state))


def card_now(snapshot: Snapshot) -> str:
    """Return the card that explains the step at hand, empty without a game."""
    state = snapshot.state
    if not isinstance(state, State):
        return ""
    if state.attempt:
        return "establish"
    if state.phase is Phase.TRADING:
        on_record = state.options.trade_record == "on"
        return "lay" if on_record and laying(state) else "swap"
    return PHASES[state.phase]


def card_at(snapshot: Snapshot, path: str) -> str:
    """Return the card that helps on the page at *path*, empty where none does."""
    if path.startswith(ACTS):
        name = path.removeprefix(ACTS)
        return name if name in BY_NAME else ""
    return card_now(snapshot) if path == "/table" else ""


def _ruled(name: str, state: object) -> tuple[Ruled, ...]:
    """Return what this table has ruled of the card's part of the game."""
    bearing = BY_NAME[name].rulings if name in BY_NAME else ()
    return tuple(_as_ruled(state, each) for each in RULINGS if each.name in bearing) if isinstance(state, State) else ()


def _as_ruled(state: State, ruling: Ruling) -> Ruled:
    word = word_of(getattr(state.options, ruling.name))
    return Ruled(ruling.asks, dict(ruling.ways)[word], word == ruling.usual)
