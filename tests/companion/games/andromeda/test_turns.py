"""Rounds and turns: three actions for the starting player, two for each other player, clockwise."""

from __future__ import annotations

import pytest

from tests.companion.games.andromeda.evening import Evening


def test_the_starting_player_has_three_actions(evening):
    """Actions: the starting player has three actions, then the turn passes automatically."""
    assert (evening.view["to_act"], evening.view["actions_left"]) == (["red"], 3)

    evening.exchange("red").exchange("red").exchange("red")

    assert (evening.view["to_act"], evening.view["actions_left"]) == (["blue"], 2)


def test_everybody_else_has_two_actions(evening):
    """Actions: every other player has two actions."""
    evening.end_turn("red").exchange("blue").exchange("blue")

    assert (evening.view["to_act"], evening.view["actions_left"]) == (["green"], 2)


def test_actions_come_in_any_order_and_repeat(evening):
    """Actions can be done in any order and repeated."""
    evening.holding("red", hand=13).ship("red", "p1", 3).exchange("red").ship("red", "p2", 4)

    assert evening.players["red"].ship == 3


def test_fewer_actions_are_allowed(evening):
    """Actions: a player may end a turn with actions left, even without doing any."""
    evening.exchange("red").end_turn("red").end_turn("blue")

    assert (evening.view["to_act"], evening.view["actions_left"]) == (["green"], 2)


def test_each_player_finishes_before_the_next(evening):
    """Actions: acting in another player's turn is refused."""
    assert evening.refused.exchange("blue") == "It's Ana's turn."
    assert evening.refused.end_turn("blue") == "It's Ana's turn."


def test_actions_wait_for_the_trading(trading):
    """Actions are refused before the trading is over."""
    assert trading.refused.exchange("red") == "Actions come after trading."
    assert trading.refused.end_turn("red") == "Actions come after trading."


def test_the_round_passes_to_the_left(evening):
    """A round: after the last turn the next round begins with the deal, and the player to the left starts."""
    evening.end_turn("red").end_turn("blue").end_turn("green").end_turn("yellow")

    view = evening.view
    assert (view["round"], view["phase"], view["starter"]) == (2, "cards", "blue")
    assert (view["to_act"], view["actions_left"]) == (["blue"], 0)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_start_goes_all_round(players):
    """A round: after one round per player, the first starting player starts again."""
    evening = Evening(players).all_set_up()
    starters = []
    for _ in range(players + 1):
        starters.append(evening.view["starter"])
        evening.round_over()

    assert starters == [*evening.game.colours, "red"]


def test_turns_begin_with_the_starting_player_of_the_round(evening):
    """A round: the order of turns is clockwise from the starting player of the round."""
    evening.all_end_turns().deal().all_pass().all_trade()
    order = []
    while evening.view["phase"] == "actions":
        order += [(evening.view["to_act"], evening.view["actions_left"])]
        evening.end_turn(evening.game.turn)

    assert order == [(["blue"], 3), (["green"], 2), (["yellow"], 2), (["red"], 2)]


def test_no_actions_are_left_outside_of_their_phase(trading):
    """Outside the action phase, a round has no actions left."""
    assert trading.view["actions_left"] == 0
