"""A short game of Die Kosmische Hanse by taps, on a tablet and a phone, and its record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.games.registry import GAMES
from tests.browser.looking import IN_LIGHT, PHONES, Glasses, cut, faults, seated
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service
from tests.companion.games.hanse.voyage import GOODS, sides


@pytest.fixture
def afternoon(tmp_path: Path) -> Iterator[Service]:
    """A service without a ring."""
    service = Service(tmp_path / "data")
    yield service
    service.stop()


@pytest.fixture
def glass(chromium: Browser, afternoon: Service) -> Iterator[Tablet]:
    """The host's tablet, with reduced motion."""
    tablet = Tablet(chromium, afternoon.url, TABLET, still=True)
    tablet.enter_pin(afternoon.pin)
    yield tablet
    tablet.close()


@pytest.mark.long
def test_two_people_play_a_short_game_by_tapping(
    chromium: Browser, glass: Tablet, afternoon: Service, thorough: bool
) -> None:
    """The record of a game on a tablet and Ben's phone replays to the same state, and its pages are accessible."""
    begin(glass, afternoon)
    ben = seated(chromium, afternoon.url, glass, "Ben")
    seen = [*faults(glass.page, "turn", IN_LIGHT), *cut(glass.page, "turn")]
    glass.page.set_viewport_size(TABLET)

    def look(device: Tablet, name: str, glasses: Glasses) -> None:
        """Check a page in a long run only: each check takes half a second of CPU time."""
        if thorough:
            device.open("/table")
            seen.extend(faults(device.page, name, glasses))
            device.page.set_viewport_size(PHONE if device is ben else TABLET)

    look(ben, "turn", PHONES)
    glass.rest()
    ben.tap(".deeds summary:has-text('Load')")
    ben.say({"do": "load", "player": "blue", "to": "p1"})
    ben.say({"do": "roll", "player": "blue", "dice": [5]})
    look(glass, "flight", IN_LIGHT)
    ben.say({"do": "fly", "player": "blue", "to": "p1"})
    ben.say({"do": "unload", "player": "blue", "container": 0})
    ben.rest()
    look(glass, "flip", IN_LIGHT)
    glass.open("/table")
    glass.say({"do": "flip", "player": "blue", "cards": [{"to": "p5", "value": 3}]})
    ben.open("/table")
    ben.tap("a[href='/table/card']:visible")
    ben.page.wait_for_url("**/table/card")
    if thorough:
        seen += faults(ben.page, "cards", PHONES)
    ben.say({"do": "intervene", "player": "blue", "card": "agent"})
    glass.say({"do": "neutralise", "player": "red"})
    glass.rest()
    ben.say({"do": "end_turn", "player": "blue"})
    correct(afternoon, megagalax=67)
    ben.rest()
    glass.open("/table")
    glass.tap(".deeds summary:has-text('Buy')")
    glass.say({"do": "buy", "player": "red", "card": "space_station"})
    glass.tap("a[href='/table/card']:visible")
    glass.page.wait_for_url("**/table/card")
    glass.say({"do": "intervene", "player": "red", "card": "passenger"})
    correct(afternoon, megagalax=70)
    glass.await_version(afternoon.ask("GET", "/api/v1/state")[1]["version"])

    look(glass, "final", IN_LIGHT)
    assert afternoon.final(GAMES)["winners"] == ["red"] and "Ana wins" in glass.page.inner_text("h1")
    assert seen == []
    assert glass.faults == ben.faults == []
    ben.close()


def begin(tablet: Tablet, service: Service) -> None:
    """Enter two names and the goods; Ben moves first, from the third planet."""
    tablet.open("/new?game=hanse")
    tablet.page.fill("input[name=name1]", "Ana")
    tablet.page.fill("input[name=name2]", "Ben")
    tablet.tap(".foot button.go")
    tablet.page.wait_for_url("**/table")
    set_out(tablet, service)
    tablet.say({"do": "choose", "player": "blue", "take": "first"})
    tablet.say({"do": "start", "player": "red", "planet": "p3"})


def set_out(tablet: Tablet, service: Service) -> None:
    """Tap five goods for one planet, the last of which saves them; enter the other planets through the API."""
    (planet, goods), *others = GOODS.items()
    tablet.rest()
    for other, cards in others:
        service.do({"do": "goods", "planet": other, "cards": sides(cards)})
    tablet.open("/table")
    chosen: list[str] = []
    for each in goods.split()[:-1]:
        chosen.append(each)
        tablet.tap(f"a.side[href$='planet={planet}&{planet}={','.join(chosen)}']")
    tablet.say({"do": "goods", "planet": planet, "cards": sides(goods)})


def correct(service: Service, **what: object) -> None:
    """Correct one of Ana's values, so that the game is over soon."""
    service.do({"do": "correct", "player": "red", "reason": "a short game", **what})
