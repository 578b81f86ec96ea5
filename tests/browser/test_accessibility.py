"""Accessibility of every page: axe-core finds nothing, all targets are reachable, and text may be twice as large."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from _pytest.mark import ParameterSet
from playwright.sync_api import Browser, Page

from companion.games.andromeda.state import Phase, stations_on
from companion.games.registry import GAMES
from tests.browser.first_action import ATTEMPT, HEADER, SEATS, to_the_first_action
from tests.browser.looking import (
    EVERY,
    IN_LIGHT,
    PHONES,
    TWICE,
    addresses,
    faults,
    heavy,
    keyboard,
    letters_of,
    written_large,
)
from tests.browser.playing import state_now, without_counting
from tests.browser.sensible import sensible
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service


def empty(service: Service) -> None:
    """Leave the table without a game."""


def set_up(service: Service) -> None:
    """Start a game in which the set-up cards are placed next."""
    assert service.ask("POST", "/api/v1/games", HEADER)[0] == 201


def dealt(service: Service) -> None:
    """Place all set-up cards; the cards are dealt next."""
    set_up(service)
    for colour, _ in SEATS:
        service.do({"do": "setup", "player": colour, "cards": {"p1": 3, "p2": 3}})


def transport(service: Service) -> None:
    """Deal the cards; the players are asked for transport cards next."""
    dealt(service)
    service.do({"do": "deal"})


def trading(service: Service) -> None:
    """Let the starting player play a card; the others follow."""
    transport(service)
    for colour, _ in SEATS:
        service.do({"do": "transport", "player": colour, "move": "pass"})
    service.do({"do": "lay", "player": "red", "card": "p3"})


def swapping(service: Service) -> None:
    """Let all play two cards, without a countdown."""
    trading(service)
    without_counting(service)
    for colour in ("blue", "green", "red", "blue", "green"):
        service.do({"do": "lay", "player": colour, "card": None})


def attempt(service: Service) -> None:
    """Open an attempt."""
    to_the_first_action(service)
    service.do(ATTEMPT)


def finished(service: Service) -> None:
    """Play a whole game, with typed-in draws."""
    set_up(service)
    lots = Random(7)
    while not (state := state_now(service)).finished:
        if state.phase is Phase.ACTIONS and state.attempt:
            under = [colour for colour, count in stations_on(state, state.attempt.planet).items() if count]
            service.do({"do": "draw", "colour": lots.choice(under)})
        else:
            service.do(GAMES["andromeda"].line(sensible(state, lots)))


def long(evening: str) -> ParameterSet:
    """Mark an evening for the long run only."""
    return pytest.param(evening, marks=pytest.mark.long)


EVENINGS: Mapping[str, Callable[[Service], None]] = {
    each.__name__: each
    for each in (empty, set_up, dealt, transport, trading, swapping, to_the_first_action, attempt, finished)
}
TABLE = "/table"
EVERYWHERE = {"to_the_first_action": "/", "empty": "/welcome"}
"""In these evenings all pages below an address are checked; in the others only the table's current pages are."""
SHORT = ("trading",)
"""The short run checks these; `python -m tests.browser.axe` and the long run check every page of every evening."""
THE_SAME = ("menu", "clock", "times", "correct", "board")
"""Pages below /table that look alike in every phase: checked once, for the host at the first action."""


@pytest.fixture
def evening(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Service]:
    """A service on which the evening named by the parameter has been played."""
    service = Service(tmp_path / "data")
    EVENINGS[request.param](service)
    yield service
    service.stop()


@pytest.fixture
def within(request: pytest.FixtureRequest) -> str:
    """The address below which the pages of this evening are checked."""
    return EVERYWHERE.get(request.node.callspec.params["evening"], TABLE)


@pytest.fixture
def host(chromium: Browser, evening: Service) -> Iterator[Tablet]:
    """The host's tablet at that service."""
    host = Tablet(chromium, evening.url, TABLET)
    host.enter_pin(evening.pin)
    yield host
    host.close()


def walk(device: Tablet, within: str, look: Callable[[Page, str], list[str]]) -> list[str]:
    """Open every page that links lead to, and return the faults that *look* finds there."""
    known: dict[str, str] = {}
    waiting, found = [*([] if within == TABLE else ["/"]), TABLE], []
    while waiting:
        path = waiting.pop()
        device.open(path)
        new = addresses(device.page, known, within)
        waiting += [one for one in new if within == "/" or one.removeprefix("/table/").split("?")[0] not in THE_SAME]
        found += look(device.page, path)
    return found


@pytest.mark.parametrize("evening", [each if each in SHORT else long(each) for each in EVENINGS], indirect=True)
def test_the_host_is_not_shut_out(host: Tablet, within: str, thorough: bool) -> None:
    """On the host's pages axe-core finds nothing, targets are large enough, and the font may be twice as large."""
    glasses = EVERY if thorough else IN_LIGHT

    def look(page: Page, path: str) -> list[str]:
        return heavy(page, path) + faults(page, path, glasses) + written_large(page, path)

    found = walk(host, within, look)

    assert not found, "\n" + "\n".join(found)
    assert host.faults == []


@pytest.mark.parametrize(
    "evening", ["trading", long("empty"), long("attempt"), long("to_the_first_action")], indirect=True
)
def test_the_host_may_use_the_keyboard(host: Tablet, within: str) -> None:
    """On every page Tab reaches every control, shows the focus, and is never trapped."""
    found = walk(host, within, keyboard)

    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    "evening", ["trading", long("empty"), long("to_the_first_action"), long("attempt")], indirect=True
)
def test_who_watches_is_not_shut_out(chromium: Browser, evening: Service, thorough: bool) -> None:
    """On a device that only watches, axe-core finds nothing."""
    device = Tablet(chromium, evening.url, TABLET)
    found = walk(device, TABLE, lambda page, path: faults(page, path, EVERY if thorough else IN_LIGHT))

    device.close()
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("evening", ["trading", long("to_the_first_action")], indirect=True)
def test_who_plays_by_phone_is_not_shut_out(chromium: Browser, evening: Service, thorough: bool) -> None:
    """On a phone that has a seat, axe-core finds nothing."""
    device = Tablet(chromium, evening.url, PHONE)
    device.enter_pin(evening.pin)
    device.open("/join")
    device.tap("button[name=seat][value=red]")
    device.page.wait_for_url("**/table")
    found = walk(device, TABLE, lambda page, path: faults(page, path, EVERY if thorough else PHONES))

    device.close()
    assert not found, "\n" + "\n".join(found)


def test_letters_are_really_twice_as_large(chromium: Browser) -> None:
    """The simulation of a larger default font has the same effect as the browser's setting."""
    size = "getComputedStyle(document.documentElement).fontSize"
    page = chromium.new_page()

    with letters_of(page, TWICE):
        assert page.evaluate(size) == "32px"
    assert page.evaluate(size) == "16px"
    page.close()


UNDER_A_DOCK = """data:text/html,<html lang=en><title>A dock</title><main><h1>A dock</h1>
<p style="height:1780px">
<a href="%23one" style="position:absolute;top:712px;left:40px;width:100px;height:60px">One</a></main>
<nav style="position:sticky;bottom:0;height:80px;background:%23eee">
<a href="%23two" style="display:block;width:200px;height:60px">Two</a>{more}</nav>"""


def test_what_can_be_scrolled_from_under_a_dock_is_large_enough(chromium: Browser) -> None:
    """A target half hidden by the dock counts as complete, since it can be scrolled; a really small one is found."""
    device = Tablet(chromium, "http://localhost", TABLET)
    small = "<a href=%23a style=font-size:9px>a</a> <a href=%23b style=font-size:9px>b</a>"
    device.open(UNDER_A_DOCK.replace("{more}", ""))
    whole = faults(device.page, "whole", IN_LIGHT)
    device.open(UNDER_A_DOCK.replace("{more}", small))
    found = faults(device.page, "small", IN_LIGHT)

    device.close()
    assert whole == []
    assert any("target-size" in fault for fault in found)
