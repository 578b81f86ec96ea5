"""Ship and technology: levels are bought one by one, each with a set of its exact size."""

from __future__ import annotations

import pytest

from tests.companion.games.andromeda.evening import Evening

STEPS = [
    ("ship", 1, 3),
    ("ship", 2, 4),
    ("ship", 3, 6),
    ("technology", 1, 3),
    ("technology", 2, 4),
    ("technology", 3, 5),
]


@pytest.mark.parametrize(("track", "level", "cost"), STEPS)
def test_a_step_costs_a_set_of_its_size(evening, track, level, cost):
    """Ship and technology: levels cost sets of exactly 3, 4 and 6 cards (ship), or 3, 4 and 5 (technology)."""
    evening.at_level("red", **{track: level}).do(track, player="red", planet="p1", cards=cost)

    assert evening.view["players"]["red"][track] == level + 1
    assert evening.view["players"]["red"]["hand"] == 9 - cost + (cost > 3)


@pytest.mark.parametrize(("track", "level", "cost"), STEPS)
def test_another_size_is_refused(evening, track, level, cost):
    """Ship and technology (ruling `allow_overpay`, off): fewer or more cards than the cost are refused."""
    evening.at_level("red", **{track: level})

    for cards in {3, 4, 5, 6, 7} - {cost}:
        reason = evening.refused.do(track, player="red", planet="p1", cards=cards)
        assert reason == f"The next {track} level costs exactly {cost} Ringworld cards."


@pytest.mark.parametrize(("track", "level", "cost"), STEPS)
def test_overpaying_by_ruling(track, level, cost):
    """Ship and technology (ruling `allow_overpay`, on): more cards are accepted, but fewer are not."""
    evening = Evening(options={"allow_overpay": True}).in_actions().at_level("red", **{track: level})

    for cards in range(3, cost):
        assert evening.refused.do(track, player="red", planet="p1", cards=cards)
    evening.do(track, player="red", planet="p1", cards=7)
    assert evening.view["players"]["red"][track] == level + 1


def test_the_bonus_of_overpaying_follows_the_real_size():
    """Ship and technology (ruling `allow_overpay`, on): the earned credit depends on the set's real size."""
    evening = Evening(options={"allow_overpay": True}).in_actions().ship("red", "p1", 5)

    assert evening.players["red"].credits == (0, 1, 0, 0)


@pytest.mark.parametrize("track", ["ship", "technology"])
def test_the_top_is_the_top(evening, track):
    """Ship and technology: there is no level above the fourth."""
    evening.at_level("red", **{track: 4})

    assert evening.refused.do(track, player="red", planet="p1", cards=6) == (
        f"Ana's {track} is already at the top level."
    )


@pytest.mark.parametrize("track", ["ship", "technology"])
def test_several_levels_take_several_actions(evening, track):
    """Ship and technology: several levels in a turn need several actions."""
    evening.holding("red", hand=13)
    evening.do(track, player="red", planet="p1", cards=3).do(track, player="red", planet="p2", cards=4)

    assert evening.view["players"]["red"][track] == 3
    assert evening.view["actions_left"] == 1


def test_a_joker_pays_too(evening):
    """Ship and technology: jokers count for the cost of a level."""
    assert evening.holding("red", gold=1).ship("red", "p1", 2, jokers=["gold"]).players["red"].ship == 2


@pytest.mark.parametrize(("level", "points"), [(1, 0), (2, 1), (3, 3), (4, 6)])
def test_technology_is_worth_points(evening, level, points):
    """The levels of technology are worth 0, 1, 3 and 6 points; the ship's levels are worth none."""
    evening.at_level("red", technology=level, ship=level)

    assert evening.view["players"]["red"]["score"]["technology"] == points
    assert evening.view["players"]["red"]["score"]["total"] == points + 4


def test_technology_is_cumulative(evening):
    """Technology: level 4 includes the abilities of the levels below it."""
    evening.at_level("red", technology=4).exchange("red", 3).establish("red", "p1", 5)

    assert evening.view["ring"]["draws_left"] == 3


def test_cards_of_a_full_planet_stay_in_use(evening):
    """Ship and technology: cards of a full planet can still be used."""
    evening.owning("blue", "p1/0", "p1/1", "p1/2").ship("red", "p1", 3).technology("red", "p1", 3)

    assert (evening.players["red"].ship, evening.players["red"].technology) == (2, 2)
