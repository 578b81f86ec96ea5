"""The cards that could be in a hand, given the technologies in play and the known discards. Hands are not recorded."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.hanse.cards import CARDS, LABELS, TECHNOLOGIES, tallied
from companion.games.hanse.state import Player, State, name_of
from companion.kernel.errors import Refused
from companion.kernel.said import said, said_n


def seen(player: Player, card: str) -> int:
    """Count the copies of *card* that are in play or known to be discarded."""
    lying = player.technology(card) if card in TECHNOLOGIES else 0
    return lying + player.known.get(card, 0)


def possible(player: Player, card: str) -> bool:
    """Return whether *card* could be in the hand."""
    return player.hand > 0 and seen(player, card) < CARDS[card]


def check_held(state: State, colour: str, cards: Iterable[str | None]) -> None:
    """Raise `Refused` if *cards* can't all be in the hand of *colour*."""
    player, asked = state.players[colour], tuple(cards)
    if len(asked) > player.hand:
        name = name_of(state, colour)
        raise Refused(said_n("%(name)s holds %(num)s card.", "%(name)s holds %(num)s cards.", player.hand, name=name))
    for card, count in tallied(asked).items():
        if seen(player, card) + count > CARDS[card]:
            raise Refused(said("%(name)s has no more %(card)s.", name=name_of(state, colour), card=LABELS[card]))
