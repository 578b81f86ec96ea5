"""Corrections: the state follows the real table, as long as no piece is lost or duplicated."""

from __future__ import annotations

import pytest

from companion.kernel.errors import Malformed
from tests.companion.games.hanse.voyage import GOODS, Voyage, cards


def test_anything_may_be_put_right(voyage):
    """Corrections: Megagalax, ship and hand can be corrected for either player, with a reason."""
    voyage.correct("blue", megagalax=12).correct("blue", place="g5").correct("blue", hand=2)

    blue = voyage.view["players"]["blue"]
    assert (blue["megagalax"], blue["place"], blue["hand"], blue["draw_pile"]) == (12, "g5", 2, 27)


def test_technologies_come_from_the_pile_and_go_back(voyage):
    """Corrections: added containers are empty and come last, and the last empty container is removed first."""
    voyage.owning(container=2, fusion_drive=1)
    assert (voyage.players["red"].draw_pile, len(voyage.players["red"].containers)) == (21, 3)
    voyage.bare("p1", "p2").carrying("p12", 1).owning(container=1)

    assert voyage.view["players"]["red"]["containers"] == [[], cards("p12")]
    assert voyage.refused("red", "correct", reason="so", technologies={"container": 0}) == (
        "No container of Ana's is empty."
    )


def test_discards_get_their_names(voyage):
    """Corrections: discards get names, but no more names than there are discards."""
    voyage("red", "end_turn", discard=[None, None]).correct(discards={"agent": 1, "container": 1})
    assert voyage.view["players"]["red"]["discards"] == {"total": 2, "known": {"agent": 1, "container": 1}}

    assert voyage.refused("red", "correct", reason="so", discards={"passenger": 1}) == "Ana has 2 discards."
    assert voyage.correct(discards={"agent": 0}).view["players"]["red"]["discards"]["known"] == {"container": 1}


def test_no_card_is_there_too_often(voyage):
    """Corrections: a card can be open or known among the discards at most as often as a deck has it."""
    voyage("red", "end_turn", discard=["container"]).owning(container=1)

    assert voyage.refused("red", "correct", reason="so", technologies={"container": 2}) == "Ana has no more Container."
    assert voyage.refused("red", "correct", reason="so", discards={"container": 2}) == "Ana has no more Container."


def test_goods_lie_as_the_table_says(voyage):
    """Corrections: goods of the named planets are replaced, with or without known backs; other planets don't change."""
    voyage.correct(goods={"p1": cards("p22 p33<p12"), "p4": []})

    assert voyage.view["goods"] == {**{planet: cards(goods) for planet, goods in GOODS.items()}} | {
        "p1": cards("p22 p33<p12"),
        "p4": [],
    }
    assert voyage.view["goods_out"] == 8


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ({"goods": {"p1": cards("p12")}}, "No card at Coronis shows Coronis. Flip it."),
        ({"goods": {"p1": cards("p22<p23")}}, "A card's two sides name two planets."),
        ({"goods": {"p1": cards("p22 p22 p22 p22 p22 p22")}}, "There are only 30 goods cards."),
        ({"container": {"index": 0, "cards": cards("p22")}}, "There are only 30 goods cards."),
        ({"container": {"index": 0, "cards": cards("p22 p33")}}, "A container holds goods for one planet."),
        ({"container": {"index": 0, "cards": cards("p22<p23")}}, "A card's two sides name two planets."),
        ({"container": {"index": 1, "cards": []}}, "Ana doesn't have that container."),
    ],
)
def test_goods_can_only_lie_as_goods_do(voyage, what, sentence):
    """Corrections: goods in an arrangement that is impossible on a real table are refused."""
    assert voyage.refused("red", "correct", reason="so", **what) == sentence


def test_a_reason_is_given(voyage):
    """Corrections: a correction without a reason is refused."""
    assert voyage.refused("red", "correct", reason="  ", hand=3) == "Give a reason for the correction."


def test_before_the_first_turn_there_is_undo():
    """Corrections are refused before the first turn, since undo can be used."""
    assert Voyage().refused("red", "correct", reason="so", hand=3) == "Use undo before the first turn."


def test_the_budget_stays(voyage):
    """Corrections do not change the turn's actions, energy or price."""
    voyage.rolled(4).owning(fusion_drive=2)

    assert (voyage.turn["energy"], voyage.turn["price"], voyage.turn["actions"]) == (4, 1, 2)


def test_a_hand_is_drawn_from_what_there_is():
    """Corrections: if the draw pile is too small for a new hand, the discards are shuffled in, whatever the option."""
    voyage = Voyage({"reshuffle": False}).begun().owning(replenishment=2, container=2, fusion_drive=2, space_station=2)
    for _ in range(5):
        voyage("red", "end_turn", discard=[None, None, "passenger"])("blue", "end_turn")
    voyage("red", "end_turn", discard=[None, None, "passenger"]).correct(hand=5)

    red = voyage.view["players"]["red"]
    assert (red["hand"], red["draw_pile"], red["discards"]) == (5, 16, {"total": 0, "known": {}})


@pytest.mark.parametrize(
    "what",
    [
        {},
        {"hand": 3, "megagalax": 4},
        {"hand": 6},
        {"megagalax": 71},
        {"place": "g6"},
        {"technologies": {}},
        {"technologies": {"container": 3}},
        {"technologies": {"agent": 1}},
        {"discards": {"start": 1}},
        {"goods": {}},
        {"goods": {"p7": []}},
        {"goods": {"p1": [{"to": "p2", "value": 4}]}},
        {"goods": {"p1": [{"to": "p2", "value": 2, "back": 5}]}},
        {"container": {"index": 0}},
        {"container": {"index": 3, "cards": []}},
    ],
)
def test_exactly_one_thing_is_put_right(voyage, what):
    """Corrections: lines without exactly one valid field are refused."""
    with pytest.raises(Malformed):
        voyage.correct(**what)
