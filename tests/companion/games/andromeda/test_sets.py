"""Sets: three to seven cards of one planet, credits as jokers, and the credits that true sets earn."""

from __future__ import annotations

import pytest

from companion.games.andromeda.state import CREDIT_POINTS
from tests.companion.games.andromeda.evening import Evening

EARNED = [(4, "silver"), (5, "gold"), (6, "platinum"), (7, "diamond")]
SUPPLY = {"silver": 6, "gold": 4, "platinum": 4, "diamond": 2}


@pytest.mark.parametrize("cards", [1, 2, 8])
def test_a_set_has_three_to_seven_cards(evening, cards):
    """Sets: fewer than three or more than seven cards (ruling) are refused."""
    assert evening.refused.move("red", "p1", cards) == f"A set has 3 to 7 cards, not {cards}."


@pytest.mark.parametrize("cards", [3, 7])
def test_three_and_seven_are_sets(evening, cards):
    """Sets: three cards and seven cards are accepted."""
    assert evening.move("red", "p1", cards).game.discards == cards


def test_seven_with_jokers_is_the_most(evening):
    """Sets: jokers count for the limit of seven cards."""
    evening.holding("red", gold=2, hand=11)

    assert "not 8" in evening.refused.move("red", "p1", 6, jokers=["gold", "gold"])
    assert evening.move("red", "p1", 6, jokers=["gold"]).players["red"].hand == 4


def test_planet_cards_are_discarded_and_jokers_returned(evening):
    """Sets: planet cards go to the discards, jokers back to their piles."""
    evening.holding("red", silver=1, gold=1).move("red", "p1", 2, jokers=["silver", "gold"])

    assert (evening.game.discards, evening.game.credits) == (2, (6, 4, 4, 2))
    assert evening.players["red"].hand == 11 - 4


def test_a_set_holds_a_real_card(evening):
    """Sets: a set needs at least one planet card."""
    evening.holding("red", silver=3)

    assert "at least one planet card" in evening.refused.move("red", "p1", 0, jokers=["silver"] * 3)
    assert evening.move("red", "p1", 1, jokers=["silver"] * 2, stations=1).on("p1")["red"] == 4


def test_jokers_are_held(evening):
    """Sets: jokers that are not in the hand are refused."""
    evening.holding("red", gold=1)

    assert evening.refused.move("red", "p1", 3, jokers=["silver"]) == "Ana doesn't have these cards."
    assert evening.refused.move("red", "p1", 3, jokers=["gold"] * 2) == "Ana doesn't have these cards."


def test_cards_are_held(evening):
    """Sets: more planet cards than the hand has are refused."""
    evening.holding("red", gold=1, hand=4)

    assert evening.refused.move("red", "p1", 4) == "Ana doesn't have these cards."
    assert evening.move("red", "p1", 3, jokers=["gold"]).players["red"].hand == 0


@pytest.mark.parametrize(("cards", "kind"), EARNED)
def test_a_true_set_earns_a_credit(evening, cards, kind):
    """Bonus credits: a true set of exactly 4, 5, 6 or 7 cards earns silver, gold, platinum or diamond."""
    evening.move("red", "p1", cards)

    red = evening.view["players"]["red"]
    assert red["bonus"] == {**dict.fromkeys(SUPPLY, 0), kind: 1}
    assert red["hand"] == 9 - cards + 1
    assert evening.view["bonus_supply"][kind] == SUPPLY[kind] - 1


def test_three_cards_earn_nothing(evening):
    """Bonus credits: a true set of three earns no credit."""
    assert sum(evening.move("red", "p1", 3, bonus=True).players["red"].credits) == 0


@pytest.mark.parametrize(("cards", "kind"), EARNED)
def test_a_set_with_a_joker_earns_nothing(evening, cards, kind):
    """Bonus credits: a set with a joker earns no credit, whatever its size."""
    evening.holding("red", silver=1).move("red", "p1", cards - 1, jokers=["silver"])

    assert sum(evening.players["red"].credits) == 0


@pytest.mark.parametrize(("cards", "kind"), EARNED)
def test_an_empty_pile_gives_nothing(evening, cards, kind):
    """Bonus credits: if the pile is empty, no credit of any kind is given."""
    evening.holding("blue", **{kind: SUPPLY[kind]}).move("red", "p1", cards)

    assert sum(evening.players["red"].credits) == 0
    assert evening.view["bonus_supply"][kind] == 0


def test_the_bonus_may_be_declined(evening):
    """Bonus credits (ruling): the credit is given by default, but the player may decline it."""
    assert sum(evening.move("red", "p1", 4, bonus=False).players["red"].credits) == 0


def test_a_credit_is_a_joker_from_the_next_action_on(evening):
    """Bonus credits: an earned credit can be used as a joker in the next action of the same turn."""
    evening.move("red", "p1", 4).ship("red", "p2", 2, jokers=["silver"])

    assert evening.players["red"].ship == 2
    assert evening.players["red"].credit("silver") == 0


@pytest.mark.parametrize(("kind", "points"), CREDIT_POINTS.items())
def test_credits_in_hand_are_points(evening, kind, points):
    """Bonus credits: a credit in hand is worth 2, 3, 4 or 5 points."""
    evening.holding("red", **{kind: 2})

    assert evening.view["players"]["red"]["score"]["bonus"] == 2 * points


def test_every_action_with_a_set_earns():
    """Bonus credits: sets for ship, technology and an attempt earn credits."""
    evening = Evening().in_actions().holding("red", hand=40).at_level("red", ship=2, technology=2)
    evening.ship("red", "p1", 4).technology("red", "p2", 4).establish("red", "p3", 4).draw("red")

    assert evening.players["red"].credit("silver") == 3


def test_the_pile_is_looked_at_when_an_attempt_is_over(evening):
    """Bonus credits: an attempt earns a credit only if the pile still has one after the last draw."""
    evening.establish("red", "p1", 7).holding("blue", diamond=2).draw("red")

    assert evening.players["red"].credit("diamond") == 0


def test_an_attempt_gives_its_credit_at_its_end(evening):
    """Bonus credits: the credit for an attempt is given at its end."""
    evening.establish("red", "p1", 4).draw("blue")
    assert evening.players["red"].credit("silver") == 0

    evening.draw("blue")

    assert evening.players["red"].credit("silver") == 1


def test_the_bonus_of_an_attempt_may_be_declined(evening):
    """Bonus credits (ruling): a credit declined at the start of an attempt is not given at its end."""
    assert sum(evening.establish("red", "p1", 4, bonus=False).draw("red").players["red"].credits) == 0
