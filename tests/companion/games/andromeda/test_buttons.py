"""The meaning of a console's buttons in each phase."""

from __future__ import annotations

import pytest

from companion.games.andromeda import GAME
from tests.companion.games.andromeda.evening import Evening
from tests.companion.games.andromeda.stories import states
from tests.effort import seeds

SEATS = ("red", "blue", "green", "yellow")


def meant(evening: Evening, held: bool = False) -> dict[str, tuple[str, ...]]:
    """Return the line that each button would produce: its word, then the player and the partner."""
    lines = {seat: GAME.console.by_button(evening.game, seat, held) for seat in (None, *SEATS)}
    return {
        seat or "next": tuple(str(line[name]) for name in ("do", "player", "with", "move") if name in line)
        for seat, line in lines.items()
        if line is not None
    }


def test_no_button_places_a_set_up_card():
    """Preparation: no button does anything, since set-up cards must be named."""
    assert meant(Evening()) == {}


def test_next_deals_and_passes():
    """Cards and transport: the next button deals, and then passes for the player whose turn it is."""
    dealing = Evening().all_set_up()
    assert meant(dealing) == {"next": ("deal",)}
    assert meant(dealing.deal()) == {"next": ("transport", "red", "pass")}


def test_the_starting_player_lays_by_the_next_button_or_their_own(trading):
    """Trading, 1: the starting player's button or the next button lays an unnamed card; other buttons do nothing."""
    assert meant(trading) == {"next": ("lay", "red"), "red": ("lay", "red")}


def test_the_others_lay_by_their_own(trading):
    """Trading, 2: each other player lays with their own button, which does nothing after they have laid."""
    trading.lay("red", "p1").lay("green")

    assert meant(trading) == {"blue": ("lay", "blue"), "yellow": ("lay", "yellow")}


def test_from_two_cards_on_another_button_is_a_swap(trading):
    """Trading, 5 and 7: with two cards laid, another seat's button swaps sets with that seat."""
    for _ in range(2):
        trading.lay("red")
        for seat in SEATS[1:]:
            trading.lay(seat)

    swaps = {seat: ("swap", "red", seat) for seat in SEATS[1:]}
    assert meant(trading) == {"next": ("lay", "red"), "red": ("lay", "red"), **swaps}


def test_the_partner_keeps_and_later_players_trade(trading):
    """Trading, 7 and 8: buttons keep or leave the new cards, take back a set, or swap with a remaining set."""
    for _ in range(2):
        trading.lay("red")
        for seat in SEATS[1:]:
            trading.lay(seat)
    trading.swap("red", "green")
    assert meant(trading) == {"next": ("leave", "green"), "green": ("keep", "green")}

    trading.keep("green")
    assert meant(trading) == {"blue": ("take_back", "blue"), "yellow": ("swap", "blue", "yellow")}


def test_only_a_held_button_ends_a_turn_and_none_ends_an_attempt(evening):
    """Actions: only holding the player's own button ends the turn, and no button does anything during an attempt."""
    assert (meant(evening), meant(evening, held=True)) == ({}, {"red": ("end_turn", "red")})

    evening.standing("p3", red=2, blue=1).establish("red", "p3", 4)
    assert meant(evening, held=True) == {}


@pytest.mark.parametrize("seed", seeds(6))
def test_whatever_a_button_means_is_a_line_of_its_game(seed):
    """Buttons: in every state of a random game, a button either does nothing or produces a valid line."""
    for state, _ in states(seed, 200):
        for seat in (None, *state.colours):
            line = GAME.console.by_button(state, seat, held=True)
            assert line is None or GAME.line(GAME.parse(line)) == line
