"""What a viewer may know of a line: whether it is legal, is not, or depends on credits that are hidden.

A page for one's own seat knows the own hand. A page that everybody sees judges by every hand that could be there: what
all of them allow is a button, what none allows rests with its reason, and what only some allow is a link to a page
where the rules are asked. So no page that opens by itself depends on a hidden credit, and no button is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.games.andromeda.state import CREDIT_SUPPLY, KINDS, Player, State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.legality import JudgedLine, taken, why_not


def judged(snapshot: Snapshot, viewer: Viewer, line: Mapping[str, Any]) -> JudgedLine:
    """Return what *viewer* may know of *line* now."""
    state: State = snapshot.state
    colour = line.get("player")
    if colour not in state.players or sees_hand(state, viewer, str(colour)):
        return JudgedLine(taken(snapshot, line))
    reasons = [why_not(snapshot, line, hands) for hands in _possible(state, str(colour), _named(line))]
    return JudgedLine("" if "" in reasons else reasons[0], sure="" not in reasons or not any(reasons))


def sees_hand(state: State, viewer: Viewer, colour: str) -> bool:
    """Say whether *viewer* knows which credits *colour* holds."""
    return viewer.seat == colour or state.finished or state.options.show_bonus_credits == "always"


def credits_seen(state: State, viewer: Viewer, colour: str, kind: str) -> int:
    """Return how many credits of *kind* a page for *viewer* may take *colour* to hold, at most."""
    if sees_hand(state, viewer, colour):
        return state.players[colour].credit(kind)
    return min(_out(state, kind), state.players[colour].hand)


def with_public_hands(state: State) -> State:
    """Return *state* with every hand as others see it: its size, and of its credits those alone that lie before it."""
    if state.options.show_bonus_credits == "always":
        return state
    players = {colour: _holding(state, colour, {}) for colour in state.colours}
    return replace(state, players=players)


def _out(state: State, kind: str) -> int:
    """Return how many credits of *kind* the hands hold together: the piles lie open."""
    return CREDIT_SUPPLY[kind] - state.credits[KINDS.index(kind)]


def _named(line: Mapping[str, Any]) -> Mapping[str, int]:
    """Return the credits that *line* itself says to be held."""
    named = [*line.get("jokers", ()), line.get("card")]
    return {kind: named.count(kind) for kind in KINDS if kind in named}


def _possible(state: State, colour: str, named: Mapping[str, int]) -> Iterator[State]:
    """Yield *state* with each hand of *colour* that could decide: without credits, with those *named*, with all."""
    known = with_public_hands(state)
    wanted: list[Mapping[str, int]] = [{}, *({kind: _out(state, kind)} for kind in KINDS)]
    wanted.append({kind: _out(state, kind) for kind in KINDS})
    if named and all(count <= _out(state, kind) for kind, count in named.items()):
        wanted.append(_before(state, colour, named))
    for credits in wanted:
        yield replace(known, players={**known.players, colour: _holding(state, colour, credits)})


def _before(state: State, colour: str, named: Mapping[str, int]) -> Mapping[str, int]:
    """Return the credits *named*, those that lie before *colour* added where the phase has some there."""
    return {kind: count + _laid(state, colour, kind) for kind, count in named.items()}


def _laid(state: State, colour: str, kind: str) -> int:
    return 0 if state.trading is None else state.trading.sets.get(colour, ()).count(kind)


def _holding(state: State, colour: str, credits: Mapping[str, int]) -> Player:
    """Return *colour* with so many *credits* besides those on the table, as far as the hand has room for them."""
    player = state.players[colour]
    held = {kind: _laid(state, colour, kind) for kind in KINDS}
    room = player.hand - (0 if state.trading is None else len(state.trading.sets.get(colour, ())))
    for kind, count in credits.items():
        more = max(0, min(count, _out(state, kind)) - held[kind])
        more = min(more, room)
        held[kind], room = held[kind] + more, room - more
    return replace(player, credits=tuple(held[kind] for kind in KINDS))
