"""Replay in a browser: keys, slider, autoplay, two games next to each other, and a file that works offline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.tablet import TABLET, Tablet
from tests.companion.app.processes import Service, companion
from tests.companion.stored_games import record_of, shelf

LINES = 90
SAME = "window.same = true"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with game 1, of Andromeda, and a game of the wreck after it."""
    folder = tmp_path_factory.mktemp("replay")
    table, numbers = shelf(
        folder, [record_of("andromeda", "browser", 3)[:LINES], record_of("wreck", "browser")[:LINES]]
    )
    table.close()
    (folder / "second").write_text(str(numbers[1]), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def service(data: Path) -> Iterator[Service]:
    """A service with that folder."""
    service = Service(data)
    yield service
    service.stop()


def at(page: Page, step: int) -> None:
    """Wait until *page* shows *step*."""
    expect(page.locator(".replay-step")).to_have_attribute("data-at", str(step))


def test_steps_are_taken_by_key_and_scrubber_without_a_reload(chromium: Browser, service: Service) -> None:
    """Arrow keys, Home, End and the slider change the step of a replay, and the URL follows."""
    tablet = Tablet(chromium, service.url, TABLET)
    page = tablet.page
    tablet.open("/games/1/replay?at=0")
    page.evaluate(SAME)

    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.keyboard.press("ArrowRight")
    at(page, 2)
    page.keyboard.press("ArrowLeft")
    at(page, 1)
    page.locator("input[type=range]").fill("20")
    expect(page).to_have_url(re.compile(r"at=(19|20)$"))
    page.keyboard.press("PageUp")
    expect(page.locator("output")).to_have_text(re.compile(r"^\d+ of \d+$"))
    page.keyboard.press("Home")
    at(page, 0)
    expect(page.locator('.back[aria-disabled="true"]')).to_be_visible()

    assert page.evaluate("window.same")
    assert tablet.faults == []
    tablet.close()


def test_a_line_of_the_story_opens_the_board_of_then(chromium: Browser, service: Service) -> None:
    """A tapped line of the history is marked, the board shows its step, and one button returns to the newest step."""
    tablet = Tablet(chromium, service.url, TABLET)
    page = tablet.page
    tablet.open("/games/1/replay")
    page.evaluate(SAME)
    line = page.locator("[data-lines] a").nth(4)
    address = line.get_attribute("href")
    assert address is not None

    line.click()
    at(page, int(address.removeprefix("?at=")))
    expect(line).to_have_attribute("aria-current", "step")
    expect(page.locator("[data-lines] [aria-current]")).to_have_count(1)
    page.locator(".replay-ways .last").click()
    expect(page.locator("[data-lines] a").last).to_have_attribute("aria-current", "step")

    assert page.evaluate("window.same")
    tablet.close()


@pytest.mark.parametrize("step", [0, 40, 80])
def test_nothing_is_cut_by_the_dock(chromium: Browser, service: Service, step: int) -> None:
    """On a tablet the whole step of a replay and the game's other links are above the dock."""
    tablet = Tablet(chromium, service.url, TABLET)
    tablet.open(f"/games/1/replay?at={step}")
    below = "() => { const dock = document.querySelector('.replay-dock'), top = dock.getBoundingClientRect().top;"
    below += " return [...dock.parentElement.children].filter((one) => one !== dock && one.checkVisibility())"
    below += ".map((one) => Math.round(one.getBoundingClientRect().bottom - top)).filter((by) => by > 0); }"

    assert tablet.page.evaluate(below) == []
    assert tablet.page.evaluate("document.documentElement.scrollHeight") <= TABLET["height"]
    tablet.close()


def test_it_plays_on_by_itself_until_somebody_stops_it(chromium: Browser, service: Service) -> None:
    """One button makes a replay play step by step, and also stops it."""
    tablet = Tablet(chromium, service.url, TABLET)
    tablet.open("/games/1/replay?at=0")
    play = tablet.page.locator("[data-play]")

    play.click()
    at(tablet.page, 2)
    play.click()

    expect(play).to_have_attribute("aria-pressed", "false")
    tablet.close()


def test_each_of_two_goes_its_own_way_and_the_address_knows_both(
    chromium: Browser, service: Service, data: Path
) -> None:
    """One dock moves the selected replay or both, and a reload shows the same steps."""
    tablet, other = Tablet(chromium, service.url, TABLET), (data / "second").read_text(encoding="utf-8")
    page = tablet.page
    tablet.open(f"/games/1/replay?at=0&beside={other}&beside_at=0")

    page.locator('[data-which="beside_at"]').click()
    page.locator('[data-way="on"]').click()
    expect(page).to_have_url(re.compile(r"beside_at=1$"))
    page.locator('[data-which=""]').click()
    page.locator('[data-way="on"]').click()
    expect(page).to_have_url(re.compile(r"at=1&.*beside_at=2$"))
    page.reload()

    for frame, step in ((0, 1), (1, 2)):
        shown = page.frame_locator("iframe").nth(frame).locator(".replay-step")
        expect(shown).to_have_attribute("data-at", str(step))
    assert tablet.faults == []
    tablet.close()


def test_without_scripts_links_and_the_form_of_the_scrubber_do(chromium: Browser, service: Service) -> None:
    """Without scripts, links change the step of a replay, and the slider is sent as a form."""
    context = chromium.new_context(base_url=service.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/games/1/replay?at=0")

    page.locator('[data-way="on"]').click()
    at(page, 1)
    page.locator("input[type=range]").press("End")
    page.locator("noscript button, .replay-scrub button:not([hidden])").first.click()

    expect(page).to_have_url(re.compile(r"at=\d+$"))
    context.close()


def test_one_file_shows_every_step_from_a_disk_without_a_network(
    chromium: Browser, service: Service, data: Path, tmp_path: Path
) -> None:
    """The file of a replay makes no requests, and each of its steps equals the page's."""
    file = tmp_path / "night.html"
    written = companion("share", 1, "-o", file, "--data", data)
    context = chromium.new_context(offline=True)
    alone, asked, faults = context.new_page(), [], []
    alone.on("request", lambda request: asked.append(request.url))
    alone.on("pageerror", lambda fault: faults.append(str(fault)))
    alone.goto(file.as_uri())
    last = int(alone.locator("input[type=range]").get_attribute("max") or 0)
    visitor = chromium.new_context(base_url=service.url).new_page()
    visitor.goto("/games/1/replay?at=0")

    for _step in range(12):
        for page in (alone, visitor):
            page.keyboard.press("ArrowRight")
        expect(visitor.locator(".replay-line .say")).to_have_text(alone.locator(".replay-line .say").inner_text())
    alone.keyboard.press("End")

    assert (written.returncode, faults) == (0, [])
    assert alone.url.endswith(f"#{last}")
    assert asked == [file.as_uri()]
    context.close()
    visitor.context.close()
