"""End and score: three full planets, the end of the round, points and ties."""

from __future__ import annotations

import pytest

from companion.games.andromeda import GAME
from tests.companion.games.andromeda.evening import Evening


def nearly_over(evening):
    """Fill p1 and p2 with blue, green and yellow centres, and leave one centre of p3 free."""
    evening.owning("blue", "p1/0", "p2/0").owning("green", "p1/1", "p2/1").owning("yellow", "p1/2", "p2/2")
    return evening.owning("blue", "p3/0").owning("green", "p3/1")


def over(evening, **levels):
    """Fill three planets and end the round."""
    return nearly_over(evening).owning("yellow", "p3/2").all_end_turns()


def test_two_full_planets_do_not_end_the_game(evening):
    """End: two full planets do not end the game."""
    nearly_over(evening)
    assert not evening.view["last_round"]

    assert evening.all_end_turns().view["round"] == 2


def test_a_third_full_planet_is_the_last_round(evening):
    """End: when a third planet is full, the current round is the last."""
    nearly_over(evening).establish("red", "p3", 3).draw("red")

    assert evening.view["last_round"]
    assert not evening.view["finished"]


def test_the_round_is_finished_first(evening):
    """End: all players finish their turns in the last round, then the game ends."""
    nearly_over(evening).establish("red", "p3", 3).draw("red").end_turn("red").exchange("blue").exchange("blue")
    assert (evening.view["to_act"], evening.view["phase"]) == (["green"], "actions")

    evening.end_turn("green").exchange("yellow").exchange("yellow")

    view = evening.view
    assert (view["phase"], view["finished"], view["to_act"], view["actions_left"]) == ("finished", True, [], 0)
    assert (view["round"], view["starter"], view["last_round"]) == (1, "red", True)


def test_the_very_last_action_may_end_the_game(evening):
    """End: a third planet filled by the last action of a round ends the game at once."""
    nearly_over(evening).end_turn("red").end_turn("blue").end_turn("green").exchange("yellow")

    evening.establish("yellow", "p3", 3).draw("yellow")

    assert evening.view["finished"]


def test_centres_on_many_planets_do_not_end_the_game(evening):
    """End: a planet is full only with all three centres taken."""
    for planet in ("p1", "p2", "p3", "p4"):
        evening.owning("blue", f"{planet}/0").owning("green", f"{planet}/1")

    assert not evening.view["last_round"]


def test_nothing_is_played_after_the_end(evening):
    """End: after the end, everything except corrections is refused."""
    over(evening)

    for reason in (
        evening.refused.exchange("red"),
        evening.refused.deal(),
        evening.refused.draw("red"),
        evening.refused.lay("red"),
        evening.refused.no_transport("red"),
        evening.refused.set_up("red", p1=9),
        evening.refused.end_turn("red"),
    ):
        assert reason == "The game is over."


# Score


def test_a_score_has_four_parts(evening):
    """The score is the sum of the player's centres, a point per station on Earth, technology, and credits in hand."""
    evening.owning("red", "p7/0", "p6/1").at_level("red", technology=3).holding("red", gold=1, diamond=1)

    assert evening.view["players"]["red"]["score"] == {
        "centres": 14 + 9,
        "earth": 2,
        "technology": 3,
        "bonus": 3 + 5,
        "total": 36,
    }


def test_stations_on_planets_are_worth_nothing(evening):
    """Score: stations on planets and the ship bring no points."""
    evening.put("red", "earth", "p1", 4).at_level("red", ship=4)

    assert evening.view["players"]["red"]["score"]["total"] == 0


def test_most_points_win(evening):
    """The player with the most points wins."""
    over(evening.owning("red", "p7/0", "p6/0", "p5/0", "p4/0"))

    assert evening.view["winners"] == ["red"]
    assert GAME.result(evening.game).why == "Ana wins with 49 points."


def test_nobody_has_won_before_the_end(evening):
    """Before the end, there are no winners and there is no result."""
    evening.owning("red", "p7/0")

    assert evening.view["winners"] == []
    assert GAME.result(evening.game) is None


# Ties


@pytest.fixture
def level():
    """Three players at the end: red and blue are equal in points, technology and ship; green has fewer points."""
    values = dict.fromkeys(("p1", "p2", "p3"), (7, 7, 7))
    evening = Evening(3, values=values).in_actions()
    for place in range(3):
        evening.put("red", "p1", f"p1/{place}").put("blue", "p2", f"p2/{place}").put("green", "p3", f"p3/{place}")
    return evening.all_end_turns().put("green", "p3/0", "p3")


def test_technology_breaks_a_tie():
    """If points are equal, the higher technology wins."""
    values = {"p1": (7, 7, 7), "p2": (7, 7, 8)}
    evening = Evening(3, values=values).in_actions().at_level("red", technology=2)
    for place in range(3):
        evening.put("red", "p1", f"p1/{place}").put("blue", "p2", f"p2/{place}").put("green", "p3", f"p3/{place}")
    evening.put("green", "earth", "p4", 4).all_end_turns()

    assert [player["score"]["total"] for player in evening.view["players"].values()] == [26, 26, 21]
    assert evening.view["winners"] == ["red"]
    assert GAME.result(evening.game).why == "Ana wins the tie on technology."


def test_the_ship_breaks_a_tie_of_technology(level):
    """If technology is equal, too, the bigger ship wins."""
    level.at_level("blue", ship=2)

    assert level.view["winners"] == ["blue"]
    assert GAME.result(level.game).why == "Ben wins the tie with the bigger ship."


def test_what_is_still_level_is_shared(level):
    """Ties (ruling): players with equal points, technology and ship share the win."""
    assert level.view["winners"] == ["red", "blue"]
    assert "share the win" in GAME.result(level.game).why


def test_all_may_share(level):
    """Ties (ruling): a win may be shared by everybody."""
    level.at_level("green", technology=1).correct("green", bonus={"silver": 1}).put("green", "p3", "p3/0")
    level.correct("green", bonus={"silver": 0})

    assert level.view["winners"] == ["red", "blue", "green"]


def test_technology_comes_before_the_ship(level):
    """In a tie, technology counts before the ship."""
    level.put("blue", "earth", "p4", 1).at_level("blue", technology=2).at_level("red", ship=4)

    scores = level.view["players"]
    assert scores["red"]["score"]["total"] == scores["blue"]["score"]["total"]
    assert level.view["winners"] == ["blue"]


def test_ties_below_the_top_do_not_matter(level):
    """Technology and ship do not help a player with fewer points."""
    level.at_level("green", technology=3, ship=4)

    assert level.view["winners"] == ["red", "blue"]


def test_the_result_names_totals(level):
    """Score: the result has the points of every player."""
    assert GAME.result(level.game).totals == {"red": 25, "blue": 25, "green": 18}
