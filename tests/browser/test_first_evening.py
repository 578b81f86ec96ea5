"""The first evening in a real browser: from a new server to a game with the table's own values, and practice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.looking import faults
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service

GLASSES = ((1280, 800), (1024, 768), (800, 1280), (390, 844), (360, 740))
VALUES = [str(4 + at % 11) for at in range(21)]


@pytest.fixture
def new_house(tmp_path: Path) -> Iterator[Service]:
    """A running service that has not been set up, without a ring."""
    service = Service(tmp_path / "data")
    yield service
    service.stop()


@pytest.fixture
def with_a_ring(tmp_path: Path) -> Iterator[Service]:
    """A running service with a simulated ring, as `make run` starts it."""
    service = Service(tmp_path / "data", "mock:")
    yield service
    service.stop()


def type_board(page: Page) -> None:
    """Type in the 21 numbers."""
    for at, value in enumerate(VALUES):
        page.locator(".rows21 .num input").nth(at).fill(value)


@pytest.mark.parametrize("size", [TABLET, pytest.param(PHONE, marks=pytest.mark.long)], ids=["tablet", "phone"])
def test_from_nothing_to_a_game_of_ones_own(chromium: Browser, new_house: Service, size: dict[str, int]) -> None:
    """After the board, cubes, ring and players have been set up by tapping, the game has the board's own values."""
    tablet = Tablet(chromium, new_house.url, size)  # type: ignore[arg-type]
    tablet.enter_pin(new_house.pin)
    tablet.open("/")
    tablet.tap("b:text-is('Set up')")
    tablet.tap("a[href='/welcome?step=board']")
    tablet.page.wait_for_url("**/welcome?step=board")
    type_board(tablet.page)
    tablet.tap("main button:text-is('Save')")
    tablet.page.wait_for_url("**/welcome")
    tablet.tap("a[href='/welcome?step=cubes']")
    tablet.tap("main button:text-is('Save')")
    tablet.page.wait_for_url("**/welcome")
    tablet.tap("a[href='/welcome?step=ring']")
    tablet.tap("text=We draw by hand")
    tablet.page.wait_for_url("**/welcome")
    assert tablet.page.locator(".steps4 a .ico use[href='#ic-tick']").count() == 3
    tablet.tap("text=Who plays?")
    tablet.page.wait_for_url("**/new*")
    tablet.tap("text=Start game")
    tablet.page.wait_for_url("**/table*")

    header = new_house.record()[0]
    assert [value for row in header["board"]["planets"] for value in row["centres"]] == list(map(int, VALUES))
    assert tablet.faults == []
    tablet.close()


def test_the_first_draw_is_four_taps_and_the_pin(chromium: Browser, with_a_ring: Service) -> None:
    """Four buttons and the PIN lead to the first draw; each is visible on every screen without scrolling."""
    tablet = Tablet(chromium, with_a_ring.url, TABLET, still=True)
    tablet.open("/")
    shown = tablet.page.locator(".languages:visible").count()

    tap_in_sight(tablet, "text=Enter the host's PIN")
    tablet.page.fill("input[name=pin]", with_a_ring.pin)
    tap_in_sight(tablet, "button:visible:has-text('Become host')")
    tap_in_sight(tablet, "button:visible:has-text('Play a demo')")
    tap_in_sight(tablet, "form[action='/table/slide'] button:visible")
    expect(tablet.page.locator("a[href='/table/undo']")).to_have_count(1)  # a draw of the ring can be undone

    assert "draw" in [line["do"] for line in with_a_ring.record()[1:]]
    assert (shown, tablet.taps) == (1, 4)
    assert tablet.faults == []
    tablet.close()


def tap_in_sight(tablet: Tablet, what: str) -> None:
    """Check that *what* is visible on every size of screen, and tap it."""
    for width, height in GLASSES:
        tablet.page.set_viewport_size(ViewportSize(width=width, height=height))
        # Found and measured in one step, because the page may be swapped at any moment.
        bottom = tablet.page.locator(what).first.evaluate("one => one.getBoundingClientRect().bottom")
        assert bottom <= height, f"{what} ends at {bottom} of {width}x{height}"
    tablet.tap(what)
    tablet.page.wait_for_load_state()


def test_the_board_can_be_typed_in_without_scripts(chromium: Browser, new_house: Service) -> None:
    """Without JavaScript half a board can be saved and finished later, and nothing is lost."""
    context = chromium.new_context(base_url=new_house.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/pin")
    page.fill("input[name=pin]", new_house.pin)
    page.click(".card button")
    page.goto("/welcome?step=board")
    page.locator(".rows21 .num input").first.fill("14")
    page.click("text=Later")
    page.click("a[href='/welcome?step=board']")
    assert page.locator(".rows21 .num input").first.input_value() == "14"
    type_board(page)
    page.click("main button:text-is('Save')")

    assert "as saved for" in page.inner_text("main")
    context.close()


def test_a_practice_goes_on_by_itself_and_stops_when_it_is_told(chromium: Browser, new_house: Service) -> None:
    """A practice game plays automatically, a pause stops it for visitors too, and its page is accessible."""
    tablet = Tablet(chromium, new_house.url, TABLET)
    tablet.enter_pin(new_house.pin)
    tablet.open("/practice")
    tablet.tap("button[value=andromeda]")
    tablet.page.wait_for_selector("text=Four made-up players sit down.")
    tablet.tap("text=Faster")
    tablet.page.wait_for_selector("text=set-up cards are face up")
    tablet.page.wait_for_selector("text=Cards dealt")
    tablet.tap("text=Pause")
    tablet.page.wait_for_selector("button:has-text('Play')")
    phone = Tablet(chromium, new_house.url, PHONE)
    phone.open("/practice")

    assert phone.page.inner_text(".happened") == tablet.page.inner_text(".happened")
    assert phone.page.locator(".driving button").count() == 0
    assert faults(tablet.page, "/practice") == []
    assert tablet.faults == phone.faults == []
    phone.close()
    tablet.close()
