"""Questions about a game of Die Kosmische Hanse: the turn, ships, containers, cards, and every planet."""

from __future__ import annotations

from companion.games.hanse import GAME
from tests.companion.games.hanse.voyage import Voyage


def told(voyage, word, seat=None):
    """Return the answer to a question."""
    return " ".join(GAME.facts.answer(voyage.game, word, seat))


def test_before_the_first_turn_the_set_up_is_told():
    """Set-up: the answers name the planets still without goods, and say that no ship is out."""
    assert told(Voyage(), "turn").startswith("Goods still to set out: Coronis, Naginther")
    assert told(Voyage(), "ships") == "The ships aren't out yet."
    assert told(Voyage().set_out(), "turn") == "Ana, move first or name the planet?"


def test_a_turn_is_told_with_what_is_left_of_it(voyage):
    """Turn: the answer gives the player, the remaining budget, the open flight's energy and a technology's price."""
    assert told(voyage.rolled(1, 4).fly("o3"), "turn") == (
        "Ana goes on. Left: planet actions 2, flights 0, interventions 2. Energy: 4. A technology costs 1 Megagalax."
    )


def test_a_flight_tells_where_it_goes(voyage):
    """Flight: the answer lists each place within reach with its energy, or says that no flight is open."""
    assert told(voyage, "reach") == "No flight is open."
    assert told(voyage.rolled(2), "reach") == (
        "Within reach: Naginther's orbit 2, Vinau II's orbit 1, between Vinau II and Taghellia 2."
    )


def test_ships_and_containers_are_told_by_name(voyage):
    """Ships and containers: the answers list each container's goods by destination; a seat is told only its own."""
    voyage.bare("p6").owning(container=1).carrying("p13 p12")
    assert told(voyage, "ships") == "Ana: Vinau II. Ben: Vinau II."
    assert told(voyage, "cargo") == "Ana: for Coronis 3 + 2, one empty. Ben: one empty."
    assert told(voyage, "cargo", "blue") == "Ben: one empty."


def test_hands_are_counted_and_technologies_named(voyage):
    """Cards: the answer gives only the sizes of hands, since the cards are not in the record."""
    voyage.owning(fusion_drive=1)
    assert told(voyage, "hands", "red") == "Ana has 5 cards, draw pile 23, discards 0."
    assert told(voyage, "technologies") == "Ana: Start card, Fusion Drive 1. Ben: Start card."


def test_each_planet_tells_its_goods(voyage):
    """Places: the answer lists goods by destination, the bonus for an empty planet, and the ships there."""
    assert told(voyage, "p1") == (
        "Goods on Coronis: for Naginther 2 + 3, for Vinau II 2, for Taghellia 3, for Dakhit 2."
    )
    assert told(voyage.bare("p3"), "p3") == (
        "No goods on Vinau II: each card unloaded brings 1 more. Ana's ship is there. Ben's ship is there."
    )


def test_points_are_megagalax(voyage):
    """Score: the points are Megagalax, and the answer lists the technology cards, which break ties."""
    voyage.correct(megagalax=7)
    assert dict(GAME.facts.points(voyage.game, None)) == {"red": 7, "blue": 0}
    assert told(voyage, "score") == "Technology cards: Ana 1, Ben 1."


def test_every_question_is_answered_at_any_time(voyage):
    """The questions are the same through a whole game, and each has an answer."""
    for each in (Voyage(), voyage, voyage("red", "intervene", card="agent")):
        assert all(told(each, fact.word, seat) for fact in GAME.facts.known(each.game) for seat in (None, "red"))
