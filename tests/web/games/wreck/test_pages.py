"""The pages of the wreck: every step of a round takes one to three taps, and every page is linked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from companion.games.registry import GAMES
from companion.games.wreck import GAME
from companion.games.wreck.researchers import first_steps
from companion.games.wreck.state import Phase
from companion.model.boxes import Copy
from companion.model.corrections import REASON
from companion.model.game import Viewer
from companion.records import replay
from tests.web.games.andromeda.room import Page
from tests.web.games.wreck.house import HOST, WreckHouse, lines_on
from tests.web.served_house import Browser
from web.games.wreck.play.effects import EffectEntry
from web.games.wreck.play.roll import rolled


@pytest.fixture
def house(tmp_path: Path) -> Iterator[WreckHouse]:
    """A server with the wreck, and no game on the table."""
    made = WreckHouse(tmp_path)
    yield made
    made.close()


# New games


FILLED = re.compile(r'<button\s+class="btn go"')

FORM = {
    "game": "wreck",
    "players": "2",
    "name1": "Ana",
    "name2": "Ben",
    "first": "2",
    "aboard1": "3",
    "trained1": "4",
    "species2": "Example",
    "aboard2": "2",
    "trained2": "5",
    "per2": "2",
    "place2": "Altar",
    "tech1": "Example card",
    "vaccine": "2",
}


def test_a_game_is_set_out_on_its_page(house: WreckHouse) -> None:
    """New game: the form sets players, species with their numbers and place, technologies, tiles, and who starts."""
    host = house.host()
    assert "Who plays which species?" in host.get("/new?game=wreck")

    assert host.post("/new", **FORM) == (303, "/table")
    header = next(iter(house.table.archive.record()))
    assert header["players"][1]["species"] == {
        "name": "Example",
        "aboard": 2,
        "trained": 5,
        "place": {"name": "Altar", "per_kp": 2},
    }
    assert (header["first"], len(header["layout"])) == ("blue", 7)
    assert [each["id"] for each in header["technologies"]] == ["teleporter", "t2", "vaccine", "t4"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"aboard1": ""}, "the species card is required"),
        ({"trained1": "x"}, "0 to 16, not x"),
        ({"aboard1": "9", "trained1": "9"}, "more"),
        ({"name2": "Ana"}, "Two players are called Ana"),
        ({"colour2": "red"}, "both have red"),
        ({"cells": "own", "cell_1_0": "on"}, "Lay 7 tiles"),
        ({"cells": "own", "tiles": "free", "cell_2_0": "on"}, "a side in common"),
    ],
)
def test_a_mistake_loses_nothing(house: WreckHouse, change: dict[str, str], says: str) -> None:
    """New game: mistakes are named, and all entered values are kept."""
    page = house.host().post("/new", follow=True, **{**FORM, **change})[1]

    assert says in page
    assert "Example card" in page


@pytest.mark.parametrize("change", [{"aboard2": ""}, {"trained2": "99"}, {"aboard2": "9", "trained2": "9"}])
def test_a_card_that_is_not_right_lies_open(house: WreckHouse, change: dict[str, str]) -> None:
    """New game: after a mistake in a species card, that card is open and the other cards are closed."""
    page = house.host().post("/new", follow=True, **{**FORM, **change})[1]

    cards = page.split('<details class="species-card"')[1:]
    assert [card.split(">", 1)[0].strip() for card in cards[:2]] == ["", "open"]


def test_tiles_lie_as_they_lie_on_the_table(house: WreckHouse) -> None:
    """New game: tiles are ticked on a grid around the airlock."""
    cells = {f"cell_{x}_0": "on" for x in (1, 2, 3)}
    house.host().post("/new", **{**FORM, **cells, "cells": "own", "tiles": "free"})

    assert next(iter(house.table.archive.record()))["layout"] == [[0, 0], [1, 0], [2, 0], [3, 0]]


# Taps


def test_a_roll_is_tapped_in(house: WreckHouse) -> None:
    """Each die and each re-roll takes one tap; the roll can only be sent when it is complete."""
    assert rolled("ttt", "", 7).wanted == 4
    again = rolled("cccccct", "", 7)
    assert (again.again, again.wanted) == (True, 3)
    assert rolled("cccccct", "ctm", 7).wanted == 1
    assert rolled("cccccct", "ctmk", 7).lists == (("contamination", "training", "move"), ("technology",))

    house.begun(2).done({"do": "open", "card": None})
    page = house.host().get("/table?d=cccccct&a=ctmk")
    house.done(lines_on(Page(page))[0])
    assert sum(house.state.pool) == 7


def test_a_decision_takes_three_taps(house: WreckHouse) -> None:
    """Turn: dice, rooms, tiles, technologies and the end of a turn take at most three taps."""
    house.looked_around()
    host, player = house.host(), {"player": "red"}
    die = "/table?die=support"
    explore = {"from": "airlock", "cell": [1, 0], "room": "reactor"}
    teleport = {"do": "technology", **player, "die": "technology", "id": "teleporter", "room": "cryo"}

    assert house.taps_to(host, {"do": "end_turn", **player}) == 1
    assert house.taps_to(host, {"do": "call", **player, "die": "support", "to": ["airlock"] * 2}, die) == 2
    assert house.taps_to(host, teleport, "/table?die=technology") == 2
    step, way = [["airlock", "engine"]], ("/table?from=airlock", "/table?steps=airlock-engine")
    assert house.taps_to(host, {"do": "move", **player, "die": "support", "steps": step}, *way) == 3
    way = ("/table?cell=1,0", "/table?cell=1,0&from=airlock&room=reactor")
    assert house.taps_to(host, {"do": "explore", **player, "die": "technology", **explore}, *way) == 3


def test_an_offer_is_answered_in_one_tap(house: WreckHouse) -> None:
    """Offers: accepting or declining an offer takes one tap."""
    house.begun(3).played(lambda state: state.offer is not None and not state.offer.forced)
    asked, host = house.state.offer.asked, house.host()

    assert house.taps_to(host, {"do": "decline", "player": asked}) == 1
    assert house.taps_to(host, {"do": "accept", "player": asked, "die": None}) == 1


def test_room_actions_are_three_taps(house: WreckHouse) -> None:
    """Rooms: the action of a controlled room is chosen on the map."""
    effects = [
        {"what": "explore", "cell": [1, 0], "room": "hangar"},
        {"what": "explore", "cell": [0, 1], "room": "reactor"},
        {"what": "researchers", "colour": "red", "from": "supply", "to": "hangar", "count": 1},
        {"what": "researchers", "colour": "red", "from": "supply", "to": "reactor", "count": 1},
    ]
    house.looked_around().done({"do": "correct", "player": "red", "reason": "set up", "effects": effects})
    host = house.host()
    swap = [["red", "reactor"], ["blue", "airlock"]]

    assert house.taps_to(host, {"do": "hangar", "player": "red", "to": "cryo"}, "/table?act=hangar") == 2
    way = ("/table?act=reactor", "/table?act=reactor&one=red-reactor")
    assert house.taps_to(host, {"do": "reactor", "player": "red", "swap": swap}, *way) == 3
    own = [["red", "reactor"], ["red", "airlock"]]
    assert house.taps_to(host, {"do": "reactor", "player": "red", "swap": own}, *way) == 3


def test_contamination_is_tapped_on_the_map(house: WreckHouse) -> None:
    """Contamination takes one tap if there is no choice, otherwise one tap per room and one to remove."""
    effect = {"what": "die", "colour": "red", "from": "support", "to": "contamination"}
    house.looked_around().done({"do": "correct", "player": "red", "reason": "a card", "effects": [effect]})
    line = {"do": "contaminate", "player": "red", "vaccines": 0, "remove": ["cryo"], "place": 0}

    assert house.taps_to(house.host(), line, "/table?r=cryo") == 2


def test_a_mission_is_entered_and_fulfilled(house: WreckHouse) -> None:
    """Missions: name, KP and cost are typed in; the rooms to sacrifice are tapped."""
    house.looked_around()
    host = house.host()
    page = host.get(
        "/table/mission?" + urlencode({"m": "personal", "name": "Scouts", "kp": 2, "sacrifice": 1, "s": "cryo"})
    )
    line = {
        "do": "fulfil",
        "player": "red",
        "mission": "personal",
        "sacrifice": ["cryo"],
        "card": {"name": "Scouts", "kp": 2, "sacrifice": 1},
    }

    assert line in [json.loads(tap.fields["line"]) for tap in Page(page).taps if tap.fields and "line" in tap.fields]
    house.done(line)
    assert "Scouts" in host.get("/games/1/replay")


def test_a_technology_does_what_the_table_says(house: WreckHouse) -> None:
    """Technologies: effects are added one by one, and then used together."""
    house.looked_around()
    first = [{"what": "researchers", "colour": "blue", "from": "airlock", "to": "species", "count": 1}]
    more = {"tech": "t2", "e": json.dumps(first), "add": "1", "what": "kp", "colour": "red", "count": "2"}
    page = Page(house.host().get("/table/effects?" + urlencode(more)))
    lines = [json.loads(tap.fields["line"]) for tap in page.taps if tap.fields and "line" in tap.fields]

    assert "Ana: +2 KP" in page.text
    house.done(lines[0])
    assert (house.state.players["red"].kp, house.state.players["blue"].species) == (2, 7)


def test_a_correction_is_tapped_on_the_board(house: WreckHouse) -> None:
    """Corrections: a room is tapped, then the destination; the reason is filled in."""
    host = house.looked_around().host()
    moved = {"what": "researchers", "colour": "red", "from": "airlock", "to": "engine", "count": 1}
    half = "/table/correct?seat=red&what=researchers&from=airlock"
    line = {"do": "correct", "player": "red", "reason": REASON, "effects": [moved]}

    assert half in [tap.address for tap in Page(host.get("/table/correct")).taps]
    assert line in lines_on(Page(host.get(half)))

    house.done(line)
    assert "Corrected" in host.get("/games/1/replay") and REASON not in host.get("/games/1/replay")


@pytest.mark.parametrize(
    ("query", "effect"),
    [
        ("seat=blue", {"what": "kp", "colour": "blue", "count": 1}),
        ("", {"what": "die", "colour": "red", "from": "support", "to": None}),
        ("", {"what": "die", "colour": "red", "from": None, "to": "move"}),
        ("", {"what": "room_action", "colour": "red", "used": True}),
        ("", {"what": "used", "id": "t2", "used": True}),
        (
            "seat=blue&what=researchers&from=supply&count=2",
            {"what": "researchers", "colour": "blue", "from": "supply", "to": "species", "count": 2},
        ),
        (
            "seat=red&what=teleporter&from=airlock",
            {"what": "teleporter", "colour": "red", "from": "airlock", "to": "cryo"},
        ),
        ("seat=red&cell=1,0", {"what": "explore", "cell": [1, 0], "room": "hangar"}),
    ],
)
def test_each_thing_can_be_corrected(house: WreckHouse, query: str, effect: Mapping[str, Any]) -> None:
    """Corrections: there is a button for each number, die, room action, technology, teleporter and tile."""
    page = Page(house.looked_around().host().get(f"/table/correct?{query}"))

    assert [effect] in [line.get("effects") for line in lines_on(page) if line["do"] == "correct"]
    house.done({"do": "correct", "player": "red", "reason": REASON, "effects": [effect]})


@pytest.mark.parametrize(
    ("query", "effect"),
    [
        ("what=kp&colour=blue&count=-2", {"what": "kp", "colour": "blue", "count": -2}),
        ("what=die&from=move&to=none", {"what": "die", "colour": "red", "from": "move", "to": None}),
        ("what=vaccines&count=1", {"what": "vaccines", "colour": "red", "count": 1}),
        (
            "what=teleporter&from=airlock&to=cryo",
            {"what": "teleporter", "colour": "red", "from": "airlock", "to": "cryo"},
        ),
        ("what=explore&cell=1,0&room=hangar", {"what": "explore", "cell": [1, 0], "room": "hangar"}),
        ("what=used&id=t2&sign=less", {"what": "used", "id": "t2", "used": False}),
        ("what=room_action&sign=more", {"what": "room_action", "colour": "red", "used": True}),
        ("what=kp&count=0", None),
        ("what=researchers&from=airlock", None),
    ],
)
def test_a_change_is_whole_when_all_is_chosen(house: WreckHouse, query: str, effect: Any) -> None:
    """Each kind of technology effect has its own fields, and only counts when all of them are chosen."""
    entry = EffectEntry.of(house.looked_around().state, dict(parse_qsl(query)))

    assert entry.effect == effect
    assert EffectEntry.of(house.state, dict(parse_qsl(urlsplit(entry.another()).query))).entered == (
        () if effect is None else (effect,)
    )


@pytest.mark.parametrize(
    "query", ["e=%5B1", "e=%7B%7D", "what=luck&add=1", "what=explore&add=1&cell=x", "what=kp&add=1&count=x"]
)
def test_bad_addresses_change_nothing(house: WreckHouse, query: str) -> None:
    """Pages: a URL with invalid parameters shows the page, with the parameters that are valid."""
    host = house.looked_around().host()

    for path in ("/table/correct", "/table/effects", "/table/mission", "/table"):
        assert "Ana" in host.get(f"{path}?tech=t2&m=g1&die=x&from=x&steps=a-b,c&cell=9,9&act=hangar&d=zz&{query}")


def test_steps_without_a_die_left_are_shown_all_the_same(house: WreckHouse) -> None:
    """Pages: a URL of an older version whose steps no die pays for still shows the steps."""
    house.begun(2).played(lambda state: state.phase is Phase.TURNS and not any(state.players[state.turn].dice))
    (source, target), *_ = first_steps(house.state, house.state.turn)

    assert "Ana" in house.host().get(f"/table?steps={source}-{target}")


# Permissions


def test_a_phone_plays_for_its_own_seat(house: WreckHouse) -> None:
    """Seats: a phone always shows the map, but has buttons only while its seat is on the move."""
    house.looked_around()

    assert any("line" in (tap.fields or {}) for tap in Page(house.phone("red").get("/table")).taps)
    blue = Page(house.phone("blue").get("/table"))
    assert not any("line" in (tap.fields or {}) for tap in blue.taps)
    assert "Cryo chamber" in blue.text


def test_a_phone_has_the_band_of_its_own_seat(house: WreckHouse) -> None:
    """Seats: the band has the colour of the phone's player, and says whose turn it is and how many dice are left."""
    house.looked_around()
    red, blue = house.phone("red").get("/table"), house.phone("blue").get("/table")

    assert 'class="band red"' in red and "Your turn, Ana" in red and "2 dice left" in red
    assert 'class="band blue"' in blue and "Ana&#39;s turn" in blue and "dice left" not in blue
    assert "End turn" in red and "End turn" not in blue


def test_used_dice_stay_in_sight(house: WreckHouse) -> None:
    """Turn: a used die stays in its place and is marked as used; an unused one links to its actions."""
    page = house.looked_around().host().get("/table")
    dice = page.split('<ul class="cells held"', 1)[1].split("</ul>", 1)[0].split("<li")[1:]

    assert [("used" in die, "die=" in die) for die in dice] == [(False, True), (True, False), (False, True)]


@pytest.mark.parametrize(
    "query", ["", "die=support", "die=technology", "from=airlock", "steps=airlock-cryo", "cell=1,0"]
)
def test_a_page_has_one_filled_button(house: WreckHouse, query: str) -> None:
    """Turn: at most one button is filled, both next to the rooms and in the dock."""
    page = house.looked_around().host().get(f"/table?{query}")
    beside, dock = page.split("<main", 1)[1].split('<nav class="dock"', 1)

    assert len(FILLED.findall(beside)) == len(FILLED.findall(dock)) <= 1


# Every page


STEPS = (
    lambda state: not state.open_due,
    lambda state: state.phase == "turns" and state.players[state.turn].contamination > 1,
    lambda state: state.phase == "cleanup" and not state.open_due,
    lambda state: state.finished,
)
AROUND = (
    "/help",
    "/table/board",
    "/table/correct",
    "/games/1/replay",
    "/help?cards",
    "/help?card=actions",
    "/screen",
    "/table/menu",
)


def test_every_page_is_there(house: WreckHouse) -> None:
    """Pages: in every phase, the table, the pages it links to and the fixed pages can be opened."""
    house.begun(4)
    host = house.host()
    for enough in STEPS:
        page = Page(host.get(house.played(enough) and "/table"))
        links = {tap.address for tap in page.taps if tap.fields is None and tap.address.startswith("/table")}
        for address in (*AROUND, *sorted(links)[:8]):
            assert host.client.get(address).status_code in (200, 303)


def test_the_end_says_who_and_why(house: WreckHouse) -> None:
    """The end: the page says who has won and why, and the record replays to the same state."""
    house.begun(2).played(lambda state: state.finished)
    page = house.host().get("/table")
    played = replay(GAMES, enumerate(house.table.archive.record(), 1))

    assert str(GAME.result(house.state).why) in page
    assert GAME.view(played.state, Viewer(owner=True)) == GAME.view(house.state, Viewer(owner=True))


def test_it_plays_itself(house: WreckHouse) -> None:
    """In practice, three simulated players play automatically, and each step is explained."""
    host = house.host()
    host.post("/practice/begin")
    begun = host.get("/practice")
    for _ in range(12):
        host.post("/practice/step")

    assert "data-again" in begun and "reload_when_due" in begun
    assert "Made-up players" in host.get("/practice")


def test_a_big_screen_shows_ship_and_dice(house: WreckHouse) -> None:
    """The screen shows the wreck and the pools of dice."""
    house.begun(3).played(lambda state: state.offer is not None)
    page = house.app.test_client().get("/screen").get_data(as_text=True)

    assert "Airlock" in page and "Pool" in page


def test_cards_are_remembered_with_their_box(house: WreckHouse) -> None:
    """One tap fills in a species or technology that was entered before, and a second tap removes it."""
    host = house.host()
    host.post("/new", **FORM, keep="Our box")

    form = set_out(host, "")
    assert form["copy"] == "Our box"
    form = set_out(host, "species Example", form)
    assert (form["species1"], form["aboard1"], form["trained1"], form["per1"]) == ("Example", "2", "5", "2")
    form = set_out(host, "tech Example card", form)
    assert (form["species1"], form["tech1"]) == ("Example", "Example card")
    form = set_out(host, "species Example", form)
    assert (form["species1"], form["trained1"], form["tech1"]) == ("", "", "Example card")


def test_a_mission_is_offered_again_with_its_box(house: WreckHouse) -> None:
    """Boxes: a mission card entered in one game takes one tap in the next game, to open or to fulfil it."""
    host, card = house.host(), {"name": "Scouts", "kp": 2, "sacrifice": 0}
    host.post("/new", **FORM, keep="Our box")
    assert "Scouts" not in host.get("/table")
    house.done({"do": "open", "card": card})

    host.post("/new", **FORM, copy="Our box")
    house.done({"do": "open", "card": None}, {"do": "undo"})

    assert house.taps_to(host, {"do": "open", "card": card}) == 1
    house.done({"do": "open", "card": None}).played(
        lambda state: state.phase is Phase.TURNS and not state.players[state.turn].contamination
    )
    player = house.state.turn
    line = {"do": "fulfil", "player": player, "mission": "personal", "sacrifice": [], "card": card}
    way = ("/table/mission?m=personal", "/table/mission?m=personal&name=Scouts&kp=2&sacrifice=0")
    assert house.taps_to(host, line, *way) == 3


def test_two_games_never_share_the_name_of_a_box(house: WreckHouse) -> None:
    """Boxes: saving under the name of another game's box is refused, and that box is unchanged."""
    other = Copy("Our box", "draws", None, {"red": "red", "blue": "blue"})
    house.table.save_copy(other, HOST)

    page = house.host().post("/new", follow=True, **FORM, keep="Our box")[1]

    assert "another game" in page
    assert house.table.archive.copies() == (other,)


def set_out(host: Browser, pick: str, form: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """Return the form after a tap on the known card *pick*, which the page must offer."""
    sent = {"game": "wreck", "players": "2", **(form or {}), "pick": pick}
    page = Page(host.get("/new?" + urlencode(sent)))
    for known in ("species Example", "tech Example card"):
        assert known in [tap.fields.get("pick") for tap in page.taps if tap.fields]
    fields = page.find("Start game").fields
    assert fields is not None
    return fields
