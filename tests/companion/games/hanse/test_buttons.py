"""The meaning of a console's buttons in Die Kosmische Hanse."""

from __future__ import annotations

from companion.games.hanse import GAME
from tests.companion.games.hanse.voyage import Voyage


def meant(voyage, held=False):
    """Return the line that each button would produce: its word and its player."""
    lines = {seat or "next": GAME.console.by_button(voyage.game, seat, held) for seat in (None, "red", "blue")}
    return {seat: (line["do"], line["player"]) for seat, line in lines.items() if line is not None}


def test_a_turn_ends_by_a_button_that_is_held(voyage):
    """Turn: only holding the player's own button ends the turn."""
    assert meant(voyage) == meant(Voyage(), held=True) == {}
    assert meant(voyage, held=True) == {"red": ("end_turn", "red")}


def test_a_card_is_answered_by_button(voyage):
    """Interventions: the opponent's button allows a card, and holding the next button neutralises it."""
    voyage("red", "intervene", card="agent")
    assert meant(voyage) == {"blue": ("allow", "blue")}
    assert meant(voyage, held=True) == {"next": ("neutralise", "blue"), "blue": ("allow", "blue")}
