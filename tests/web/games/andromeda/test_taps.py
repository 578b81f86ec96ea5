"""Every decision takes at most three taps, plus one for each joker or set-up card, counted on the real pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.ports.ring import RingEventKind
from tests.web.games.andromeda.room import Room

Rooms = Callable[..., Room]
MOST = 3


def test_set_up_takes_one_tap_a_card_and_goes_on_by_itself(room: Room) -> None:
    """Set-up: nine cards take nine taps, and then the next player is asked."""
    room.look()

    for _ in range(3):
        room.tap("Add Ringworld", "Add Twins", "Add Spiral")

    assert room.taps == 9
    assert room.last == {"do": "setup", "player": "red", "cards": {"p1": 3, "p2": 3, "p7": 3}}
    assert "Ben's cards" in room.page.text


def test_a_set_up_card_too_many_is_one_tap_back(room: Room) -> None:
    """In the set-up, the minus button removes a card from the count."""
    room.look()

    page = room.tap("Add Ringworld", "Add Twins", "Remove Ringworld")

    assert room.taps == 3
    assert "8 to go" in page.text


def test_the_deal_is_one_tap(room: Room) -> None:
    """Cards: one tap after the cards are dealt leads to transport."""
    for colour in room.state.colours:
        room.do("setup", player=colour, cards={"p1": 2, "p2": 2, "p3": 1, "p4": 1, "p5": 1, "p6": 1, "p7": 1})
    room.look()

    room.tap("On to transport")

    assert (room.taps, room.state.phase) == (1, "transport")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("No transport", {"move": "pass"}),
        ("Two stations from Earth to Frost", {"move": "to_planet", "planet": "p6"}),
        ("All stations of Frost to Earth", {"move": "to_earth", "planet": "p6"}),
    ],
)
def test_transport_is_one_tap(room: Room, words: str, line: dict[str, str]) -> None:
    """Transport: passing, flying outwards and flying home take one tap each."""
    room.set_up().look()

    room.tap(words)

    assert room.taps == 1
    assert room.last == {"do": "transport", "player": "red", **line}


@pytest.mark.parametrize(("words", "card"), [("Crescent", "p5"), ("Ana has played", None)])
def test_the_starting_player_lays_with_one_tap(room: Room, words: str, card: str | None) -> None:
    """Trading: the starting player plays a card with one tap on it."""
    room.in_trading().do("correct", player="red", reason="x", bonus={"silver": 1})
    room.look()

    room.tap(words)

    assert room.taps == 1
    assert room.last == {"do": "lay", "player": "red", "card": card}


def test_a_credit_is_laid_with_one_tap(room: Room) -> None:
    """Trading: the tablet doesn't show who holds a credit, and a tap plays it if its player does."""
    room.in_trading().do("correct", player="red", reason="x", bonus={"silver": 1}).look()

    room.tap("Silver")

    assert (room.taps, room.last) == (1, {"do": "lay", "player": "red", "card": "silver"})


def test_a_credit_that_is_not_held_is_refused_with_the_reason(room: Room) -> None:
    """Trading: a tap on a credit that another player holds plays nothing, and the page says why."""
    room.in_trading().do("correct", player="blue", reason="x", bonus={"silver": 1}).look()

    page = room.tap("Silver")

    assert room.last["do"] == "correct"
    assert "Ana doesn't have that card." in page.text


def test_all_have_laid_is_one_tap(room: Room) -> None:
    """Trading: one tap plays an unnamed card for everybody who is missing, each as its own line."""
    room.in_trading().do("lay", player="red", card="p1").do("lay", player="blue", card="p2")
    room.look()

    room.tap("All have played")

    assert room.taps == 1
    assert [line.line["player"] for line in room.snapshot.recent[:2]] == ["yellow", "green"]
    assert "Ana plays a second card" in room.wait(3).look().text


def test_one_player_has_laid_is_one_tap(room: Room) -> None:
    """Trading: a tap marks one player as ready, while the table waits for the others."""
    room.in_trading().do("lay", player="red", card="p1")
    room.look()

    room.tap("Cem has played")

    assert (room.taps, room.last) == (1, {"do": "lay", "player": "red", "card": "p1"})
    assert room.snapshot.timing is not None
    assert room.snapshot.timing.ready == ("green",)


def test_a_card_is_named_with_two_taps(room: Room) -> None:
    """Trading: naming a player's card takes two taps, one for the player and one for the card."""
    room.in_trading().do("lay", player="red", card="p1")
    room.look()

    room.tap("Name Dora's card", "Stripes")

    assert (room.taps, room.last) == (2, {"do": "lay", "player": "yellow", "card": "p3"})


def test_a_player_without_a_card_is_excused_with_two_taps(room: Room) -> None:
    """Trading: excusing a player takes two taps, so that one wrong tap can't make anybody sit out."""
    room.in_trading().do("lay", player="red", card="p1")
    room.look()

    room.tap("Name Dora's card", "No legal card for Dora")

    assert (room.taps, room.last) == (2, {"do": "excuse", "player": "yellow"})


@pytest.mark.parametrize(("words", "do"), [("Keep the new cards", "keep"), ("Leave them", "leave")])
def test_a_swap_and_its_answer_are_a_tap_each(room: Room, words: str, do: str) -> None:
    """Trading: a swap takes two taps: the partner, then keep or leave."""
    room.in_trading().both_laid().look()

    room.tap("Swap with Cem")
    assert room.last == {"do": "swap", "player": "red", "with": "green"}
    room.tap(words)

    assert room.taps == 2
    assert room.last == {"do": do, "player": "green"}


@pytest.mark.parametrize(("words", "card"), [("Spiral", "p7"), ("Not named", None)])
def test_a_third_card_instead_of_the_swap_is_one_tap(room: Room, words: str, card: str | None) -> None:
    """Trading: one more card takes one tap, whether it is named or not."""
    room.in_trading().both_laid().look()

    room.tap(words)

    assert (room.taps, room.last) == (1, {"do": "lay", "player": "red", "card": card})


def test_a_later_trader_takes_back_with_one_tap(room: Room) -> None:
    """Trading: taking a set back takes one tap."""
    room.in_trading().both_laid().do("swap", player="red", **{"with": "blue"}).do("keep", player="blue")
    room.look()

    room.tap("Take your set back")

    assert (room.taps, room.last) == (1, {"do": "take_back", "player": "green"})


def test_a_table_that_does_not_record_its_trades_ends_them_with_one_tap(rooms: Rooms) -> None:
    """Trading that is not recorded is ended with one button."""
    room = rooms(trade_record="off").in_trading()
    room.look()

    room.tap("Trading is over")

    assert (room.taps, room.last) == (1, {"do": "end_trading"})


def test_exchanging_cards_is_one_tap(room: Room) -> None:
    """Exchanging cards takes one tap on the number, on the page of all actions, and one undo reverts it."""
    room.in_actions().look()

    room.tap("Exchange cards: 2 cards")

    assert (room.taps, room.last) == (1, {"do": "exchange", "player": "red", "cards": 2})
    assert room.snapshot.undoable is not None and not room.snapshot.undoable.by_ring


def test_only_so_many_cards_can_be_exchanged_as_the_rules_allow(room: Room) -> None:
    """Exchange cards: a number that isn't allowed has no button there; the action's own page gives the reason."""
    page = room.in_actions().look()

    assert "Exchange cards: 2 cards" in page.text and "Exchange cards: 3 cards" not in page.text
    room.tap("Exchange cards")
    assert "needs technology level 3" in room.page.text


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("Twins", "Play 4 Twins"), {"do": "establish", "cards": 4}),
        (("Twins", "Play 6 Twins"), {"do": "establish", "cards": 6}),
        (("Move stations", "Twins", "Play 7 Twins"), {"do": "move", "cards": 7, "stations": 3}),
        (("Technology", "Play 3 Twins"), {"do": "technology", "cards": 3}),
        (("Bigger ship", "Play 3 Twins"), {"do": "ship", "cards": 3}),
    ],
)
def test_a_set_is_played_with_three_taps(room: Room, words: tuple[str, ...], line: dict[str, object]) -> None:
    """A set takes two or three taps: on the action, the planet and the number of cards, as far as there is a choice."""
    room.in_actions().look()

    room.tap(*words)

    assert room.taps == len(words) <= MOST
    assert {key: room.last.get(key) for key in line} == line
    assert (room.last["player"], room.last["planet"]) == ("red", "p2")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("0 stations move", "Play 4 Twins"), {"stations": 0}),
        (("tap to leave it", "Play 4 Twins"), {"bonus": False}),
    ],
)
def test_what_is_rarely_wanted_is_a_tap_more(room: Room, words: tuple[str, ...], line: dict[str, object]) -> None:
    """Hand: a tap changes the stations or leaves the credit, before the tap that plays the set."""
    room.in_actions().look("/table/act/move?planet=p2")

    room.tap(*words)

    assert {key: room.last.get(key) for key in line} == line


def test_each_joker_is_one_tap_more(room: Room) -> None:
    """Jokers: a set of one card and two credits takes two taps more."""
    room.in_actions().do("correct", player="red", reason="x", bonus={"silver": 2})
    room.look()

    room.tap("Technology", "Add one silver", "Add one silver", "Play 3 Twins")

    assert room.taps == 2 + 2
    assert room.last == {
        "do": "technology", "player": "red", "planet": "p2", "cards": 1, "jokers": ["silver", "silver"],
    }  # fmt: skip


def test_the_turn_ends_with_one_tap(room: Room) -> None:
    """Ending a turn takes one tap, even if actions are left."""
    room.in_actions().look()

    room.tap("End turn")

    assert (room.taps, room.last) == (1, {"do": "end_turn", "player": "red"})


def test_transport_as_an_action_is_two_taps(rooms: Rooms) -> None:
    """Transport as an action takes one tap on the action and one on the direction."""
    room = rooms(transport_as_action=True).in_actions()
    room.look()

    room.tap("Transport", "Two stations from Earth to Spiral")

    assert room.taps == 2
    assert room.last == {"do": "transport", "player": "red", "move": "to_planet", "planet": "p7"}


def test_a_draw_is_typed_in_with_one_tap(room: Room) -> None:
    """A typed draw takes one tap on the colour if no ring counts, and two taps with a ring."""
    room.without_ring().in_actions().attempt().look()

    room.tap("Ben, blue came out")

    assert (room.taps, room.last) == (1, {"do": "draw", "colour": "blue"})


def test_two_at_once_are_three_taps(room: Room) -> None:
    """For two stations at once, one tap says so and one names each colour; the table chooses which one counts."""
    room.without_ring().in_actions().attempt().look()

    room.tap("Two at once", "Cem", "Dora")

    assert room.taps == MOST
    assert room.last["do"] == "double_exit"
    assert room.last["colours"] == ["green", "yellow"]
    assert room.last["out"] in ("green", "yellow")


def test_drawing_is_given_up_with_one_tap_where_that_is_allowed(rooms: Rooms) -> None:
    """Stop drawing: the button only exists if the table's ruling allows it."""
    room = rooms(may_stop_drawing=True).in_actions().attempt()
    room.look()

    room.tap("Stop drawing")

    assert (room.taps, room.last) == (1, {"do": "stop_drawing", "player": "red"})


def test_a_virtual_draw_is_one_tap(rooms: Rooms) -> None:
    """With a virtual ring, the companion draws one of the counted stations, and the line contains its colour."""
    room = rooms(virtual_ring=True).in_actions().attempt()
    room.look()

    room.tap("Draw for us")

    assert (room.taps, room.last["do"]) == (1, "draw")
    assert room.last["colour"] in room.state.colours


def test_an_attempt_by_mistake_is_taken_back_in_two_taps(room: Room) -> None:
    """After a draw of the ring, undo offers to take back the whole attempt, and names the set that goes with it."""
    room.in_actions()
    before = room.state
    room.attempt().out("blue").look()

    page = room.tap("Undo the last draw")
    room.tap("The attempt was a mistake")

    assert "taken back with it: Ana plays" in page.text
    assert (room.taps, room.state) == (2, before)


def test_the_likeliest_answer_is_one_tap_and_any_other_two(rooms: Rooms) -> None:
    """If the ring is unsure, the two likeliest colours are offered; all others take one more tap."""
    ranking = (("blue", 0.6), ("green", 0.3), ("yellow", 0.1))
    likely, other, nothing = (rooms().in_actions().attempt().out(None, *ranking) for _ in range(3))

    likely.look()
    likely.tap("Ben")
    other.look()
    other.tap("Another colour", "Dora")
    nothing.look()
    nothing.tap("Doesn't count")

    assert (likely.taps, likely.last) == (1, {"do": "draw", "colour": "blue"})
    assert (other.taps, other.last) == (2, {"do": "draw", "colour": "yellow"})
    assert (nothing.taps, nothing.state.attempt.drawn if nothing.state.attempt else None) == (1, ())


def test_two_that_left_at_once_by_the_ring_are_one_tap(room: Room) -> None:
    """For a pair, the two likeliest colours are offered as one answer."""
    room.in_actions().attempt().out(None, ("blue", 0.6), ("green", 0.4), kind=RingEventKind.PAIR)
    room.look()

    room.tap("Ben and Cem")

    assert room.taps == 1
    assert sorted(room.last["colours"]) == ["blue", "green"]


def test_undo_is_one_tap(room: Room) -> None:
    """Undo is always visible, and needs no confirmation for a line that a person entered."""
    room.in_actions().do("exchange", player="red", cards=1)
    room.look()

    room.tap("Undo")

    assert room.taps == 1
    assert room.state.actions_left == 3


def test_undoing_a_draw_of_the_ring_is_two_taps(room: Room) -> None:
    """Undoing a draw that the ring reported takes a second tap, which gives the reason."""
    room.in_actions().attempt().out("blue")
    room.look()

    room.tap("Undo", "not a draw")

    assert room.taps == 2
    assert room.state.attempt is not None
    assert room.state.attempt.drawn == ()


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("Technology: one more",), {"technology": 2}),
        (("Ship: one more",), {"ship": 2}),
        (("Transport cards: one less",), {"transport": 1}),
        (("Cards in hand: one less",), {"hand": 8}),
        (("Take from Earth", "Move to Spiral"), {"move": {"from": "earth", "to": "p7", "count": 1}}),
        (("Take from Twins", "Move to Twins, 6"), {"move": {"from": "p2", "to": "p2/1", "count": 1}}),
        (("Gold", "2 gold"), {"bonus": {"gold": 2}}),
    ],
)
def test_a_correction_takes_few_taps(room: Room, words: tuple[str, ...], what: dict[str, object]) -> None:
    """From the page of corrections, each correction takes one or two taps, and one more for another player."""
    room.in_actions().look("/table/correct")

    room.tap("Cem", *words)

    assert room.taps <= MOST
    assert {key: room.last[key] for key in what} == what
    assert (room.last["do"], room.last["player"]) == ("correct", "green")
