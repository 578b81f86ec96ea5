"""Questions about a game: the ring, its chance, the last draws, hands, a trade, and every place on the board."""

from __future__ import annotations

import pytest

from companion.games.andromeda.facts import FACTS
from companion.games.registry import GAMES
from companion.model.game import Viewer
from tests.companion.games.andromeda.evening import Evening


def told(evening: Evening, word: str, seat: str | None = None) -> str:
    """Return the answer to a question."""
    return " ".join(FACTS.answer(evening.game, word, seat))


def test_what_is_under_the_ring_is_counted_by_name(evening: Evening) -> None:
    """Ring: the answer counts the stations under the ring in seat order, and names the best free centre."""
    evening.establish("red", "p3", cards=4).draw("blue")

    assert told(evening, "ring") == (
        "Under the ring at Stripes: Ana 2, Ben 1, Cem 2, Dora 2. The best free centre is 11."
    )
    assert told(evening, "draws") == "Ana's attempt at Stripes: Ben came out."


def test_the_chance_is_told_where_the_table_shows_it(evening: Evening) -> None:
    """Chance: the answer always names the numbers behind it, but the percentage only if the table shows chances."""
    shown = Evening(options={"show_odds": True}).in_actions()
    for table in (evening, shown):
        table.establish("red", "p3", cards=4)

    assert told(evening, "chance") == "2 of 8 are Ana's, 2 draws left. This table shows no chances."
    assert told(shown, "chance") == "2 of 8 are Ana's, 2 draws left. Chance of a centre: 46%."


def test_without_an_attempt_there_is_nothing_under_the_ring(evening: Evening) -> None:
    """Ring: without an attempt, the answer says that nobody is drawing, but the last draws are still listed."""
    assert [told(evening, word) for word in ("ring", "chance", "draws")] == [
        "Nobody is drawing now.",
        "Nobody is drawing now.",
        "No draws yet.",
    ]
    evening.establish("red", "p3", cards=4).draw("blue").draw("red")

    assert told(evening, "draws") == "Ana's attempt at Stripes: Ben, then Ana came out. Ana takes the 11 at Stripes."
    assert told(evening, "p3") == "Stripes, free centres: 8, 5. Taken: 11 Ana. Stations: Ana 1, Ben 1, Cem 2, Dora 2."


def test_a_seat_hears_of_its_own_credits_and_nobody_of_anothers(evening: Evening) -> None:
    """Hiding: only the player who has credits hears about them and their points."""
    evening.establish("red", "p3", cards=4).draw("red")

    assert told(evening, "hand", "red").endswith("transport cards: 2. Credits: 1 silver.")
    assert "Credits" not in told(evening, "hand") + told(evening, "hand", "blue")
    assert FACTS.points(evening.game, "red")["red"] == FACTS.points(evening.game, None)["red"] + 2
    assert FACTS.points(evening.game, "blue") == FACTS.points(evening.game, None)


def test_the_cards_of_a_trade_are_named_once_they_are_face_up(trading: Evening) -> None:
    """Face-down cards are only counted, even for their owner; they are named when all cards have been turned over."""
    trading.lay("red", "p1").lay("blue", "p2")
    before = [told(trading, "cards", seat) for seat in (None, "blue")]
    trading.lay("green", "p3").lay("yellow", "p4")

    assert before == ["Ana: Ringworld. Ben: 1 face down."] * 2
    assert told(trading, "cards") == "Ana: Ringworld. Ben: Twins. Cem: Stripes. Dora: Craters."


def test_whoever_asks_is_told_what_is_waited_for(trading: Evening) -> None:
    """Turn: the answer names the players who still have to lay a card, and how far the game is."""
    trading.lay("red", "p1").lay("blue", "p2")

    assert told(trading, "turn") == (
        "Everyone else, one card face down. Still to play: Cem, Dora. Round 1. 0 of 3 planets are full."
    )


def test_what_can_be_asked_stays_the_same_for_a_whole_game(evening: Evening) -> None:
    """Keys: the questions and their order are the same through a whole game, and each has an answer."""
    fresh = Evening()
    words = [fact.word for fact in FACTS.known(fresh.game)]

    assert [fact.word for fact in FACTS.known(evening.game)] == words
    assert all(told(evening, word) and told(fresh, word) for word in words)


@pytest.mark.parametrize("seat", [None, "red", "blue"])
def test_points_are_those_of_the_pages(evening: Evening, seat: str | None) -> None:
    """Score: the answer equals the score that pages show to the same device."""
    seen = GAMES["andromeda"].view(evening.game, Viewer(seat))["players"]

    assert FACTS.points(evening.game, seat) == {colour: one["score"]["total"] for colour, one in seen.items()}
