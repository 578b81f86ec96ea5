"""The pages of Die Kosmische Hanse: each step offers its legal moves in few taps, and says why others aren't."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

from companion.games.hanse import GAME
from companion.games.hanse.demo_policy import command
from companion.model.game import Viewer
from companion.records import replay
from tests.companion.games.hanse.voyage import GOODS, cards, side, sides
from tests.web.games.hanse.cabin import HOST, Cabin, flown, lines, links
from web.games.hanse.practice import demo

# Set-up


def test_five_taps_set_out_a_planet(empty: Cabin) -> None:
    """Set-up: four taps put a card each into the URL; the fifth saves all five."""
    path, chosen = "/table", []
    for goods in GOODS["p1"].split()[:4]:
        chosen.append(goods)
        path = next(link for link in links(empty.host.get(path)) if link.endswith(f"={','.join(chosen)}"))
    empty.tap({"do": "goods", "planet": "p1", "cards": sides(GOODS["p1"])}, path)

    assert [card.to for card in empty.state.at("p1")] == ["p2", "p2", "p3", "p4", "p6"]
    assert "Which cards are at Naginther?" in empty.host.get("/table")


def test_a_card_that_shows_its_planet_is_not_offered(empty: Cabin) -> None:
    """Set-up: if a card would show its own planet, the page asks to flip it."""
    page = empty.host.get("/table?planet=p2&p2=p22,p13,p13,p13,p13")

    assert "Flip it" in page
    assert {each["to"] for line in lines(page) for each in line["cards"]} == {"p1", "p3", "p4", "p5", "p6"}


def test_planets_may_be_set_out_in_any_order(empty: Cabin) -> None:
    """Set-up: one tap leads to another planet, so planets can be set out in any order."""
    assert "/table?planet=p5" in links(empty.host.get("/table"))
    assert "Which cards are at Talmazzar?" in empty.host.get("/table?planet=p5")


def test_who_begins_and_where_is_one_tap_each(empty: Cabin) -> None:
    """Set-up: the younger player chooses first, then a starting planet is tapped on the board."""
    for planet, goods in GOODS.items():
        empty.table.do({"do": "goods", "planet": planet, "cards": sides(goods)}, HOST)
    empty.tap({"do": "choose", "player": "red", "take": "planet"})
    empty.tap({"do": "start", "player": "red", "planet": "p4"})

    assert empty.state.turn is not None and empty.state.turn.player == "blue"


# A turn


def test_what_a_flight_reaches_can_be_tapped(cabin: Cabin) -> None:
    """Flight: exactly the places within reach have buttons, each with its energy."""
    assert flown(lines(cabin.host.get("/table"))) == set()
    cabin.tap({"do": "roll", "player": "red", "dice": [3]})

    assert flown(lines(cabin.host.get("/table"))) == set(GAME.view(cabin.state, Viewer())["turn"]["reach"])


def test_a_one_is_followed_by_another_die(cabin: Cabin) -> None:
    """Flight: each 1 is counted in the URL, and the next number completes the roll."""
    assert "/table?ones=1" in links(cabin.host.get("/table"))
    cabin.tap({"do": "roll", "player": "red", "dice": [1, 1, 5]}, "/table?ones=2")

    assert cabin.state.turn is not None and cabin.state.turn.energy == 7


def test_the_companion_rolls(cabin: Cabin) -> None:
    """Flight: for a roll without dice, the server rolls once and records the dice."""
    cabin.tap({"do": "roll", "player": "red"})

    assert cabin.table.snapshot.recent[0].line["dice"]


def test_the_planet_offers_what_lies_there(cabin: Cabin) -> None:
    """Planet actions: there is a button for each load, each technology, and each unload with its gain."""
    cabin.correct(megagalax=5)
    found = lines(cabin.host.get("/table"))
    assert {line["to"] for line in found if line["do"] == "load"} == {"p1", "p2", "p4", "p5", "p6"}
    assert len([line for line in found if line["do"] == "buy"]) == 6

    cabin.correct(goods={"p1": []}).correct(container={"index": 0, "cards": cards("p32 p33")})
    assert "Unload: +5" in cabin.host.get("/table")


def test_goods_are_loaded_by_a_tap_on_the_map(cabin: Cabin) -> None:
    """Goods that can be loaded have buttons on the map and in the panel; other goods have no buttons."""
    found = [line for line in lines(cabin.host.get("/table")) if line["do"] == "load"]

    assert len(found) == 2 * len({line["to"] for line in found}) == 10
    cabin.tap({"do": "load", "player": "red", "to": "p1"})
    assert not [line for line in lines(cabin.host.get("/table")) if line["do"] == "load"]


def test_one_button_is_filled(cabin: Cabin) -> None:
    """The filled button is an unload or load if possible, otherwise the end of the turn. To fly, numbers are tapped."""
    assert filled(cabin.host.get("/table")) == []
    cabin.correct(goods={"p1": []}).correct(container={"index": 0, "cards": cards("p32 p33")})
    assert filled(cabin.host.get("/table")) == ["Unload: +5"]
    cabin.correct(container={"index": 0, "cards": []}).do("red", "roll", dice=[2])
    assert filled(cabin.host.get("/table")) == []
    cabin.do("red", "fly", to="o3").do("red", "fly", to="g3")
    assert filled(cabin.host.get("/table")) == ["End turn", "End turn"]


def filled(page: str) -> list[str]:
    """Return the labels of all filled rows and buttons."""
    rows = re.findall(r'class="deed main".*?<b>(.*?)</b', page, re.DOTALL)
    ends = re.findall(r'class="btn go[^"]*" name="line".*?data-frame="main">(.*?)<', page, re.DOTALL)
    return [" ".join(found.split()) for found in (*rows, *ends)]


def test_out_in_space_the_page_says_why_not(cabin: Cabin) -> None:
    """Planet actions: between planets, the page shows the reason instead of the actions."""
    cabin.correct(place="g3")

    assert "The ship is between two orbits." in cabin.host.get("/table")


def test_cards_are_a_page_away(cabin: Cabin) -> None:
    """Interventions: all nine are shown; those with a choice link to a page, and the others take one tap."""
    page = cabin.host.get("/table/card")
    assert {line["card"] for line in lines(page)} == {
        *("passenger", "agent", "afterburner", "sun_tunnel", "transmitter_gate", "hyperstorm")
    }
    assert {"/table/card/inner_loading", "/table/card/outer_loading"} <= set(links(page))

    wanted = {"do": "intervene", "player": "red", "card": "inner_loading", "planet": "p2", "to": "p3"}
    assert "Allow" in cabin.tap(wanted, "/table/card/inner_loading").host.get("/table")


def test_two_loads_are_exchanged_by_tap(cabin: Cabin) -> None:
    """On-Board Transmitter: each pair of loaded containers has a button."""
    cabin.do("red", "load", to="p1").do("red", "end_turn").do("blue", "load", to="p2").do("blue", "end_turn")

    wanted = {"do": "intervene", "player": "red", "card": "on_board_transmitter", "mine": 0, "theirs": 0}
    assert wanted in lines(cabin.host.get("/table/card/on_board_transmitter"))


def test_nothing_is_corrected_while_a_card_waits_for_its_answer(cabin: Cabin) -> None:
    """Corrections: while the rules refuse corrections, the page gives the reason and offers none."""
    cabin.do("red", "intervene", card="agent")

    page = cabin.host.get("/table/correct")

    assert "Answer the card first." in page
    assert [line for line in lines(page) if line["do"] == "correct"] == []


def test_an_answer_is_one_tap(cabin: Cabin) -> None:
    """Interventions: the opponent allows or neutralises a card, and the page says what it does."""
    cabin.do("red", "intervene", card="agent")
    page = cabin.host.get("/table")

    assert "Ana plays Agent Infiltration." in page and "one planet action more" in page
    assert cabin.tap({"do": "neutralise", "player": "blue"}).state.players["blue"].hand == 4


def test_a_turn_ends_in_one_tap_or_with_discards(cabin: Cabin) -> None:
    """A player ends the turn with one tap, or with discards (named or not) and fewer cards drawn."""
    cabin.tap({"do": "end_turn", "player": "red"})
    line = {"do": "end_turn", "player": "blue", "discard": ["agent", None], "draw": 0}

    assert cabin.tap(line, "/table/act/discard?cards=agent,-").state.players["blue"].hand == 3


# Turning over


def test_unseen_sides_are_asked_for_card_by_card(cabin: Cabin) -> None:
    """Flip: unseen cards are entered by taps, known ones are filled in, and the last tap flips all."""
    cabin.correct(goods={"p1": []}).correct(container={"index": 0, "cards": cards("p32 p33<p63")})
    cabin.do("red", "unload", container=0)
    page = cabin.host.get("/table")
    assert "+5 for Ana" in page and "Turn card 2 over" in page

    cabin.tap({"do": "flip", "player": "red", "cards": [side("p12"), side("p63")]})
    assert cabin.state.phase == "turn"


def test_two_pairs_are_a_choice(cabin: Cabin) -> None:
    """Flip: with two pairs, each pair has a button."""
    cabin.correct(goods={"p1": []}).correct(container={"index": 0, "cards": cards("p32 p33 p32 p33")})
    cabin.do("red", "unload", container=0)
    found = [line["leave"] for line in lines(cabin.host.get("/table?cards=p12,p22,p13,p23"))]

    assert found == [[0, 2], [1, 3]]


def test_known_sides_are_turned_over_in_one_tap(cabin: Cabin) -> None:
    """Flip: if all cards have been seen before, nothing has to be entered."""
    cabin.correct(goods={"p1": []}).correct(container={"index": 0, "cards": cards("p32<p12")})
    cabin.do("red", "unload", container=0)

    assert lines(cabin.host.get("/table")) == [{"do": "flip", "player": "red", "cards": [side("p12")]}]


# Viewers


def test_a_phone_acts_for_its_own_seat(cabin: Cabin) -> None:
    """Phones: only the phone of the player on the move has buttons; the other shows the table and whose turn it is."""
    red, blue = cabin.phone("red"), cabin.phone("blue")

    assert "Your turn, Ana" in red.get("/table") and lines(red.get("/table"))
    assert 'class="band red"' in red.get("/table/card") and 'class="bar"' not in red.get("/table/card")
    assert "Ana&#39;s turn" in blue.get("/table") and not lines(blue.get("/table"))
    cabin.tap({"do": "roll", "player": "red", "dice": [4]}, browser=red)
    assert cabin.state.turn is not None and cabin.state.turn.energy == 4


def test_the_goods_are_set_out_by_the_host(empty: Cabin) -> None:
    """Phones: the goods at the planets are entered on the table's devices, not on phones."""
    assert not lines(empty.phone("red").get("/table?cards=p22,p22,p22,p22"))


def test_what_now_names_every_deed_with_its_reason(cabin: Cabin) -> None:
    """What can I do now: the page lists actions with their gain, or the reason against them."""
    page = cabin.correct(place="o3").host.get("/help")

    assert "Land first: the ship is in orbit." in page
    assert "Roll and fly" in page and "Waiting for Ana." in page


def test_corrections_are_taps(cabin: Cabin) -> None:
    """Corrections: the host can change counts one by one, ships on the map, and goods card by card in an open pile."""
    page = cabin.host.get("/table/correct?seat=blue")
    found = [line for line in lines(page) if line["do"] == "correct"]
    opened = [line for line in lines(cabin.host.get("/table/correct?seat=blue&at=p4")) if line["do"] == "correct"]
    assert {"megagalax", "hand", "technologies", "place"} <= {name for line in found for name in line}
    assert opened and all("goods" in line for line in opened)

    assert "<title>Change the board" in page and "between Naginther and Vinau II" in page
    without = {**found[0], "goods": {"p4": cards("p13 p22 p52 p63")}}
    without.pop("megagalax")
    cabin.tap(without, "/table/correct?seat=blue&at=p4")
    assert len(cabin.state.at("p4")) == 4
    assert not lines(cabin.phone("blue").get("/table/correct"))


def test_known_discards_are_put_right_by_taps(cabin: Cabin) -> None:
    """Corrections: a discard entered under the wrong name can be renamed, and the number of discards doesn't change."""
    page = "/table/correct?seat=red"
    assert "discards" not in cabin.host.get(page)
    cabin.do("red", "intervene", card="agent").do("blue", "allow")
    named = {"do": "correct", "player": "red", "reason": "put right by hand"}

    cabin.tap({**named, "discards": {"agent": 0}}, page)
    cabin.tap({**named, "discards": {"hyperstorm": 1}}, page)

    red = cabin.state.players["red"]
    assert (red.known, red.discards) == ({"hyperstorm": 1}, 1)
    assert "agent" not in {card for line in lines(cabin.host.get(page)) for card in line.get("discards", {})}


def test_a_room_sees_the_board(cabin: Cabin) -> None:
    """The big screen shows planets, goods and containers, and has no button."""
    page = cabin.do("red", "load", to="p1").host.get("/screen")

    assert "Talmazzar" in page and "Ana" in page
    assert not lines(page)


def test_the_history_tells_it_in_sentences(cabin: Cabin) -> None:
    """History: each turn has a heading, and each move a sentence."""
    cabin.do("red", "roll", dice=[5]).do("red", "fly", to="p1").do("red", "end_turn")
    page = re.sub("<[^>]*>", "", cabin.host.get("/games/1/replay"))

    assert "Turn 1" in page
    assert all(words in page for words in ("Ana rolls 5", "Ana lands on Coronis", "Ana ends the turn"))


def test_it_plays_itself(cabin: Cabin) -> None:
    """Practice: there are two simulated players, and each step is explained."""
    cabin.host.post("/practice/begin")
    for _ in range(8):
        cabin.host.post("/practice/step")
    page = cabin.host.get("/practice")

    assert "Made-up players, simulated dice." in page
    assert "Both ships begin on the same planet." in page or "Both ships start on" in page


def test_the_demo_stands_in_a_flight(empty: Cabin) -> None:
    """Demo: the first possible action is a tap on a planet."""
    empty.host.post("/demo", game="hanse")

    assert flown(lines(empty.host.get("/table"))) == {
        *("o4", "g4", "o5", "g5", "o6", "p5", "o3", "p3", "o2", "p2", "o1", "p1")
    }
    assert replay({"hanse": GAME}, enumerate(demo(), 1)).state == empty.state


# A new game


def test_a_new_game_is_asked_for(empty: Cabin) -> None:
    """New game: the form has names, colours, who is younger, and the one ruling."""
    fields = {"name1": "Ana", "name2": "Ben", "colour1": "green", "colour2": "black", "first": "1"}
    assert empty.host.post("/new", game="hanse", reshuffle="off", **fields) == (303, "/table")
    header = empty.table.snapshot.header

    assert header is not None and header["younger"] == "green"
    assert header["options"] == {"reshuffle": False}


def test_a_mistake_loses_nothing(empty: Cabin) -> None:
    """New game: two players of the same colour are refused, and all entered values are kept."""
    status, page = empty.host.post("/new", True, game="hanse", name1="Ana", name2="Ben", colour1="red", colour2="red")

    assert status == 200
    assert "both have red" in page and 'value="Ana"' in page


# A whole game


def test_every_line_of_a_game_is_offered(empty: Cabin) -> None:
    """Whole game: each move of simulated players has a button on its step's page, and the record replays."""
    lots, most = Random(11), 30
    while not empty.state.finished and most:
        asked = command(empty.state, lots)
        line = json.loads(json.dumps(GAME.line(asked)))
        empty.tap(line, page_of(line, empty))
        most -= 1

    assert replay({"hanse": GAME}, enumerate(empty.table.archive.record(), 1)).state == empty.state


def page_of(line: dict[str, Any], cabin: Cabin) -> str:
    """Return the address of the page that has a button for *line*."""
    match line:
        case {"do": "goods", "planet": planet, "cards": [*shown]}:
            return f"/table?planet={planet}&{planet}=" + ",".join(f"{one['to']}{one['value']}" for one in shown[:-1])
        case {"do": "flip", "cards": [*shown]}:
            assert cabin.state.flipping is not None
            unseen = [one for one, card in zip(shown, cabin.state.flipping.cards, strict=True) if card.back is None]
            typed = unseen if "leave" in line and many_pairs(line) else unseen[:-1]
            if "leave" in line and not many_pairs(line):
                line.pop("leave")
            return "/table?cards=" + ",".join(f"{one['to']}{one['value']}" for one in typed)
        case {"do": "roll", "dice": [*dice]}:
            return f"/table?ones={len(dice) - 1}"
        case {"do": "intervene", "card": str(card)} if "planet" in line or "mine" in line:
            return f"/table/card/{card}"
        case {"do": "intervene"}:
            return "/table/card"
        case _:
            return "/table"


def many_pairs(line: dict[str, Any]) -> bool:
    """Return whether a flip leaves a choice between pairs."""
    shown = [one["to"] for one in line["cards"]]
    return sum(shown.count(to) * (shown.count(to) - 1) // 2 for to in set(shown)) > 1
