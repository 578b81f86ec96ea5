"""A whole evening at the open draw table in Chromium, on tablet and phone; its record replays to the same end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from companion.games.registry import GAMES
from companion.model.game import Viewer
from companion.records import replay
from tests.browser.looking import IN_LIGHT, PHONES, faults
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Service]:
    """A service without a game."""
    service = Service(tmp_path / "data")
    yield service
    service.stop()


def test_a_whole_table(chromium: Browser, evening: Service, thorough: bool) -> None:
    """Every step of a draw table works without faults by tapping, from start to end, on tablet and phone."""
    tablet = Tablet(chromium, evening.url, TABLET, still=True)
    phone = Tablet(chromium, evening.url, PHONE, still=True)
    tablet.enter_pin(evening.pin)
    set_out(tablet)
    joined(tablet, phone)

    tap_line(tablet, ".taker >> nth=0")
    tap_line(tablet, ".cube.red")
    tap_line(phone, ".cube.blue")
    tablet.await_version(phone.version)
    assert faults(tablet.page, "/table", IN_LIGHT) == []
    assert not thorough or faults(phone.page, "/table", PHONES) == []
    phone.rest()
    several(tablet)
    assert evening.record()[-1]["cubes"] == {"red": 2}
    tap_line(tablet, ".bar form[action='/table/undo'] button")
    thrown(tablet)
    closed(tablet)
    assert not thorough or faults(tablet.page, "the end", IN_LIGHT) == []

    record = evening.record()
    end = replay(GAMES, enumerate(record, 1))
    assert [line["do"] for line in record[1:]] == ["take", "draw", "draw", "draw", "undo", "throw", "finish"]
    told = evening.ask("GET", "/api/v1/state")[1]
    assert end.game.view(end.state, Viewer(owner=True)) == {name: told[name] for name in told if name != "version"}
    assert dict(end.state.holds["blue"]) == {"blue": 1}
    assert (tablet.faults, phone.faults) == ([], [])
    tablet.close()
    phone.close()


def set_out(tablet: Tablet) -> None:
    """Start a table of two by taps from the first page."""
    tablet.open("/")
    tablet.tap("a[href='/new?game=draws']")
    tablet.tap(".own-mix > summary")
    for colour in ("red", "blue"):
        tablet.tap(f"button[name=five][value={colour}]")
        expect(tablet.page.locator(f"input[name=c_{colour}]")).to_have_value("5")
    two = tablet.page.locator("#n2")
    for _ in range(5):  # a tap at the moment in which the page is swapped hits a removed element
        if not two.is_checked():
            two.click(force=True)
    expect(two).to_be_checked()
    tablet.tap("button[name=paint][value='2'] >> nth=0")
    expect(tablet.page.locator("input[name=colour2]")).to_have_value("green")
    tablet.tap("button[name=paint][value='2'] >> nth=0")
    expect(tablet.page.locator("input[name=colour2]")).to_have_value("blue")
    tablet.page.fill("input[name=name1]", "Ana")
    tablet.page.fill("input[name=name2]", "Ben")
    tablet.tap(".foot button.go")
    tablet.page.wait_for_url("**/table")


def joined(tablet: Tablet, phone: Tablet) -> None:
    """Let the phone join the second seat."""
    tablet.open("/join")
    pin = (tablet.page.locator(".digits").inner_text()).strip()
    phone.open(f"/join?pin={pin}")
    phone.tap("button[name=seat][value=blue]")
    phone.page.wait_for_url("**/table")
    tablet.open("/table")


def tap_line(device: Tablet, what: str) -> None:
    """Tap an element that sends a line, and wait until the page shows it."""
    before = device.version
    device.tap(what)
    device.await_version(before + 1)


def several(tablet: Tablet) -> None:
    """Draw two reds at once: tap the second one, and then the button, before the server has answered."""
    tablet.tap("a[href='/table/several']")
    tablet.tap(".heap.red a.add")
    expect(tablet.page.locator(".heap.red .facts b")).to_have_text("1")
    held: list[Route] = []
    tablet.page.route("**/table/several?*", lambda route: held.append(route), times=1)
    before = tablet.version
    with tablet.page.expect_request("**/table/several?*"):
        tablet.tap(".heap.red a.add")
    tablet.tap(".foot .go")
    held[0].continue_()
    tablet.await_version(before + 1)
    tablet.page.wait_for_url("**/table")


def thrown(tablet: Tablet) -> None:
    """Throw a cube into the tower, and check that the page shows it."""
    tablet.open("/table/throw?n=0,1")
    tap_line(tablet, ".foot .go")
    expect(tablet.page.locator(".piles li.blue b")).to_have_text("1")


def closed(tablet: Tablet) -> None:
    """Close the table, and check the counts of the remaining cubes."""
    tablet.open("/table/tally")
    tap_line(tablet, ".dock form button")
    expect(tablet.page.locator(".closing .sums td >> nth=0")).to_have_text("4")
