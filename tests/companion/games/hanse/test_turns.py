"""Turns: their budget, discarding and drawing at their end, and the next player."""

from __future__ import annotations

import pytest

from tests.companion.games.hanse.voyage import Voyage


def test_a_turn_has_two_actions_a_flight_and_two_interventions(voyage):
    """Turns: every turn begins with the same budget."""
    assert voyage.turn == {
        "number": 1,
        "player": "red",
        "actions": 2,
        "orbit_actions": 0,
        "flights": 1,
        "interventions": 2,
        "tunnels": 0,
        "hyperjumps": [],
        "price": 1,
        "energy": None,
        "reach": {},
    }


def test_the_die_passes(voyage):
    """Turns: the next player's turn starts with a new budget."""
    voyage.rolled(4)("red", "load", to="p1")("red", "end_turn")

    assert (voyage.turn["player"], voyage.turn["number"]) == ("blue", 2)
    assert (voyage.turn["actions"], voyage.turn["flights"], voyage.turn["energy"]) == (2, 1, None)


def test_nobody_moves_out_of_turn(voyage):
    """Turns: a line in another player's turn is refused."""
    assert voyage.refused("blue", "roll", dice=[4]) == "It's Ana's turn."
    assert voyage.refused("green", "roll", dice=[4]) == "Nobody at this table plays green."


# Drawing


@pytest.mark.parametrize(("hand", "replenishments", "drawn"), [(2, 1, 2), (4, 2, 1), (5, 2, 0), (0, 0, 1), (1, 2, 3)])
def test_one_card_a_replenishment_up_to_five(voyage, hand, replenishments, drawn):
    """Drawing: a player draws one card for the Start card and one for each Replenishment, up to five in hand."""
    voyage.owning(replenishment=replenishments).correct(hand=hand)("red", "end_turn")

    assert voyage.players["red"].hand == hand + drawn


def test_fewer_may_be_drawn(voyage):
    """Drawing: a player may draw fewer cards than allowed, but not more."""
    voyage.correct(hand=1)

    assert voyage.refused("red", "end_turn", draw=2) == "Ana may draw 1 card."
    assert voyage("red", "end_turn", draw=0).players["red"].hand == 1


def test_cards_are_discarded_first(voyage):
    """Discarding: cards are discarded before drawing, with or without their names."""
    voyage("red", "end_turn", discard=["passenger", None, "passenger"])

    red = voyage.view["players"]["red"]
    assert (red["hand"], red["discards"]) == (3, {"total": 3, "known": {"passenger": 2}})


@pytest.mark.parametrize(
    ("discard", "sentence"),
    [
        ([None] * 6, "Ana holds 5 cards."),
        (["hyperstorm", "hyperstorm"], "Ana has no more Hyperstorm."),
        (["agent", None, "agent", "agent"], "Ana has no more Agent Infiltration."),
    ],
)
def test_what_is_discarded_is_held(voyage, discard, sentence):
    """Discarding: more cards than are in the hand, or more of one card than a deck has, are refused."""
    assert voyage.refused("red", "end_turn", discard=discard) == sentence


TEN = {
    "container": 2,
    "replenishment": 2,
    "fusion_drive": 2,
    "hyperjump_inward": 1,
    "hyperjump_outward": 1,
    "space_station": 2,
}


def emptied(options: dict[str, bool] | None = None) -> Voyage:
    """Return a game in which Ana has only two cards in the draw pile, and twelve discards."""
    voyage = Voyage(options).begun().owning(**TEN)
    for _ in range(4):
        voyage("red", "end_turn", discard=["passenger"] + [None] * 2)("blue", "end_turn")
    return voyage.correct(hand=5)


def test_an_empty_pile_is_made_from_the_discards():
    """Drawing (ruling): when a card is needed and the pile is empty, the discards become the pile, without names."""
    voyage = emptied()
    assert (voyage.players["red"].draw_pile, voyage.players["red"].discards) == (2, 12)
    voyage("red", "end_turn", discard=[None] * 3)

    red = voyage.view["players"]["red"]
    assert (red["hand"], red["draw_pile"], red["discards"]) == (5, 14, {"total": 0, "known": {}})


def test_the_last_card_does_not_shuffle():
    """Drawing: drawing the last card of the pile does not shuffle the discards yet."""
    voyage = emptied()("red", "end_turn", discard=[None] * 2)

    assert (voyage.players["red"].draw_pile, voyage.players["red"].discards) == (0, 14)


def test_or_an_empty_pile_stays_empty():
    """Drawing (option `reshuffle`, false): with an empty pile, no card is drawn."""
    voyage = emptied({"reshuffle": False})("red", "end_turn", discard=[None] * 3)

    assert (voyage.players["red"].hand, voyage.players["red"].draw_pile, voyage.players["red"].discards) == (4, 0, 15)


def test_a_hyperstorm_shuffles_whatever_the_option():
    """Drawing: a Hyperstorm shuffles in the discards whatever the value of the option."""
    voyage = emptied({"reshuffle": False}).played("hyperstorm")

    assert (voyage.players["red"].hand, voyage.players["red"].draw_pile) == (5, 14)
