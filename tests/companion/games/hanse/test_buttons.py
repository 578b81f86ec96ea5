"""What the buttons of a console mean in a game of Die Kosmische Hanse."""

from __future__ import annotations

from companion.games.hanse import GAME
from tests.companion.games.hanse.voyage import Voyage


def meant(voyage, held=False):
    """Return the word of what each button that means something would do."""
    lines = {seat or "next": GAME.console.by_button(voyage.game, seat, held) for seat in (None, "red", "blue")}
    return {seat: (line["do"], line["player"]) for seat, line in lines.items() if line is not None}


def test_a_turn_ends_by_a_button_that_is_held(voyage):
    """Turn: the player's own, and no other."""
    assert meant(voyage) == meant(Voyage(), held=True) == {}
    assert meant(voyage, held=True) == {"red": ("end_turn", "red")}


def test_a_card_is_answered_by_button(voyage):
    """Interventions: one's own button allows, the next one, held, neutralises."""
    voyage("red", "intervene", card="agent")
    assert meant(voyage) == {"blue": ("allow", "blue")}
    assert meant(voyage, held=True) == {"next": ("neutralise", "blue"), "blue": ("allow", "blue")}
