"""For draws that the ring couldn't decide, the page asks once, even if the attempt is already over."""

from __future__ import annotations

import pytest

from companion.ports.ring import RingEventKind
from tests.web.games.andromeda.room import Room


def test_a_question_that_outlives_its_attempt_is_asked_before_the_game_goes_on(room: Room) -> None:
    """The page also asks about a station that the ring reports after the last draw was typed in."""
    room.in_actions().attempt(cards=3)
    order = room.table.order()
    assert order is not None
    room.do("draw", colour="blue")
    assert room.state.attempt is None

    room.hear_late("blue", order.token)
    page = room.look()

    assert "Did you type this one in?" in page.text
    room.tap("Already typed in")
    assert "What can Ana do?" in room.page.text


def test_a_colour_that_cannot_be_there_is_never_applied(room: Room) -> None:
    """For a colour that isn't on the planet, the page asks, and the answer with this colour is disabled."""
    room.in_actions()
    room.do("correct", player="yellow", reason="x", move={"from": "p1", "to": "earth", "count": 3})
    room.attempt().out("yellow", ("yellow", 0.9), ("blue", 0.1))

    page = room.look("/table?other=1")

    assert page.rests("Dora yellow: none there")
    assert not page.rests("Ben blue")
    assert room.state.attempt is not None
    assert room.state.attempt.drawn == ()


def test_the_page_marks_which_stations_it_may_have_been(room: Room) -> None:
    """If the ring is unsure, each likely colour has a dashed station, and the open draw is marked as asked."""
    room.in_actions().attempt().out(None, ("blue", 0.6), ("green", 0.4))

    context = room.scene()

    assert sorted(one.face.name for one in context["cup"] if one.maybe) == ["Ben", "Cem"]
    assert [fall.asked for fall in context["falls"]] == [True, False, False]


def test_a_word_from_the_ring_stands_on_the_page_until_the_game_goes_on(room: Room) -> None:
    """A notice of a practice draw is shown on the page, and disappears with the next line."""
    room.in_actions().out("blue")
    before = room.look().text

    room.do("exchange", player="red", cards=1)

    assert "practice" in before
    assert "practice" not in room.look().text


def test_all_have_laid_is_not_said_twice(room: Room) -> None:
    """All have played: if somebody has played meanwhile, no card is recorded twice, and the page gives the reason."""
    room.in_trading().do("lay", player="red", card="p1").look()
    send = room.page.find("All have played")
    assert send.fields is not None
    room.do("lay", player="blue", card="p2")

    late = room.client.post(send.address, data=send.fields, follow_redirects=True).get_data(as_text=True)

    assert "moved on" in late
    assert room.last == {"do": "lay", "player": "blue", "card": "p2"}


def test_lines_that_are_none_are_refused(room: Room) -> None:
    """If a form for several lines sends anything malformed, nothing is recorded."""
    room.in_trading().do("lay", player="red", card="p1")
    send = room.look("/table?seat=blue").find("Not named")
    assert send.fields is not None
    del send.fields["line"]

    for wrong in ("", "[]", '{"lines": []}', '{"lines": [1]}', '{"lines": "lay"}', '{"lines": null}', "{"):
        answer = room.client.post(send.address, data={**send.fields, "lines": wrong}, follow_redirects=True)
        assert "refusal" in answer.get_data(as_text=True)

    assert room.last == {"do": "lay", "player": "red", "card": "p1"}


def test_two_at_once_of_unknown_colours_offers_every_pair_alike(room: Room) -> None:
    """If the ring saw no colours of a pair, all pairs are equally likely; the page says what happens to the two."""
    room.in_actions().attempt().out(None, ("black", 1.0), kind=RingEventKind.PAIR)

    asking = room.scene()["asking"]

    assert len(asking.offers) > 2
    assert "red+blue" in {offer.chosen for offer in asking.offers}
    assert not asking.others
    assert not any(offer.share for offer in asking.offers)
    assert "picked at random" in room.look().text
    assert "red, blue" in room.look("/ring").text


def test_a_ring_that_knows_nothing_is_not_said_to_lean_either_way(room: Room) -> None:
    """If the ring is unsure and no colour has a share, the page names none as likely."""
    room.in_actions().attempt().out(None, ("blue", 0.0), ("red", 0.0))

    text = room.look().text

    assert "Which station came out?" in text
    assert "Likeliest" not in text


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("ambiguous", "The ring saw one of two colours. Most likely: Ben or Cem."),
        ("unknown", "The ring doesn't recognise this colour. Closest: Ben or Cem."),
        ("uncalibrated", "The ring hasn't learnt these colours yet. Its first guess: Ben or Cem."),
        ("unread", "The ring couldn't see the colour. Most likely: Ben or Cem."),
    ],
)
def test_each_doubt_has_words_of_its_own(room: Room, why: str, said: str) -> None:
    """The page says why the ring was unsure and which colours are likely; the answers are the same."""
    room.in_actions().attempt().out(None, ("blue", 0.6), ("green", 0.4), why=why)

    page = room.look()

    assert said in page.text
    assert [offer.chosen for offer in room.scene()["asking"].offers] == ["blue", "green"]
    assert ("Teach it after this attempt" in page.text) is (why == "uncalibrated")
    room.tap("Cem green")
    assert room.last == {"do": "draw", "colour": "green"}
