"""The meaning of a console's buttons in a game of the wreck."""

from __future__ import annotations

from companion.games.wreck import GAME
from tests.companion.games.wreck.evening import Evening


def meant(evening, held=False):
    """Return the line that each button would produce: its word and its player."""
    lines = {seat or "next": GAME.console.by_button(evening.game, seat, held) for seat in (None, "red", "blue")}
    return {seat: (line["do"], line["player"]) for seat, line in lines.items() if line is not None}


def test_an_offer_is_passed_on_by_button():
    """Offers: the next button or the player's own declines; taking has no button, since a die must be named."""
    evening = Evening().rolled().do("offer", player="red", dice=["training"])
    assert meant(evening) == {"next": ("decline", "blue"), "blue": ("decline", "blue")}
    assert meant(evening.do("decline", player="blue")) == {}


def test_a_turn_ends_by_a_button_that_is_held():
    """Turn: only holding the player's own button ends the turn."""
    evening = Evening().in_turns()
    assert meant(evening) == meant(Evening(), held=True) == {}
    assert meant(evening, held=True) == {"red": ("end_turn", "red")}
