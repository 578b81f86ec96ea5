"""What somebody has typed and not sent: it is there still after what happens to a page by accident."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.tablet import PHONE, Tablet
from tests.companion.app.processes import Service


@pytest.fixture
def visitor(chromium: Browser, table: Service) -> Iterator[Tablet]:
    """A phone that has no seat yet."""
    visitor = Tablet(chromium, table.url, PHONE)
    yield visitor
    visitor.close()


def test_names_outlive_a_reload(host: Tablet) -> None:
    """A new game: names that were typed and a number that was tapped stay when the page is loaded anew."""
    host.open("/new")
    host.page.fill("input[name=name1]", "Margarethe")
    host.page.check("#n5", force=True)

    host.page.reload()

    expect(host.page.locator("input[name=name1]")).to_have_value("Margarethe")
    expect(host.page.locator("#n5")).to_be_checked()


def test_a_pin_outlives_another_language(visitor: Tablet) -> None:
    """Joining: who has typed the PIN and then taps the own language has not typed it for nothing."""
    visitor.open("/join")
    visitor.page.fill("input[name=pin]", "4711")

    visitor.tap("button[name=language][value=de]")

    expect(visitor.page.locator("html")).to_have_attribute("lang", "de")
    expect(visitor.page.locator("input[name=pin]")).to_have_value("4711")
