"""What each viewer may see of a game of Andromeda. Cards that are face down and credits in hand are hidden.

A card with which a player answers the starting player is face down until all have laid theirs and the countdown "three,
two, one" is over. Only its owner sees it. A card that was taken back stays hidden for good. Bonus credits are known to
their owner, to everybody if the table has chosen so, and to all after the end. A credit that is face up in a set is
known to all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.andromeda.commands import FACE_DOWN
from companion.games.andromeda.state import KINDS, Card, Player, State
from companion.games.andromeda.trading import laying, must_lay, size, trading_of
from companion.games.andromeda.view import sees_credits
from companion.kernel.validation import Line
from companion.model.capabilities import Viewer
from companion.model.countdown import NAMING, REVEAL

Sets = Mapping[str, tuple[Card, ...]]


class AndromedaSecrets:
    """Hides what a viewer may not see from a state, or from a line of the record."""

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

        A line doesn't say which card of the round it laid. So while one card is face down, the player's earlier ones
        are unnamed too. It doesn't say either who started a round that is over, so every card that was taken back stays
        unnamed.
        """
        if viewer.owner:
            return line
        if line.get("do") == "lay" and (undone or (line["player"] != state.starter and face_down(state, step))):
            return {**line, "card": None}
        if line.get("do") == "correct" and "bonus" in line and not sees_credits(state, line["player"], viewer):
            return {**line, "bonus": {}}
        return line


def face_down(state: State, step: str) -> bool:
    """Tell whether the newest cards of the answering players are face down, at *step* of the table's clock.

    They are while the clock counts down, even if all are laid. After they turn over, players type in which cards they
    were; then they are face up even if some are still missing.
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
    """Return *player* with only those credits that are in their set on the table."""
    laid = state.trading.sets.get(colour, ()) if state.trading is not None else ()
    return replace(player, credits=tuple(laid.count(kind) for kind in KINDS))


SECRETS = AndromedaSecrets()
