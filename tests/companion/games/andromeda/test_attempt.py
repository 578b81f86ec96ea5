"""Establish a centre: a set gives draws with the ring, and each draw lets one station out."""

from __future__ import annotations

import pytest

from tests.companion.games.andromeda.evening import Evening


def ring_of(evening, **under):
    """Give red an attempt with three draws over exactly these stations on p3."""
    return evening.standing("p3", **under).establish("red", "p3", 6)


# The attempt


@pytest.mark.parametrize(("cards", "draws"), [(3, 1), (4, 2), (5, 2), (6, 3), (7, 3)])
def test_half_of_the_cards_are_draws(evening, cards, draws):
    """Attempt: a set gives half as many draws as it has cards, rounded down."""
    evening.establish("red", "p1", cards)

    assert evening.view["ring"] == {"player": "red", "planet": "p1", "draws_left": draws}


@pytest.mark.parametrize("ruling", ["draws", "draws_and_moves"])
@pytest.mark.parametrize(("cards", "draws"), [(3, 2), (4, 2), (5, 3), (6, 3), (7, 4)])
def test_technology_four_rounds_draws_up(cards, draws, ruling):
    """Attempt: with technology level 4, draws are rounded up under both rulings."""
    evening = Evening(options={"tech4_rounds_up": ruling}).in_actions().at_level("red", technology=4)

    assert evening.establish("red", "p1", cards).view["ring"]["draws_left"] == draws


def test_technology_three_rounds_down(evening):
    """Attempt: technology level 3 rounds draws down."""
    assert evening.at_level("red", technology=3).establish("red", "p1", 5).view["ring"]["draws_left"] == 2


def test_jokers_buy_draws(evening):
    """Attempt: jokers count for the number of draws."""
    evening.holding("red", gold=2).establish("red", "p1", 2, jokers=["gold", "gold"])

    assert evening.view["ring"]["draws_left"] == 2


def test_an_attempt_needs_an_own_station(evening):
    """Attempt: the player needs a station on the planet; a station on a centre does not count."""
    evening.standing("p3", blue=3).owning("red", "p3/2")

    assert evening.refused.establish("red", "p3", 4) == "Ana has no station on Stripes."


def test_an_attempt_needs_a_free_centre(evening):
    """An attempt (ruling) is refused on a planet without a free centre."""
    evening.owning("blue", "p3/0", "p3/1", "p3/2")

    assert evening.refused.establish("red", "p3", 4) == "All three centres of Stripes are taken."


def test_the_set_is_spent_at_once(evening):
    """Attempt: the set leaves the hand before the first draw, but the action counts when the attempt ends."""
    evening.establish("red", "p1", 4)

    assert (evening.players["red"].hand, evening.game.discards) == (5, 4)
    assert evening.view["actions_left"] == 3
    assert evening.view["to_act"] == ["red"]


def test_only_draws_follow(evening):
    """Until an attempt ends, other actions and the end of the turn are refused."""
    evening.establish("red", "p1", 4)

    for reason in (
        evening.refused.exchange("red"),
        evening.refused.end_turn("red"),
        evening.refused.ship("red", "p1", 3),
        evening.refused.establish("red", "p2", 3),
        evening.refused.exchange("blue"),
    ):
        assert reason == "Finish the draws first."


# Draws


def test_a_foreign_station_flies_home(evening):
    """Ring draws: a station of another colour goes to its owner's Earth, and the attempt continues."""
    evening.establish("red", "p3", cards=4).draw("blue")

    assert evening.players["blue"].earth == 5
    assert evening.on("p3")["blue"] == 1
    assert evening.view["ring"]["draws_left"] == 1
    assert evening.view["actions_left"] == 3


def test_an_own_station_takes_the_most_valuable_free_centre(evening):
    """Ring draws: the player's station takes the most valuable free centre, and the attempt ends."""
    evening.establish("red", "p3", cards=4).draw("red")

    assert evening.view["players"]["red"]["centres"] == [{"planet": "p3", "value": 11}]
    assert evening.on("p3")["red"] == 1
    assert evening.view["ring"] is None
    assert evening.view["actions_left"] == 2


def test_a_taken_centre_is_passed_over(evening):
    """Ring draws: if better centres are taken, the station takes the best free one."""
    evening.owning("blue", "p3/0").owning("green", "p3/1").establish("red", "p3", 3).draw("red")

    assert evening.view["players"]["red"]["centres"] == [{"planet": "p3", "value": 5}]


def test_the_best_centre_need_not_be_printed_first():
    """Ring draws: the centre's value counts, not its position on the board."""
    evening = Evening(values={"p3": (4, 12, 8)}).in_actions().establish("red", "p3", 3).draw("red")

    assert evening.game.centres[2] == (None, "red", None)


def test_equal_centres_are_taken_in_the_boards_order():
    """Ring draws (ruling): of two free centres of equal value, the first on the board is taken."""
    evening = Evening(values={"p3": (4, 8, 8)}).in_actions().establish("red", "p3", 3).draw("red")

    assert evening.game.centres[2] == (None, "red", None)


def test_the_last_draw_ends_the_attempt(evening):
    """Ring draws: with all draws used the attempt ends without a centre."""
    evening.establish("red", "p3", 4).draw("blue").draw("green")

    assert evening.view["ring"] is None
    assert evening.view["actions_left"] == 2
    assert evening.view["players"]["red"]["centres"] == []


def test_an_attempt_may_be_the_last_action(evening):
    """After the attempt of the last action, the turn passes automatically."""
    evening.exchange("red").exchange("red").establish("red", "p3", 3).draw("blue")

    assert (evening.view["to_act"], evening.view["actions_left"]) == (["blue"], 2)


def test_draws_outnumbering_the_stations(evening):
    """Ring draws: drawing the player's station ends the attempt, even if it was the only station under the ring."""
    ring_of(evening, red=1).draw("red")

    assert evening.on("p3") == {}
    assert evening.view["ring"] is None


def test_an_emptied_planet_ends_the_attempt(evening):
    """Ring draws: if no station is left on the planet, the attempt ends even with draws left."""
    ring_of(evening, red=1, blue=1).put("red", "p3", "earth").draw("blue")

    assert evening.view["ring"] is None
    assert evening.view["actions_left"] == 2


def test_only_what_is_under_the_ring_comes_out(evening):
    """Ring draws: a colour without a station under the ring is refused."""
    ring_of(evening, red=2, blue=1)

    assert evening.refused.draw("green") == "There's no green station under the ring on Stripes."
    assert evening.refused.draw("pink") == "There's no pink station under the ring on Stripes."
    assert evening.draw("blue").refused.draw("blue")


def test_stations_on_centres_are_not_under_the_ring(evening):
    """Ring draws: stations on centres are not under the ring."""
    evening.standing("p3", red=2).owning("blue", "p3/0").establish("red", "p3", 4)

    assert evening.refused.draw("blue")


def test_surplus_after_the_end_is_refused(evening):
    """A second station in the same slide is surplus if the attempt is over (ruling)."""
    evening.establish("red", "p3", 4).draw("red")

    assert evening.refused.draw("blue") == "No attempt is on: there's nothing to draw for."


def test_a_second_station_is_the_next_draw(evening):
    """Ring draws (ruling): a second station in the same slide is the next draw while the attempt is open."""
    evening.establish("red", "p3", 6).draw("blue").draw("blue")

    assert evening.view["ring"]["draws_left"] == 1


@pytest.mark.parametrize("virtual", [False, True])
def test_draws_are_typed_in_at_any_time(virtual):
    """Ring draws (ruling `virtual_ring`, display): a draw can be typed in under both rulings."""
    evening = Evening(options={"virtual_ring": virtual}).in_actions().establish("red", "p3", 4).draw("blue")

    assert evening.players["blue"].earth == 5


# Two stations at once


def test_of_two_at_once_one_stays_out(evening):
    """Two at once (ruling `double_exit`, `random_of_two`): a random one of them counts, and one draw is used."""
    ring_of(evening, red=2, blue=2).double_exit("red", "blue", out="blue")

    assert evening.on("p3") == {"red": 2, "blue": 1}
    assert evening.view["ring"]["draws_left"] == 2


def test_of_two_at_once_the_own_one_wins(evening):
    """Two at once (ruling `double_exit`, `random_of_two`): if the player's station counts, it takes its centre."""
    ring_of(evening, red=2, blue=2).double_exit("blue", "red", out="red")

    assert evening.on("p3") == {"red": 1, "blue": 2}
    assert evening.view["ring"] is None
    assert len(evening.view["players"]["red"]["centres"]) == 1


def test_two_of_a_colour_at_once(evening):
    """Two at once (ruling `double_exit`, `random_of_two`): two of the same colour need two stations of that colour."""
    ring_of(evening, red=1, blue=2).double_exit("blue", "blue", out="blue")

    assert evening.on("p3") == {"red": 1, "blue": 1}
    assert evening.refused.double_exit("blue", "blue", out="blue") == (
        "There's no second blue station under the ring on Stripes."
    )


def test_the_lot_chooses_one_of_the_two(evening):
    """Two at once (ruling `double_exit`, `random_of_two`): the line must say which of the two counts."""
    ring_of(evening, red=2, blue=2, green=1)

    assert evening.refused.double_exit("red", "blue") == "One of the two counts: say which one was picked."
    assert evening.refused.double_exit("red", "blue", out="green")


def test_both_must_have_been_there(evening):
    """If two stations come out at once, both colours must be under the ring."""
    ring_of(evening, red=2, blue=2)

    assert "no green station" in evening.refused.double_exit("green", "blue", out="blue")
    assert "no green station" in evening.refused.double_exit("blue", "green", out="blue")


def test_two_at_once_may_be_redone():
    """Two at once (ruling `double_exit`, `redo`): both stations go back and no draw is used."""
    evening = ring_of(Evening(options={"double_exit": "redo"}).in_actions(), red=2, blue=2).double_exit("red", "blue")

    assert evening.on("p3") == {"red": 2, "blue": 2}
    assert evening.view["ring"]["draws_left"] == 3


def test_a_redo_keeps_none_out():
    """Two at once (ruling `double_exit`, `redo`): the line must not say that one of them counts."""
    evening = ring_of(Evening(options={"double_exit": "redo"}).in_actions(), red=2, blue=2)

    assert "both go back" in evening.refused.double_exit("red", "blue", out="red")
    assert "no green station" in evening.refused.double_exit("red", "green")


def test_two_at_once_after_the_end_are_surplus(evening):
    """Two at once are refused if no attempt is open."""
    assert evening.refused.double_exit("red", "blue", out="red") == "No attempt is on: there's nothing to draw for."


# Giving up


def test_draws_are_not_given_up(evening):
    """Giving up (ruling `may_stop_drawing`, off): giving up draws is refused."""
    assert evening.establish("red", "p3", 4).refused.stop_drawing("red") == "No giving up draws at this table."


@pytest.fixture
def lenient():
    """A table where draws may be given up; red holds the ring over p3 with two draws."""
    return Evening(options={"may_stop_drawing": True}).in_actions().establish("red", "p3", 4)


def test_draws_may_be_given_up_by_ruling(lenient):
    """Giving up (ruling `may_stop_drawing`, on): the attempt ends, the action counts, and the set earns its credit."""
    lenient.draw("blue").stop_drawing("red")

    assert lenient.view["ring"] is None
    assert lenient.view["actions_left"] == 2
    assert lenient.players["red"].credit("silver") == 1


def test_even_the_first_draw_may_be_given_up(lenient):
    """Giving up (ruling `may_stop_drawing`, on): a player may give up before the first draw."""
    assert lenient.stop_drawing("red").on("p3") == {"red": 2, "blue": 2, "green": 2, "yellow": 2}


def test_only_who_holds_the_ring_gives_up(lenient):
    """Giving up (ruling `may_stop_drawing`, on): only the drawing player may give up, during an attempt."""
    assert lenient.refused.stop_drawing("blue") == "It's Ana's attempt."
    assert lenient.stop_drawing("red").refused.stop_drawing("red") == "No attempt is on: there's nothing to draw for."
