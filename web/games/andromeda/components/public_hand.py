"""Hands as the whole table knows them: sizes, not credits, so that no button gives a credit away."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.games.andromeda.state import KINDS, State


def with_public_hands(state: State, may_hold: tuple[str, ...] = (), besides: bool = False) -> State:
    """Return *state* with every hand as others see it; *may_hold* are credits it shall be taken to hold.

    Those credits are among the cards of the hand, or come on top of them (*besides*).

    Where the table shows credits always, it is the state itself. A page that
    judges by this offers what may turn out to be refused, and never rests a
    button for a reason that is hidden.
    """
    if state.options.show_bonus_credits == "always":
        return state
    wanted = Counter(may_hold)
    credits = tuple(wanted[kind] for kind in KINDS)
    players = {
        colour: replace(player, credits=credits, hand=player.hand + sum(credits) * besides)
        for colour, player in state.players.items()
    }
    return replace(state, players=players)
