"""What is hidden from whom in a game of Andromeda: cards that lie face down, and credits in hand.

The newest card of a player who answers lies face down until all have laid theirs and three, two, one is over; its
owner alone knows it. A card that was taken back stays hidden for good. Bonus credits are known to their owner and,
as the table has chosen, to everybody always or once the game is over; a credit that lies open in a set is known.
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
    """What a viewer may see of a state, and of a line of the record."""

    def state(self, state: State, viewer: Viewer, step: str) -> State:
        """Return *state* with cards that lie face down and credits that are hidden left out."""
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
        """Return *line* without the card that it lays face down, or the credits that it puts right.

        A line does not say which card of a round it laid, so while one lies face down those that its player laid
        before are unnamed too. Nor does it say who began a round that is over: every card that was taken back is
        unnamed for good.
        """
        if viewer.owner:
            return line
        if line.get("do") == "lay" and (undone or (line["player"] != state.starter and face_down(state, step))):
            return {**line, "card": None}
        if line.get("do") == "correct" and "bonus" in line and not sees_credits(state, line["player"], viewer):
            return {**line, "bonus": {}}
        return line


def face_down(state: State, step: str) -> bool:
    """Tell whether the newest cards of those who answer lie face down, at *step* of the table's clock.

    While it counts three, two, one they do though all are laid; once all have turned over and are typing in which
    cards they were, they lie open though some are missing.
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
    """Return *player* with those credits alone that lie open before them."""
    laid = state.trading.sets.get(colour, ()) if state.trading is not None else ()
    return replace(player, credits=tuple(laid.count(kind) for kind in KINDS))


SECRETS = AndromedaSecrets()
