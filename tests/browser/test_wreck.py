"""A short game of the wreck for two on a tablet and a phone: the record replays to the same final state."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from companion.games.registry import GAMES
from tests.browser.finger import enter_card, tap_to
from tests.browser.looking import EVERY, IN_LIGHT, PHONES, faults
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service
from web.games.wreck.new_game import header

GREAT = {"kp": 8, "name": "", "sacrifice": 0}
FULFIL: Mapping[str, Any] = {"do": "fulfil", "player": "blue", "mission": "personal", "sacrifice": [], "card": GREAT}


def test_two_people_play_a_short_game_by_tapping(chromium: Browser, tmp_path: Path, thorough: bool) -> None:
    """Rolling, offers, answers, exploring, a mission and two turns work by tapping, and all pages are accessible."""
    service = Service(tmp_path / "data")
    assert service.ask("POST", "/api/v1/games", header((("red", "Ana"), ("blue", "Ben"))))[0] == 201
    tablet, phone = Tablet(chromium, service.url, TABLET, still=True), Tablet(chromium, service.url, PHONE, still=True)
    try:
        tablet.enter_pin(service.pin)
        tablet.open("/table")
        tablet.say({"do": "open", "card": None})
        for letters in ("m" * n for n in range(1, 8)):
            tablet.tap(f".roll a[href$='d={letters}']")
        tablet.say({"do": "roll", "player": "red", "dice": ["move"] * 7})
        tablet.tap(".pool a[href$='d=m']")
        tablet.say({"do": "offer", "player": "red", "dice": ["move"]})
        tablet.say({"do": "accept", "player": "blue", "die": None})
        assert faults(tablet.page, "/table", EVERY if thorough else IN_LIGHT) == []
        tablet.page.set_viewport_size(TABLET)
        tablet.tap(".tile.closed a[href*='cell=0,1']")
        explore = {"do": "explore", "player": "blue", "from": "airlock", "cell": [0, 1], "room": "cryo", "die": "move"}
        tablet.say(explore)
        tablet.open("/table/mission?m=personal&kp=8&sacrifice=0")
        assert not thorough or faults(tablet.page, "/table/mission", IN_LIGHT) == []
        tablet.say(FULFIL)
        tablet.say({"do": "end_turn", "player": "blue"})
        tablet.say({"do": "end_turn", "player": "red"})

        tablet.rest()
        phone.open("/table")
        assert "Ben wins" in phone.page.inner_text("h1")
        assert not thorough or faults(phone.page, "the end", PHONES) == []
        assert tablet.faults == phone.faults == []
    finally:
        tablet.close()
        phone.close()
        service.stop()


def test_cards_of_a_box_are_taps_in_the_next_game(chromium: Browser, tmp_path: Path) -> None:
    """A species and a mission entered in one game take one tap each in the next game with the same box."""
    service = Service(tmp_path / "data")
    tablet = Tablet(chromium, service.url, TABLET, still=True)
    card = {"name": "Scouts", "kp": 2, "sacrifice": 1}
    try:
        tablet.enter_pin(service.pin)
        tablet.open("/new?game=wreck")
        tablet.page.check("#n2", force=True)
        tablet.tap(".s1 summary")
        tablet.page.fill("input[name=species1]", "Example")
        tablet.tap(".s1 summary")
        begin(tablet, "3", "4")
        tablet.tap("#enter summary")
        enter_card(tablet, card)
        tap_to(tablet, GAMES["wreck"], {"do": "open", "card": card})
        tablet.rest()
        over(service)

        tablet.open("/new?game=wreck")
        tablet.page.check("#n2", force=True)
        tablet.tap("button[name=pick]:has-text('Example')")
        expect(tablet.page.locator("input[name=species1]")).to_have_value("Example")
        expect(tablet.page.locator("input[name=trained1]")).to_have_value("4")
        begin(tablet)
        assert tap_to(tablet, GAMES["wreck"], {"do": "open", "card": card}) == 1

        lines = service.record()
        assert (lines[0]["players"][0]["species"]["name"], lines[1]["card"]) == ("Example", card)
        assert tablet.faults == []
    finally:
        tablet.close()
        service.stop()


def begin(tablet: Tablet, *first: str) -> None:
    """Enter the numbers of two species, those of the *first* only if they are missing, and start the game."""
    for seat, numbers in ((1, first), (2, ("2", "5"))):
        if numbers:
            tablet.tap(f".s{seat} summary")
        for name, number in zip(("aboard", "trained"), numbers, strict=False):
            tablet.page.fill(f"input[name={name}{seat}]", number)
    tablet.tap(".foot button.go")
    tablet.page.wait_for_url("**/table")


def over(service: Service) -> None:
    """Play a round in which Ben reaches the end."""
    service.do({"do": "roll", "player": "red", "dice": ["move"] * 7})
    service.do({"do": "offer", "player": "red", "dice": ["move"]})
    service.do({"do": "accept", "player": "blue", "die": None})
    service.do(FULFIL)
    service.do({"do": "end_turn", "player": "blue"})
    service.do({"do": "end_turn", "player": "red"})
