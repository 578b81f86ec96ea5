"""What a viewer may know about a line: that it is legal, that it isn't, or that this depends on hidden credits.

The page of a player's own seat uses the real hand. A public page checks a line with every possible hand. If none of
them allows the line, the page shows the reason, otherwise a button. So no page reveals a hidden credit by itself, and a
button is refused only if that depends on one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.games.andromeda.state import CREDIT_SUPPLY, KINDS, Player, State
from companion.games.andromeda.tellings import TELLINGS
from companion.kernel.fields import Line
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.legality import JudgedLine, taken, why_not
from web.components.possible_now import Possible
from web.http.i18n import translated
from web.request.game_pages import Look


def judged(snapshot: Snapshot, viewer: Viewer, line: Mapping[str, Any]) -> JudgedLine:
    """Return what *viewer* may know about *line* now."""
    state: State = snapshot.state
    colour = line.get("player")
    if colour not in state.players or sees_hand(state, viewer, str(colour)):
        return JudgedLine(taken(snapshot, line))
    reasons = [why_not(snapshot, line, hands) for hands in _possible(state, str(colour), _named(line))]
    return JudgedLine("" if "" in reasons else reasons[0], sure="" not in reasons or not any(reasons))


def sees_hand(state: State, viewer: Viewer, colour: str) -> bool:
    """Tell whether *viewer* knows which credits the player *colour* has."""
    return viewer.seat == colour or state.finished or state.options.show_bonus_credits == "always"


def credits_seen(state: State, viewer: Viewer, colour: str, kind: str) -> int:
    """Return the largest number of credits of *kind* that the player *colour* may have, as far as *viewer* knows."""
    if sees_hand(state, viewer, colour):
        return state.players[colour].credit(kind)
    return min(_out(state, kind), state.players[colour].hand)


def with_public_hands(state: State) -> State:
    """Return *state* with all hands as other players see them: their sizes, and only the credits on the table."""
    if state.options.show_bonus_credits == "always":
        return state
    players = {colour: _holding(state, colour, {}) for colour in state.colours}
    return replace(state, players=players)


def _out(state: State, kind: str) -> int:
    """Return how many credits of *kind* are in all hands together. Everybody can see this from the piles."""
    return CREDIT_SUPPLY[kind] - state.credits[KINDS.index(kind)]


def _named(line: Mapping[str, Any]) -> Mapping[str, int]:
    """Return the credits that *line* needs."""
    named = [*line.get("jokers", ()), line.get("card")]
    return {kind: named.count(kind) for kind in KINDS if kind in named}


def _possible(state: State, colour: str, named: Mapping[str, int]) -> Iterator[State]:
    """Yield *state* with each hand of *colour* that could matter: no credits, all of one kind, all, those *named*."""
    known = with_public_hands(state)
    wanted: list[Mapping[str, int]] = [{}, *({kind: _out(state, kind)} for kind in KINDS)]
    wanted.append({kind: _out(state, kind) for kind in KINDS})
    if named and all(count <= _out(state, kind) for kind, count in named.items()):
        wanted.append(_before(state, colour, named))
    for credits in wanted:
        yield replace(known, players={**known.players, colour: _holding(state, colour, credits)})


def _before(state: State, colour: str, named: Mapping[str, int]) -> Mapping[str, int]:
    """Return the credits in *named* plus those that the player *colour* has on the table."""
    return {kind: count + _laid(state, colour, kind) for kind, count in named.items()}


def _laid(state: State, colour: str, kind: str) -> int:
    return 0 if state.trading is None else state.trading.sets.get(colour, ()).count(kind)


def _holding(state: State, colour: str, credits: Mapping[str, int]) -> Player:
    """Return the player *colour* with *credits* added to those on the table, as far as the hand is large enough."""
    player = state.players[colour]
    held = {kind: _laid(state, colour, kind) for kind in KINDS}
    room = player.hand - (0 if state.trading is None else len(state.trading.sets.get(colour, ())))
    for kind, count in credits.items():
        more = max(0, min(count, _out(state, kind)) - held[kind])
        more = min(more, room)
        held[kind], room = held[kind] + more, room - more
    return replace(player, credits=tuple(held[kind] for kind in KINDS))


def possible_step(do: str, address: str = to(), icon: str = "") -> Possible:
    """Return the action that a line with *do* stands for, worded as in the tellings."""
    row = TELLINGS.lines[do]
    return Possible(translated(row.possible), translated(row.how), address, icon=icon)


def possible_line(look: Look, *lines: dict[str, Any], how: str = "") -> Possible:
    """Return the action that *lines* stand for, worded as in the tellings.

    If none is legal, it has the reason against the first line.
    """
    row = TELLINGS.lines[lines[0]["do"]]
    return possible_as(look, translated(row.possible), how or translated(row.how), *lines)


def possible_as(look: Look, words: str, small: str, *lines: Line | dict[str, Any]) -> Possible:
    """Return the action that *lines* stand for, with the text *words*.

    If none is legal, it has the reason against the first line.
    """
    reasons = [judged(look.snapshot, look.viewer, line).reason for line in lines]
    return Possible(words, small, to(), "" if "" in reasons else reasons[0])
