"""Half-entered data survives other taps, other pages, an undo, a refusal, and a change of language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.tablet import TABLET, Tablet
from tests.companion.app.processes import Service

HANSE = {
    "record": "table-record",
    "version": 1,
    "game": "hanse",
    "players": [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}],
    "younger": "red",
}
CARDS = ".card-slot:not(.none)"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Service]:
    """A service without a game."""
    service = Service(tmp_path / "data")
    yield service
    service.stop()


@pytest.fixture
def tablet(chromium: Browser, house: Service) -> Iterator[Tablet]:
    """The host's tablet."""
    tablet = Tablet(chromium, house.url, TABLET, still=True)
    tablet.enter_pin(house.pin)
    yield tablet
    tablet.close()


def test_goods_stay_half_entered(tablet: Tablet, house: Service) -> None:
    """Cards tapped for a planet of the Hanse survive visits to another planet and the menu, and a saved move."""
    assert house.ask("POST", "/api/v1/games", HANSE)[0] == 201
    tablet.open("/table")
    taps = tablet.page.locator(".named a.side")
    for number in (0, 3):
        taps.nth(number).click()
        expect(tablet.page.locator(CARDS)).to_have_count(1 if number == 0 else 2)

    tablet.tap("a.stop >> nth=0")
    expect(tablet.page.locator(CARDS)).to_have_count(0)
    taps.nth(1).click()
    expect(tablet.page.locator(CARDS)).to_have_count(1)
    tablet.tap("a.stop >> nth=0")
    expect(tablet.page.locator(CARDS)).to_have_count(2)
    tablet.tap("a[href='/table/menu']")
    tablet.page.wait_for_url("**/table/menu")
    tablet.tap("main a[href='/table'] >> nth=0")
    expect(tablet.page.locator(CARDS)).to_have_count(2)
    for filled in (3, 4):
        taps.first.click()
        expect(tablet.page.locator(CARDS)).to_have_count(filled)
    tablet.page.locator(".named button.side").first.click()
    expect(tablet.page.locator(".stop.done")).to_have_count(1)
    expect(tablet.page.locator(CARDS)).to_have_count(1)

    assert tablet.faults == []


@pytest.mark.parametrize(
    "game", [*(pytest.param(each, marks=pytest.mark.long) for each in ("wreck", "hanse")), "andromeda"]
)
def test_a_new_game_keeps_what_was_typed(tablet: Tablet, game: str) -> None:
    """The names for a new game survive a change of language and a visit to another page."""
    tablet.open(f"/new?game={game}")
    tablet.page.fill("input[name=name1]", "Zoe")
    tablet.open("/")
    tablet.open(f"/new?game={game}")

    expect(tablet.page.locator("input[name=name1]")).to_have_value("Zoe")


def test_a_refusal_shows_the_field(tablet: Tablet) -> None:
    """Without a species' numbers a game of the wreck doesn't start, and the card opens with its field marked."""
    tablet.open("/new?game=wreck")
    tablet.page.fill("input[name=name1]", "Zoe")
    assert "required" in tablet.page.inner_text(".species-card summary >> nth=0")
    tablet.tap("button:has-text('Start game')")

    expect(tablet.page.locator(".refusal")).to_contain_text("Zoe: the species card is required.")
    field = tablet.page.locator("input[name=aboard1]")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_visible()
    expect(tablet.page.locator("input[name=name1]")).to_have_value("Zoe")
