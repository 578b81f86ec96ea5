"""Text typed but not sent, and taps before the server has answered, are not lost by accident."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.first_action import HEADER
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service


@pytest.fixture
def visitor(chromium: Browser, table: Service) -> Iterator[Tablet]:
    """A phone without a seat."""
    visitor = Tablet(chromium, table.url, PHONE)
    yield visitor
    visitor.close()


@pytest.fixture
def dealer(chromium: Browser, tmp_path: Path) -> Iterator[Tablet]:
    """The host's tablet on the page for the first player's cards."""
    service = Service(tmp_path / "cards")
    assert service.ask("POST", "/api/v1/games", HEADER)[0] == 201
    dealer = Tablet(chromium, service.url, TABLET)
    dealer.enter_pin(service.pin)
    dealer.open("/table")
    yield dealer
    dealer.close()
    service.stop()


def test_taps_that_are_faster_than_the_house_are_all_counted(dealer: Tablet) -> None:
    """Three taps before the first answer count as three cards of the set-up, so that nobody waits for a slow Pi."""
    held: list[Route] = []
    dealer.page.route("**/table?*", lambda route: held.append(route), times=1)
    add = dealer.page.locator(".stile .add")

    with dealer.page.expect_request("**/table?*"):
        add.nth(0).click()
    add.nth(0).click()
    add.nth(2).click()
    held[0].continue_()

    expect(dealer.page.locator(".srow.now small")).to_contain_text("3")
    expect(dealer.page.locator(".stile.has")).to_have_count(2)
    assert dealer.faults == []


def test_names_outlive_a_reload(host: Tablet) -> None:
    """The typed names and the chosen number of players of a new game survive a reload."""
    host.open("/new")
    host.page.fill("input[name=name1]", "Margarethe")
    host.page.check("#n5", force=True)

    host.page.reload()

    expect(host.page.locator("input[name=name1]")).to_have_value("Margarethe")
    expect(host.page.locator("#n5")).to_be_checked()


def test_a_pin_outlives_another_language(visitor: Tablet) -> None:
    """A typed PIN survives a change of language."""
    visitor.open("/join")
    visitor.page.fill("input[name=pin]", "4711")

    visitor.tap("button[name=language][value=de]")

    expect(visitor.page.locator("html")).to_have_attribute("lang", "de")
    expect(visitor.page.locator("input[name=pin]")).to_have_value("4711")
