"""Hides the secrets of a game of Andromeda from viewers: face-down cards, and credits in hand.

A card that a player lays as an answer to the starting player is face down until all have laid their cards and the
countdown "three, two, one" is over. Until then only its owner sees it. If it is taken back before that, it stays
hidden. Bonus credits are known to their owner, and to everybody after the end or if the table has that option. A credit
that is face up in a set is known to all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.andromeda.state import KINDS, Card, Player, State
from companion.games.andromeda.trading import FACE_DOWN, laying, must_lay, size, trading_of
from companion.games.andromeda.view import sees_credits
from companion.kernel.fields import Line
from companion.model.capabilities import Viewer
from companion.model.countdown import NAMING, REVEAL

Sets = Mapping[str, tuple[Card, ...]]


class AndromedaSecrets:
    """Removes hidden information from a state or from a line of the record."""

    def state(self, state: State, viewer: Viewer, step: str) -> State:
        """Return *state* without face-down cards and credits that *viewer* may not see."""
        if viewer.owner or state.finished:
            return state
        if face_down(state, step):
            trading = trading_of(state)
            state = replace(state, trading=replace(trading, sets=_turned_down(state, trading.sets, viewer)))
        players = {
            colour: player if sees_credits(state, colour, viewer) else _public(state, colour, player)
            for colour, player in state.players.items()
        }
        return replace(state, players=players)

    def line(self, state: State, line: Line, viewer: Viewer, step: str, undone: bool) -> Line:
        """Return *line* without a face-down card or corrected credits that *viewer* may not see.

        A line doesn't say whether it laid the first or a later card of the phase. So while a card is face down, the
        player's earlier cards are unnamed too. A line also doesn't say who started its round, so every card of an
        undone line is unnamed.
        """
        if viewer.owner:
            return line
        if line.get("do") == "lay" and (undone or (line["player"] != state.starter and face_down(state, step))):
            return {**line, "card": None}
        if line.get("do") == "correct" and "bonus" in line and not sees_credits(state, line["player"], viewer):
            return {**line, "bonus": {}}
        return line


def face_down(state: State, step: str) -> bool:
    """Return whether the newest cards of the answering players are face down, at *step* of the table's clock.

    They are face down during the countdown, even if all are laid. After they are turned over, players type in which
    cards they were. During that time they are face up, even if some are still missing.
    """
    if state.trading is None or state.options.trade_record == "off" or not laying(state) or step == NAMING:
        return False
    return step == REVEAL or bool(must_lay(state))


def _turned_down(state: State, sets: Sets, viewer: Viewer) -> Sets:
    newest = size(state)
    return {
        colour: (*cards[:-1], FACE_DOWN)
        if len(cards) == newest and colour not in (state.starter, viewer.seat)
        else cards
        for colour, cards in sets.items()
    }


def _public(state: State, colour: str, player: Player) -> Player:
    """Return *player* with only the credits that are in their set on the table."""
    laid = state.trading.sets.get(colour, ()) if state.trading is not None else ()
    return replace(player, credits=tuple(laid.count(kind) for kind in KINDS))


SECRETS = AndromedaSecrets()
