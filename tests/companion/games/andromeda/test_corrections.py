"""Corrections: the state follows the real table as long as no piece is lost or duplicated."""

from __future__ import annotations

import pytest

from tests.companion.games.andromeda.evening import ONE_EACH, Evening
from tests.companion.games.told import kind_sentence

# Stations


@pytest.mark.parametrize(
    ("source", "target"), [("earth", "p1"), ("p1", "earth"), ("p1", "p2"), ("p1", "p1/2"), ("earth", "p7/0")]
)
def test_stations_are_put_elsewhere(evening, source, target):
    """Corrections: a station is moved from one place to another."""
    evening.put("red", source, target)

    assert evening.undo().put("red", source, target).put("red", target, source).view == evening.undo().undo().view


def test_several_stations_at_once(evening):
    """Corrections: several stations are moved from Earth to a planet."""
    evening.put("red", "earth", "p1", 4)

    assert (evening.players["red"].earth, evening.on("p1")["red"]) == (0, 7)


def test_a_station_goes_from_centre_to_centre(evening):
    """Corrections: a station can be moved from a centre to another free centre."""
    evening.owning("red", "p1/0").put("red", "p1/0", "p1/2")

    assert evening.game.centres[0] == (None, None, "red")


def test_no_more_than_stand_there(evening):
    """Corrections: no more stations can be taken from a place than are there."""
    assert evening.refused.put("red", "earth", "p1", 5) == "Ana has 4 stations there, not 5."
    assert evening.refused.put("red", "p3", "earth", 3) == "Ana has 2 stations there, not 3."


def test_a_centre_holds_one_station(evening):
    """A correction lets a centre take one station, and only if the centre is free."""
    assert evening.refused.put("red", "earth", "p1/0", 2) == "A centre holds one station."
    assert evening.owning("blue", "p1/0").refused.put("red", "earth", "p1/0") == ("Ben has that centre on Ringworld.")


def test_only_ones_own_centre_is_emptied(evening):
    """Corrections: a player's station can leave only that player's own centre."""
    evening.owning("blue", "p1/0")

    assert evening.refused.put("red", "p1/0", "earth") == "Ana has 0 stations there, not 1."
    assert evening.refused.put("blue", "p1/1", "earth")
    assert evening.refused.put("blue", "p1/0", "earth", 2)


def test_a_station_stays_where_it_is(evening):
    """Corrections: a station cannot be moved to the place where it already is."""
    assert evening.refused.put("red", "p1", "p1") == "Those stations are already there."


# Tracks, transport, hand, credits


@pytest.mark.parametrize(("of", "to"), [("ship", 4), ("technology", 3), ("transport", 0), ("transport", 1)])
def test_tracks_and_transport_cards(evening, of, to):
    """Corrections: levels and transport cards are set to their real values."""
    assert evening.correct("blue", **{of: to}).view["players"]["blue"][of] == to


def test_a_hand_differs_from_the_supply(evening):
    """Corrections: more cards in a hand come from the supply, fewer cards go back to it."""
    assert evening.correct("red", hand=12).game.supply == 48 - 3
    assert evening.correct("red", hand=5).game.supply == 48 + 4


def test_a_hand_holds_its_credits(evening):
    """Corrections: a hand counts all cards, so it is never smaller than its credits."""
    evening.holding("red", silver=3)

    assert evening.refused.correct("red", hand=2) == ("Ana has more cards: credits count, and cards on the table.")
    assert evening.correct("red", hand=3).players["red"].planet_cards == 0


def test_a_hand_holds_the_cards_on_the_table(trading):
    """Corrections: cards laid for trading are part of the hand."""
    trading.holding("blue", silver=1).lay("red", "p1").lay("blue").lay("green").lay("yellow").all_lay(None)

    assert trading.refused.correct("blue", hand=2)
    assert trading.correct("blue", hand=3).players["blue"].hand == 3


def test_no_more_cards_than_there_are(evening):
    """Corrections: a hand cannot get more cards than supply and discards have."""
    assert evening.refused.correct("red", hand=9 + 49) == "Deck and discards hold only 48 more planet cards."
    assert evening.correct("red", hand=9 + 48).game.supply == 0


def test_credits_come_from_their_piles(evening):
    """Corrections: credits come from their piles or go back, and the hand changes with them."""
    evening.correct("red", bonus={"silver": 2, "diamond": 1})
    assert (evening.players["red"].hand, evening.game.credits) == (12, (4, 4, 4, 1))

    evening.correct("red", bonus={"silver": 0})

    assert (evening.players["red"].hand, evening.game.credits) == (10, (6, 4, 4, 1))


def test_no_more_credits_than_there_are(evening):
    """Corrections: a player cannot get more credits than the pile has."""
    evening.holding("blue", diamond=1)

    assert evening.refused.correct("red", bonus={"diamond": 2}) == "Only 1 diamond credit is left in the pile."


def test_a_credit_on_the_table_stays(trading):
    """Corrections: a credit that is laid for trading cannot be removed."""
    trading.holding("red", gold=1).lay("red", "gold")

    assert (
        trading.refused.correct("red", bonus={"gold": 0}) == "Ana has cards on the table. Correct that after trading."
    )


def test_a_stranger_is_not_corrected(evening):
    """Corrections: a colour without a player is refused."""
    assert evening.refused.correct("black", hand=9) == "Nobody at this table plays black."


# Phases


def test_not_during_the_set_up():
    """Corrections are refused during the set-up, since undo can be used."""
    assert "Use undo" in Evening(3).set_up("red", **ONE_EACH).refused.correct("red", hand=1)


def test_in_every_phase():
    """Corrections are allowed in every phase after the set-up, for every player."""
    evening = Evening().all_set_up().correct("blue", ship=2).deal().correct("green", ship=2).all_pass()
    evening.correct("yellow", ship=2).all_trade().correct("red", ship=2)

    assert {player.ship for player in evening.players.values()} == {2}


def test_during_an_attempt(evening):
    """Corrections: a station put on the planet during an attempt can be drawn."""
    evening.standing("p3", red=1, blue=1).establish("red", "p3", 6).put("green", "earth", "p3").draw("green")

    assert evening.view["ring"]["draws_left"] == 2


def test_an_attempt_without_stations_ends(evening):
    """Corrections: an attempt ends if a correction leaves no station under the ring, and its action counts."""
    evening.standing("p3", red=1).establish("red", "p3", 4).put("red", "p3", "earth")

    assert evening.view["ring"] is None
    assert evening.view["actions_left"] == 2
    assert evening.players["red"].credit("silver") == 1


def test_an_attempt_without_a_free_centre_ends(evening):
    """Corrections: an attempt ends if a correction leaves no free centre."""
    evening.owning("blue", "p3/0", "p3/1").establish("red", "p3", 4).put("green", "p3", "p3/2")

    assert evening.view["ring"] is None


def test_an_attempt_goes_on_otherwise(evening):
    """Corrections: an attempt continues even if a correction leaves none of the player's stations under the ring."""
    evening.standing("p3", red=1, blue=2).establish("red", "p3", 4).put("red", "p3", "earth")

    assert evening.view["ring"]["draws_left"] == 2


def test_after_the_end(evening):
    """Corrections after the end change score and winners, but the game remains over."""
    evening.owning("red", "p1/0", "p2/0", "p3/0").owning("blue", "p1/1", "p2/1", "p3/1")
    evening.owning("green", "p1/2", "p2/2", "p3/2").all_end_turns()
    assert evening.view["winners"] == ["red"]

    evening.put("red", "p3/0", "p1").put("blue", "p3/1", "p3/0")

    view = evening.view
    assert view["winners"] == ["blue"]
    assert (view["finished"], view["last_round"], view["round"], view["starter"]) == (True, True, 1, "red")


def test_a_planet_emptied_before_the_end_is_not_full(evening):
    """Corrections: a station removed from a full planet before the end cancels the last round."""
    for planet in ("p1", "p2", "p3"):
        evening.owning("red", f"{planet}/0").owning("blue", f"{planet}/1").owning("green", f"{planet}/2")
    assert evening.view["last_round"]

    assert not evening.put("red", "p1/0", "earth").view["last_round"]


def test_every_refusal_is_a_sentence(evening):
    """Corrections: a refusal is a short sentence without code words."""
    assert kind_sentence(evening.refused.put("red", "p1/0", "p1"))
