"""What each page shows, and what it hides."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from companion.model.game import Seat
from companion.session.commands import Undo
from tests.web.games.andromeda.room import HOST, Page, Room
from web.components.players import faces
from web.games.andromeda.pages import PAGES
from web.request.game_pages import Elsewhere, Look

Rooms = Callable[..., Room]


def test_every_player_has_a_letter_of_their_own() -> None:
    """On their tokens, players whose names begin alike get different letters."""
    seats = [Seat("red", "Ben"), Seat("blue", "Ben"), Seat("green", "Bea"), Seat("black", "BE")]

    letters = [face.letter for face in faces(seats).values()]

    assert letters == ["B", "E", "A", "C"]


def test_what_is_not_legal_keeps_its_place_and_gives_its_reason(room: Room) -> None:
    """Board: all five actions have a fixed order, and each impossible one shows its reason."""
    room.in_actions().do("correct", player="red", reason="x", ship=4)

    deeds = room.scene()["deeds"]

    assert [deed.name for deed in deeds] == ["exchange", "move", "establish", "technology", "ship"]
    assert {deed.name: deed.reason for deed in deeds if deed.reason} == {"ship": "Already the biggest"}


def test_a_planet_that_cannot_be_chosen_says_why_in_its_tile(room: Room) -> None:
    """A planet without the player's stations or without a free centre is disabled and says why; others are enabled."""
    room.in_actions().do("correct", player="red", reason="x", move={"from": "p1", "to": "earth", "count": 3})
    for slot, colour in enumerate(("red", "blue", "green")):
        room.do("correct", player=colour, reason="x", move={"from": "p2", "to": f"p2/{slot}", "count": 1})

    tiles = room.scene("act/establish")["tiles"]

    assert {place: tile.reason for place, tile in tiles.items() if tile.reason} == {
        "p1": "No station of yours",
        "p2": "All three taken",
    }
    assert {tile.state for place, tile in tiles.items() if place in ("p3", "p4", "p5", "p6", "p7")} == {"outlined"}
    assert "None of yours on Ringworld" in room.look("/table/act/establish?planet=p1").text
    assert "Twins is full" in room.look("/table/act/establish?planet=p2").text


def test_what_a_set_gives_is_worked_out_before_it_is_played(room: Room) -> None:
    """Hand: the page shows the centre's value and the player's stations there, and what each number of cards gives."""
    hand = room.in_actions().scene("act/establish", planet="p6")["hand"]

    assert [gain.number for gain in hand.gains] == ["13", "2"]
    assert [(size.words, size.gives) for size in hand.sizes] == [
        ("Play 3 Frost", "1 draw"),
        ("Play 4 Frost", "2 draws, +2 silver"),
        ("Play 5 Frost", "2 draws, +3 gold"),
        ("Play 6 Frost", "3 draws, +4 platinum"),
        ("Play 7 Frost", "3 draws, +5 diamond"),
    ]


def test_a_planet_brings_as_many_cards_as_the_player_used_last(room: Room) -> None:
    """Hand: the set starts with four cards, or as many as the last set had, if every possible hand can pay them."""
    room.in_actions()
    sizes = [room.scene("act/move", planet="p1")["hand"].pick.size]
    room.do("move", player="red", planet="p5", cards=3, stations=0)
    sizes.append(room.scene("act/establish", planet="p1")["hand"].pick.size)
    room.do("correct", player="blue", reason="x", bonus={"silver": 4})

    room.do("correct", player="red", reason="x", hand=6)

    assert [*sizes, room.scene("act/establish", planet="p1")["hand"].pick.size] == [4, 3, 0]


def test_the_largest_set_depends_on_the_number_of_cards_alone(room: Room) -> None:
    """Hidden credits: with five cards in hand, sets of up to five are offered, whoever holds which credit."""
    room.in_actions().do("correct", player="red", reason="x", hand=5)

    sizes = room.scene("act/move", planet="p1")["hand"].sizes

    assert [(size.cards, size.reason) for size in sizes if size.reason] == [
        (6, "Only 5 cards in hand"),
        (7, "Only 5 cards in hand"),
    ]


def test_a_joker_takes_the_place_of_a_card(room: Room) -> None:
    """Hand: the set keeps its size: removing the last joker adds the planet card again."""
    room.in_actions().do("correct", player="red", reason="x", bonus={"silver": 1})
    room.look("/table/act/move?planet=p1")

    room.tap("Add one silver")
    with_joker = room.page
    room.tap("Remove one silver")

    assert with_joker.find("Play 4 Ringworld").fields["line"].count("silver") == 1  # type: ignore[index]
    assert '"cards": 3' in with_joker.find("Play 4 Ringworld").fields["line"]  # type: ignore[index]
    assert '"cards": 4' in room.page.find("Play 4 Ringworld").fields["line"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("path", "filled"),
    [
        ("", ["Establish a centre"]),
        ("/act/establish", []),
        ("/act/establish?planet=p6", ["4 +2 Play 4 Frost: 2 draws, +2 silver"]),
        ("/act/move?planet=p6", ["4 +2 Play 4 Frost: 2 stations move, +2 silver"]),
        ("/act/technology", []),
        ("/act/exchange", []),
    ],
)
def test_a_page_of_the_turn_has_one_filled_button_at_most(room: Room, path: str, filled: list[str]) -> None:
    """Board: only the likeliest button is filled, and none while a planet is still to be chosen."""
    html = room.in_actions().look(f"/table{path}").html.partition("<main")[2]

    found = re.findall(r'class="(?:(?:btn|size)[^"]* go[^"]*|deed main)"[^>]*>(.*?)</(?:a|button)>', html, re.S)

    shown = [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in found]
    assert [one.partition(" 3 to 7")[0] for one in shown if one] == filled


def test_stations_to_move_show_where_they_leave_and_where_they_land(room: Room) -> None:
    """Hand: the page shows the change on Earth and on the planet before the set is played."""
    hand = room.in_actions().scene("act/move", planet="p5", stations="1")["hand"]

    assert hand.changes == {"p5": "+1", "earth": "\N{MINUS SIGN}1"}
    assert [(one.count, one.chosen) for one in hand.stations] == [(0, False), (1, True), (2, False), (3, False)]
    assert {size.line["stations"] for size in hand.sizes} == {1}


def test_odds_show_only_where_the_table_wants_them(rooms: Rooms) -> None:
    """By default, the odds are hidden on the page of the hand and during the attempt."""
    hidden, shown = rooms().in_actions(), rooms(show_odds=True).in_actions()

    for room in (hidden, shown):
        room.look("/table/act/establish?planet=p1")
    pages = [room.page.text for room in (hidden, shown)]

    assert ["chance of a centre" in page for page in pages] == [False, True]
    assert [bool(room.attempt().scene()["odds"]) for room in (hidden, shown)] == [False, True]


def test_no_page_of_the_table_gives_away_who_holds_a_credit(rooms: Rooms) -> None:
    """Every page is the same, no matter which player holds two credits."""
    pages = ("", "board", "act/establish", "act/technology", "act/exchange", "correct")

    by_holder = []
    for holder in ("red", "blue"):
        room = rooms().in_actions()
        room.do("correct", player=holder, reason="x", bonus={"gold": 2}).do(
            "correct", player=holder, reason="x", hand=9
        )
        by_holder.append({page: offered(room, page) for page in pages})

    assert by_holder[0] == by_holder[1]


def offered(room: Room, page: str) -> tuple[str, list[tuple[str, bool]]]:
    """Return the text of a page, and its taps with whether each of them is disabled."""
    seen = room.look(f"/table/{page}".rstrip("/"))
    return seen.text, [(tap.words, tap.off) for tap in seen.taps]


def test_credits_count_in_the_score_where_the_table_shows_them_always(rooms: Rooms) -> None:
    """Shown credits are included in the running score, and the note that they are missing disappears."""
    hidden, shown = rooms().in_actions(), rooms(show_bonus_credits="always").in_actions()
    for room in (hidden, shown):
        room.do("correct", player="red", reason="x", bonus={"gold": 2})

    points = [room.scene()["scores"][0].points for room in (hidden, shown)]

    assert points[1] - points[0] == 6
    assert "Credits count at the end." in hidden.scene()["score_note"]
    assert "Credits" not in shown.scene()["score_note"]


def test_a_game_on_the_example_board_says_so_wherever_points_stand(room: Room) -> None:
    """Example profile: a note next to the running score says that the values are examples."""
    room.in_actions()

    assert "Example values." in room.look().text
    assert "Example values." in room.look("/table/board").text


def test_a_face_down_card_stays_down_until_all_have_laid(room: Room) -> None:
    """Trading: a card that was named early is hidden until all others have played."""
    room.in_trading().do("lay", player="red", card="p1").do("lay", player="blue", card="p5")

    early = room.scene()["places"][1].cards
    room.do("lay", player="green", card="p5").do("lay", player="yellow", card=None).wait(3)
    late = room.scene()["places"][1].cards

    assert [card.word for card in early] == ["played"]
    assert [card.word for card in late] == ["Crescent"]


def test_cards_of_the_starting_player_are_not_allowed_to_the_others(room: Room) -> None:
    """Trading: the strip names forbidden cards, and their choice is disabled with the rule as the reason."""
    room.in_trading().do("lay", player="red", card="p4")

    context = room.scene(seat="blue")

    assert [card.word for card in context["banned"]] == ["Craters"]
    assert [choice.card.word for choice in context["choices"] if choice.reason] == ["Craters"]


def test_a_player_who_is_excused_sits_out_in_place(room: Room) -> None:
    """Trading: seats keep their order, and an excused seat is shown as sitting out."""
    room.in_trading().do("lay", player="red", card=None).do("excuse", player="green")

    places = room.scene()["places"]

    assert [place.face.name for place in places] == ["Ana", "Ben", "Cem", "Dora"]
    assert (places[2].out, places[2].words) == (True, "sits out")


def test_an_undone_set_up_is_there_to_be_mended(room: Room) -> None:
    """Set-up: the cards of a line that was just undone are still filled in, so that one tap corrects them."""
    cards = {"p1": 3, "p2": 3, "p7": 3}
    room.do("setup", player="red", cards=cards)

    room.table.execute(Undo(), HOST)
    context = room.scene()

    assert context["face"].name == "Ana"
    assert context["whole"] == {"do": "setup", "player": "red", "cards": cards}


def test_the_thirteenth_card_of_a_planet_cannot_be_tapped(room: Room) -> None:
    """In the set-up, a planet's card can't be added any more after all twelve have been dealt."""
    room.do("setup", player="red", cards={"p1": 9})

    tiles = room.scene(seat="blue", cards="3.0.0.0.0.0.0")["tiles"]

    assert tiles[0].reason == "all 12 dealt"
    assert (tiles[0].more, tiles[0].line) == ("", None)


@pytest.mark.parametrize("cards", ["", "1.1", "a.b.c.d.e.f.g", "9.9.9.9.9.9.9", "-1.0.0.0.0.0.0", "1" * 5000])
def test_a_broken_count_in_the_address_starts_over(room: Room, cards: str) -> None:
    """Set-up: an invalid count in the URL starts the count from zero."""
    assert room.scene(seat="red", cards=cards)["to_go"] == 9


def test_the_deal_list_is_limit_less_hand(room: Room) -> None:
    """In the card phase, a player who has spent six cards draws six."""
    room.in_actions().do("ship", player="red", planet="p1", cards=3).do("exchange", player="red", cards=1)
    for colour in ("red", "blue", "green", "yellow"):
        room.do("end_turn", player=colour)

    hands = {hand.face.colour: hand.cards for hand in room.scene()["hands"]}

    assert hands == {"red": 4, "blue": 0, "green": 0, "yellow": 0}


def test_the_attempt_shows_what_lies_under_the_ring_and_what_came(room: Room) -> None:
    """Attempt: each station is shown in the same place during the attempt, and draws are listed in order."""
    room.in_actions().attempt()
    before = room.scene()["cup"]

    room.do("draw", colour="blue")
    after = room.scene()

    assert [(one.x, one.y) for one in after["cup"]] == [(one.x, one.y) for one in before]
    assert [one.face.name for one in after["cup"] if one.gone] == ["Ben"]
    assert [fall.face.name if fall.face else "" for fall in after["falls"]] == ["Ben", "", ""]


def test_all_of_a_crowded_planet_lies_inside_the_cup(rooms: Rooms) -> None:
    """With up to 30 stations on a planet, none is drawn on the rim, and no two in the same place."""
    room = rooms(5).in_actions()
    for colour in room.state.colours:
        room.do("correct", player=colour, reason="x", move={"from": "earth", "to": "p1", "count": 4})
    room.attempt()

    cup = room.scene()["cup"]

    assert len(cup) == len({(one.x, one.y) for one in cup}) == 30
    assert all((one.x**2 + one.y**2) ** 0.5 + 14 * one.scale < 212 for one in cup)


def test_a_colour_that_is_not_there_rests(room: Room) -> None:
    """For a typed draw, the button of a colour without a station under the ring keeps its place, but is disabled."""
    room.in_actions()
    room.do("correct", player="yellow", reason="x", move={"from": "p1", "to": "earth", "count": 3})
    room.attempt().look("/table?type=1")

    assert room.page.rests("Dora, yellow came out")
    assert not room.page.rests("Ben, blue came out")


def test_only_a_simulated_ring_can_be_asked_to_slide(room: Room) -> None:
    """Slide: the button only exists for a simulated ring, and sends the slide to the ring."""
    room.in_actions().attempt().look()
    assert not any("Slide" in tap.words for tap in room.page.taps)

    room.ring.view = type(room.ring.view)(state=room.ring.view.state, simulated=True)
    room.look()
    room.tap("Slide")

    assert room.ring.slides == 1


def test_a_late_station_may_be_the_one_typed_in(room: Room) -> None:
    """The page asks about a station reported after its draw was typed in; "Already typed in" adds no second draw."""
    room.in_actions().attempt()
    token = room.table.order()
    assert token is not None
    room.do("draw", colour="blue")
    room.hear_late("blue", token.token)
    room.look()

    room.tap("Already typed in")

    assert room.state.attempt is not None
    assert room.state.attempt.drawn == ("blue",)


def test_somebody_who_only_looks_sees_who_chooses(room: Room) -> None:
    """Spectators see the same board, with "Ana chooses" instead of the actions, and can change nothing."""
    room.in_actions()

    page = Page(room.app.test_client().get("/table").get_data(as_text=True))

    assert "Ana chooses" in page.text and "End turn" not in page.text
    assert page.find("become host").address == "/pin?next=/table"
    assert not any(tap.fields and "line" in tap.fields for tap in page.taps if not tap.off)


def test_a_page_that_no_longer_fits_leads_back_to_the_table(room: Room) -> None:
    """Old addresses: the page of an action outside of the action phase redirects to the current step."""
    room.set_up()

    assert PAGES.scene(Look(room.snapshot, may_act=True), "act/ship") == Elsewhere()
    assert PAGES.scene(Look(room.snapshot, may_act=True), "act/nothing") is None
    assert PAGES.scene(Look(room.snapshot, may_act=True), "elsewhere") is None


@pytest.mark.parametrize(
    "query", ["planet=p9&cards=99&jokers=x,y", "cards=-1", "planet=&cards=%00", "jokers=" + "silver," * 99]
)
def test_whatever_stands_in_the_address_of_the_picker_it_shows(room: Room, query: str) -> None:
    """Hand: a URL with invalid parameters still shows the page."""
    room.in_actions()

    assert "Establish a centre" in room.look(f"/table/act/establish?{query}").text


def test_a_set_that_is_not_held_is_no_button(room: Room) -> None:
    """Refusals: a set that the rules refuse can be picked; the page shows the reason instead of the button."""
    page = room.in_actions().look("/table/act/technology?jokers=gold,gold")

    assert "Ana doesn't have these cards." in page.text
    assert not any("Play 3" in tap.words for tap in page.taps)


def test_a_refusal_tells_no_number_of_what_a_hand_hides(room: Room) -> None:
    """Refusals: a refused set of a hand with credits is explained without saying what the hand holds."""
    room.in_actions().do("correct", player="red", reason="x", bonus={"silver": 2}).do(
        "correct", player="red", reason="x", hand=5
    )

    room.look("/table/act/move?planet=p1")
    text = room.tap("Play 5 Ringworld").text

    assert "Ana doesn't have these cards." in text
    assert "3 planet cards" not in text and room.last["do"] == "correct"


def test_an_attempt_is_open_on_the_board_too(room: Room) -> None:
    """The board can be opened in every phase, and lists the open attempt among the last draws."""
    room.in_actions().attempt().do("draw", colour="green")

    draws = room.scene("board")["draws"]

    assert [(one.face.name, one.place, one.drawn, one.open) for one in draws] == [
        ("Ana", "Ringworld", ("green",), True)
    ]


def test_the_last_move_is_marked_on_its_planet(room: Room) -> None:
    """Board: the planet named in the newest line is marked."""
    room.in_actions().do("move", player="red", planet="p5", cards=3, stations=1)

    worlds = room.scene()["picture"].worlds

    assert [world.planet.label for world in worlds if world.last] == ["Crescent"]


def test_the_board_says_what_the_last_attempt_came_to(room: Room) -> None:
    """After the last draw of an attempt, the page says who won what, until the next move."""
    room.in_actions().do("establish", player="red", planet="p1", cards=4)
    room.do("draw", colour="blue")
    assert room.scene()["outcome"] is None

    room.do("draw", colour="red")

    seen = room.scene()["outcome"]
    assert (seen.words, seen.order) == ("Ana takes the 9 at Ringworld", "Ben, then Ana came out")
    assert "Ana takes the 9 at Ringworld" in room.look().text
    room.do("exchange", player="red", cards=1)
    assert room.scene()["outcome"] is None


def test_an_attempt_without_a_centre_is_said_too(room: Room) -> None:
    """A failed attempt is shown as well, and undoing its last draw removes the message."""
    room.in_actions().do("establish", player="red", planet="p1", cards=4)
    room.do("draw", colour="blue").do("draw", colour="green")

    assert room.scene()["outcome"].words == "No centre for Ana at Ringworld"
    room.table.execute(Undo(), HOST)
    assert room.scene()["outcome"] is None


def test_a_planet_without_a_station_begins_a_move(room: Room) -> None:
    """Board: tapping a planet without a station of the player leads to moving stations there."""
    room.in_actions().do("correct", player="red", reason="x", move={"from": "p1", "to": "earth", "count": 3})

    assert room.scene()["tiles"]["p1"].address == "/table/act/move?planet=p1"
