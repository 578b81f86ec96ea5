"""The change of turns: discarding and drawing, and the price of technologies in the next turn."""

from __future__ import annotations

from companion.games.hanse.cards import HAND_LIMIT
from companion.games.hanse.commands import EndTurn
from companion.games.hanse.events import Event, TurnBegan, TurnEnded
from companion.games.hanse.evolve import discarded
from companion.games.hanse.hand import check_held
from companion.games.hanse.state import Player, State, name_of, other, turn_of
from companion.kernel.errors import Refused
from companion.kernel.said import said_n


def end_turn(state: State, command: EndTurn) -> tuple[Event, ...]:
    """Discard, draw cards, and pass the turn to the opponent."""
    check_held(state, command.player, command.discard)
    most = most_drawn(state, discarded(state.players[command.player], command.discard))
    if command.draw is not None and command.draw > most:
        name = name_of(state, command.player)
        raise Refused(said_n("%(name)s may draw %(num)s card.", "%(name)s may draw %(num)s cards.", most, name=name))
    ended = TurnEnded(command.player, command.discard, most if command.draw is None else command.draw)
    return (ended, next_turn(state))


def most_drawn(state: State, player: Player) -> int:
    """Return how many cards *player* may draw: one per Replenishment, limited by the hand limit and the piles."""
    cards = player.draw_pile + (player.discards if state.setting.reshuffle else 0)
    return max(0, min(player.replenishments, HAND_LIMIT - player.hand, cards))


def next_turn(state: State) -> TurnBegan:
    """Return the event that begins the opponent's turn."""
    return turn_begins(state, other(state, turn_of(state).player))


def turn_begins(state: State, colour: str) -> TurnBegan:
    """Return the event that begins the turn of *colour*.

    The price of a technology is the number of technology cards that the player has in play now.
    """
    return TurnBegan(colour, state.players[colour].technology_cards)
