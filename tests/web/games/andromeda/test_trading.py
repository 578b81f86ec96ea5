"""The trading page and its clock: what each step shows, and what a tap or a second changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.model.clock import Limit, Strictness
from companion.session.commands import AllReady, Ready, SetPace
from tests.web.games.andromeda.room import HOST, Page, Room, header_for
from tests.web.markup import flat

Rooms = Callable[..., Room]


def clock_of(page: Page) -> str:
    """Return the start tag of the element that the countdown script reads."""
    return flat(page.html).partition('<div id="clock"')[2].partition(">")[0]


def paced(room: Room, **changes: Any) -> Room:
    """Change the table's pace."""
    room.table.execute(SetPace(room.snapshot.pace.changed(changes).line()), HOST)
    return room


def limited(room: Room, mode: str, seconds: int = 30, step: str = "answer", **changes: Any) -> Room:
    """Change how the table times one step."""
    return paced(room, limits={step: {"mode": mode, "seconds": seconds}}, **changes)


@pytest.fixture
def answering(room: Room) -> Room:
    """Ana has played a card, and the others choose."""
    return room.in_trading().do("lay", player="red", card="p1")


def test_a_whole_round_of_laying_is_two_taps(room: Room) -> None:
    """A whole round of playing cards takes two taps, "Ana has played" and "All have played"."""
    room.in_trading().look()

    room.tap("Ana has played", "All have played")

    assert room.taps == 2
    assert "Turn cards over" in room.page.text
    assert "Ana plays a second card" in room.wait(3).look().text


def test_the_last_to_be_ready_starts_three_two_one(answering: Room) -> None:
    """If players confirm one by one, the last tap ends the step and starts 3-2-1, as the single tap for all would."""
    answering.look()

    answering.tap("Ben has played", "Dora has played")
    early = answering.page
    answering.tap("Cem has played")

    assert "Starts when Cem has played" in early.text
    assert 'data-step="reveal"' in clock_of(answering.page)
    assert answering.last["card"] is None


def test_who_has_played_wears_the_own_colour(answering: Room) -> None:
    """A seat is marked as soon as its card is played; the leader's seat is marked from the start."""
    before = [place.played for place in answering.scene()["places"]]
    answering.look()
    answering.tap("Ben has played")

    assert before == [True, False, False, False]
    assert [place.played for place in answering.scene()["places"]] == [True, True, False, False]
    assert answering.page.html.count(" played blue") == 1


def test_nothing_ends_the_step_beside_cards_to_choose_from(answering: Room) -> None:
    """Naming: while a card is being picked, the page has no button for all players whose cards are missing."""
    assert "All have played" in answering.look("/table").text
    assert "All have played" not in answering.look("/table?seat=blue").text


def test_cards_lie_face_down_until_zero(answering: Room) -> None:
    """3-2-1: the newest cards, named or not, are hidden during the countdown and shown after it."""
    for colour, card in (("blue", "p2"), ("green", "p3"), ("yellow", None)):
        answering.do("lay", player=colour, card=card)

    counted = [card.word for place in answering.scene()["places"][1:] for card in place.cards]
    answering.wait(3)
    open_now = [card.word for place in answering.scene()["places"][1:] for card in place.cards]

    assert counted == ["played"] * 3
    assert open_now == ["Twins", "Stripes", "not named"]


@pytest.mark.parametrize("turned", [False, True], ids=["before", "after"])
def test_a_card_that_was_taken_back_face_down_is_never_named(answering: Room, turned: bool) -> None:
    """Taking back: a face-down card that was taken back is never shown, before or after cards are turned over."""
    answering.do("lay", player="blue", card="p6").do("undo").do("lay", player="blue", card="p7")
    if turned:
        answering.do("lay", player="green", card="p3").do("lay", player="yellow", card="p3").wait(3)
        answering.do("lay", player="red", card="p2").others_lay()
    hidden = answering.state.setting.board.planet("p6").label

    page = answering.look("/games/1/replay?undone=1").html.partition("data-lines")[2].partition("</ol>")[0]

    assert "undone" in page
    assert hidden not in page
    assert "p6" in [line.line.get("card") for line in answering.table.archive.history() if line.undone]


def test_the_countdown_covers_every_page_of_the_table(answering: Room) -> None:
    """During 3-2-1, the trading page and the board contain a hidden cover that a script shows; then it is removed."""
    answering.table.execute(AllReady(), HOST)

    during = [answering.look(address).html for address in ("/table", "/table/board")]
    answering.wait(3)
    after = answering.look().html

    assert all("data-cover hidden" in html for html in during)
    assert "data-cover" not in after


def test_a_table_that_names_its_cards_taps_each_once(answering: Room) -> None:
    """Naming: after 3-2-1 the page asks for the first unnamed card at once, and one tap names it."""
    paced(answering, naming=True).table.execute(AllReady(), HOST)
    answering.wait(3).look()

    answering.tap("Stripes", "Spiral", "Not named")

    assert answering.taps == 3
    laid = {line.line["player"]: line.line["card"] for line in answering.snapshot.recent[:3]}
    assert laid == {"blue": "p3", "green": "p7", "yellow": None}
    assert "Ana plays a second card" in answering.page.text


def test_cards_are_named_in_any_order(answering: Room) -> None:
    """Naming: a tap on a seat asks for that seat's card first."""
    paced(answering, naming=True).table.execute(AllReady(), HOST)
    answering.wait(3).look()

    answering.tap("Name Dora's card", "Stripes")

    assert (answering.taps, answering.last) == (2, {"do": "lay", "player": "yellow", "card": "p3"})
    assert "Name Ben's card" in answering.page.text


def test_the_rest_may_stay_unnamed(answering: Room) -> None:
    """Naming: one tap leaves all missing cards unnamed, each as its own line."""
    paced(answering, naming=True, reveal=False).table.execute(AllReady(), HOST)
    answering.look()

    answering.tap("Don't name the rest")

    assert {line.line["card"] for line in answering.snapshot.recent[:3]} == {None}
    assert "Ana plays a second card" in answering.page.text


def test_without_a_countdown_all_turn_over_at_once(answering: Room) -> None:
    """With the reveal off, all cards are turned over without a separate step when the last player has played."""
    paced(answering, reveal=False).look()

    answering.tap("All have played")

    assert "Ana plays a second card" in answering.page.text
    assert "Turn over" not in answering.page.text


def test_a_credit_that_no_hand_holds_is_not_offered(room: Room) -> None:
    """A kind of credit is offered as soon as its pile on the table is no longer complete."""
    room.in_trading()

    def kinds() -> list[str]:
        return [choice.card.kind for choice in room.scene()["choices"] if choice.card.kind]

    before = kinds()
    room.do("correct", player="blue", reason="x", bonus={"gold": 1})

    assert (before, kinds()) == ([], ["gold"])


def test_the_path_shows_when_all_turn_over(answering: Room) -> None:
    """For each card, playing, answering and turning over are separate steps of the path."""
    words = [(step.words, step.state) for step in answering.scene()["path"]][:4]

    assert words == [
        ("Ana plays", "done"),
        ("Others play", "now"),
        ("Turn over", "later"),
        ("Ana again", "later"),
    ]


def test_an_excuse_can_be_said_while_cards_are_named_too(answering: Room) -> None:
    """A player can be excused even after the cards were turned over."""
    paced(answering, naming=True).table.execute(AllReady(), HOST)
    answering.wait(3).look()

    answering.tap("Name Dora's card", "No legal card for Dora")

    assert answering.last == {"do": "excuse", "player": "yellow"}


def test_the_dial_shows_what_is_left(answering: Room) -> None:
    """After a reload, the dial has the remaining seconds and the time at which they end."""
    page = answering.wait(12.4).look()

    assert "18 seconds" in page.text
    assert f'data-ends="{round((answering.now + 17.6) * 1000)}"' in clock_of(page)


def test_a_gentle_clock_says_calmly_by_how_much_it_is_over(answering: Room) -> None:
    """If a gentle limit is exceeded, the page only says by how much, and everything can still be tapped."""
    page = answering.wait(42).look()

    assert "0:12 over" in page.text
    assert "Time is up" not in page.text
    answering.tap("All have played")
    assert answering.last["do"] == "lay"


def test_a_strict_clock_reminds_of_the_tables_own_words(answering: Room) -> None:
    """If a strict limit is exceeded, the table's penalty is suggested, but never carried out."""
    limited(answering, "strict", 30, penalty="play the first card in hand.")

    early, late = answering.wait(10).look().html, answering.wait(30).look()

    assert "data-when-over hidden" in early
    assert "data-when-over hidden" not in late.html
    assert "House rule: play the first card in hand. You decide." in late.text
    assert answering.last == {"do": "lay", "player": "red", "card": "p1"}


def test_a_strict_bank_reminds_of_the_tables_own_words(answering: Room) -> None:
    """If a strict time bank is empty, its player is named with the table's penalty, and nobody plays for them."""
    answering.table.execute(SetPace({"bank": {"mode": "strict", "seconds": 60}, "penalty": "one card less"}), HOST)

    early, late = answering.wait(40).look(), answering.wait(30).look()

    assert 'data-when-empty="blue" hidden' in early.html
    assert 'data-when-empty="blue" hidden' not in late.html
    assert "House rule: one card less. You decide." in late.text
    assert answering.last == {"do": "lay", "player": "red", "card": "p1"}


def test_each_seat_shows_the_time_it_has_left(answering: Room) -> None:
    """Banks: each player's time bank is shown, and marked while it runs; without banks there are none."""
    html = answering.look().html
    answering.table.execute(SetPace({"bank": {"mode": "off"}}), HOST)

    assert (html.count("data-bank="), html.count('class="bank runs')) == (4, 3)
    assert "data-bank" not in answering.look().html


def test_a_table_without_clocks_sees_who_has_laid(answering: Room) -> None:
    """Without a time limit, the page has no dial and no pause, but shows how many have played."""
    limited(answering, "off").table.execute(Ready("blue"), HOST)

    page = answering.look()

    assert "data-dial" not in page.html
    assert "of 3 have played" in page.text
    assert not [tap for tap in page.taps if tap.words in ("Pause", "10 s")]


def test_the_clock_is_held_and_goes_on_with_a_tap_each(answering: Room) -> None:
    """Pausing stops only the clock, which later continues from the same time."""
    answering.wait(10).look()

    answering.tap("Stop the clock")
    stood = answering.wait(60).look()
    answering.tap("Start the clock")

    assert "stopped" in stood.text
    assert 'data-ends=""' in clock_of(stood)
    assert f'data-ends="{round((answering.now + 20) * 1000)}"' in clock_of(answering.page)


def test_ten_seconds_more_is_one_tap(answering: Room) -> None:
    """More time extends the limit, and does not change the time already used."""
    answering.wait(10).look()

    answering.tap("Add ten seconds")

    assert "30 seconds" in answering.page.text
    assert 'data-limit="40000"' in clock_of(answering.page)


def test_an_unrecorded_trading_has_one_long_clock(rooms: Rooms) -> None:
    """If trading is not recorded, the clock counts up, and can be stopped."""
    room = rooms(trade_record="off").in_trading().wait(75)
    room.look()

    room.tap("Stop the clock")

    assert "1:15 stopped" in room.page.text
    assert room.tap("Trading is over") and room.last == {"do": "end_trading"}


def test_an_action_turn_may_be_timed(room: Room) -> None:
    """Action turn: with a time limit the bar has a small dial; one tap stops the clock, and another starts it again."""
    limited(room.in_actions(), "gentle", 180, step="actions").wait(15)
    room.look()

    room.tap("Stop the clock")

    assert "2:45" in room.page.text
    assert room.page.find("Start the clock")


def test_transport_may_be_timed(room: Room) -> None:
    """Transport: the bar has a small dial only if the step has a time limit."""
    room.set_up()
    without = room.look().html
    limited(room, "gentle", 30, step="transport")

    assert "data-dial" not in without
    assert "data-dial" in room.look().html


def test_the_page_says_whether_a_swap_is_forced(room: Room) -> None:
    """Trading: the starting player must swap, after the last card at once; everybody else may take the set back."""
    asked = []
    room.in_trading().both_laid()
    asked.append(room.look().text)
    asked.append(room.do("lay", player="red", card=None).others_lay().look().text)
    room.do("swap", player="red", **{"with": "blue"}).do("keep", player="blue")

    assert "Ana: swap, or another card?" in asked[0] and "Ana must swap, now or after one more card." in asked[0]
    assert "another card" not in asked[1] and "Ana must swap the whole set." in asked[1]
    assert "Cem: swap, or take the set back?" in room.look().text


def test_swapping_is_a_tap_on_the_partner(room: Room) -> None:
    """Each seat with which the player can swap has its own button."""
    room.in_trading().both_laid()

    swaps = [place.swap and place.swap["with"] for place in room.scene()["places"]]

    assert swaps == [None, "blue", "green", "yellow"]


def test_who_only_watches_sees_the_clock_and_no_button_for_it(answering: Room) -> None:
    """Visitors see the countdown but can't stop it."""
    html = answering.app.test_client().get("/table").get_data(as_text=True)

    assert "data-dial" in html
    assert "/table/hold" not in html


def test_the_pace_is_kept_for_the_next_game(answering: Room) -> None:
    """Pace: the next game starts with the pace that the table has set."""
    limited(answering, "strict", 45, penalty="one card less")
    answering.table.open(header_for(4), HOST)

    assert answering.snapshot.pace.limit("answer") == Limit(Strictness.STRICT, 45)
    assert answering.snapshot.pace.penalty == "one card less"
