"""Before the first turn: the goods, who moves first, and where both ships start."""

from __future__ import annotations

import pytest

from companion.games.registry import GAMES
from companion.kernel.errors import Malformed
from tests.companion.games.hanse.voyage import GOODS, Voyage, cards, sides


def test_five_goods_cards_lie_at_each_planet():
    """Set-up: each planet gets five cards, in any order of planets; the cards remain in the order of the line."""
    voyage = Voyage()
    for planet in ("p6", "p2"):
        voyage.do("goods", planet=planet, cards=sides(GOODS[planet]))

    out = {planet: cards(GOODS[planet]) for planet in ("p2", "p6")}
    assert {planet: goods for planet, goods in voyage.view["goods"].items() if goods} == out
    assert (voyage.view["phase"], voyage.view["to_act"], voyage.view["goods_out"]) == ("goods", ["red", "blue"], 0)


def test_no_card_shows_the_planet_where_it_lies():
    """Set-up: a card that shows its own planet is refused."""
    refused = Voyage().refused(None, "goods", planet="p2", cards=sides("p13 p22 p33 p52 p63"))

    assert refused == "No card at Naginther shows Naginther. Flip it."


@pytest.mark.parametrize("goods", ["p22 p22 p22 p22", "p22 p22 p22 p22 p22 p22", ""])
def test_it_is_five_cards(goods):
    """Set-up: any number of cards other than five is refused."""
    assert "gets 5 goods cards" in Voyage().refused(None, "goods", planet="p1", cards=sides(goods))


def test_a_planet_is_set_out_once():
    """Set-up: a planet's goods cannot be set out twice."""
    voyage = Voyage().do("goods", planet="p1", cards=sides(GOODS["p1"]))

    assert "out already" in voyage.refused(None, "goods", planet="p1", cards=sides(GOODS["p1"]))


def test_the_younger_moves_first_and_the_other_names_the_planet():
    """Set-up: if the younger player chooses the first turn, the other names the planet."""
    voyage = Voyage(younger="blue").set_out()
    assert (voyage.view["phase"], voyage.view["to_act"], voyage.view["starter"]) == ("choice", ["blue"], None)

    voyage("blue", "choose", take="first")
    assert (voyage.view["phase"], voyage.view["to_act"], voyage.view["starter"]) == ("planet", ["red"], "blue")

    voyage("red", "start", planet="p5")
    assert voyage.view["to_act"] == ["blue"]
    assert {player.place for player in voyage.players.values()} == {"p5"}


def test_or_names_the_planet_and_the_other_moves_first():
    """Set-up: if the younger player names the planet, the other has the first turn."""
    voyage = Voyage(younger="blue").set_out()("blue", "choose", take="planet")

    assert (voyage.view["to_act"], voyage.view["starter"]) == (["blue"], "red")
    assert voyage("blue", "start", planet="p1").turn["player"] == "red"


def test_each_has_what_a_deck_has():
    """Set-up: the Start card is open, five cards are in hand, 24 in the draw pile, and players have 0 Megagalax."""
    red = Voyage().view["players"]["red"]

    assert (red["megagalax"], red["place"], red["hand"], red["draw_pile"]) == (0, None, 5, 24)
    assert (red["technology_cards"], red["containers"]) == (1, [[]])


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ({"do": "choose", "player": "red", "take": "first"}, "Set out the goods first."),
        ({"do": "end_turn", "player": "red"}, "Set out the goods first."),
    ],
)
def test_one_thing_after_another(line, sentence):
    """Set-up: before all goods are out, choosing and moving are refused."""
    voyage = Voyage()
    assert voyage.refused(line.pop("player"), line.pop("do"), **line) == sentence


def test_only_those_who_are_asked():
    """Set-up: the other player's choice is refused."""
    voyage = Voyage(younger="blue").set_out()
    assert voyage.refused("red", "choose", take="first") == "It's Ben's turn."
    assert voyage.refused("blue", "start", planet="p1") == "Ben chooses first."

    voyage("blue", "choose", take="first")
    assert voyage.refused("blue", "start", planet="p1") == "It's Ana's turn."
    assert voyage.refused("blue", "end_turn") == "Ana names a planet first."


HEADER = {"players": [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}], "younger": "red"}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"players": HEADER["players"][:1]}, "for 2 players, not 1"),
        ({"players": [HEADER["players"][0]] * 2}, "their own colour"),
        ({"younger": "green"}, "younger"),
        ({"options": {"reshuffle": "yes"}}, "options.reshuffle"),
        ({"options": {"speed": True}}, "options.speed"),
        ({"seed": "1"}, "seed"),
        ({"first": "red"}, "first"),
        ({"players": [{"colour": "red"}, {"colour": "blue", "name": "Ben"}]}, "players[0].name"),
    ],
)
def test_a_header_is_read_field_by_field(change, fault):
    """Header: an invalid field is refused with a message that names it."""
    with pytest.raises(Malformed) as caught:
        GAMES["hanse"].start({**HEADER, **change})

    assert fault in caught.value.reason


def test_options_and_seed_may_be_left_out():
    """Header: options and seed are optional."""
    game = GAMES["hanse"]

    assert game.start(HEADER) == game.start({**HEADER, "options": {}, "seed": 4})
    assert game.start({**HEADER, "options": {"reshuffle": False}}) != game.start(HEADER)
