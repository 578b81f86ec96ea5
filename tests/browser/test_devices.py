"""Tablets and phones at the table: how they follow the game, and what happens when a process dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, TimeoutError, ViewportSize, expect

from tests.browser.first_action import ATTEMPT, to_the_first_action
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service, VirtualRing

EVERY_SO_OFTEN = 3
"""A short run checks every third page."""
PAGES = (
    "/",
    "/new",
    "/games",
    "/history",
    "/ring",
    "/pin",
    "/table",
    "/table/board",
    "/table/menu",
    "/table/undo",
    "/table/correct",
    "/table/act/exchange",
    "/table/act/establish?planet=p1",
    "/table/act/move?planet=p1",
    "/table/act/ship",
    "/table/act/technology",
)

FLAT = ViewportSize(width=1024, height=768)
WORN = """[...document.styleSheets].filter((one) => !one.media.length || matchMedia(one.media.mediaText).matches)
  .map((one) => new URL(one.href).pathname)"""


@pytest.fixture
def still(tmp_path: Path) -> Iterator[VirtualRing]:
    """A virtual ring whose hand lets one station out in the first attempt, and then stops."""
    ring = VirtualRing(tmp_path, [{"wait_for": "armed"}, {"slide": 1, "colours": ["blue"]}])
    yield ring
    ring.end()


@pytest.fixture
def table(tmp_path: Path, still: VirtualRing) -> Iterator[Service]:
    """A game of three at its first action."""
    service = Service(tmp_path / "data", still.path)
    to_the_first_action(service)
    yield service
    service.stop()


def draw_once(table: Service) -> int:
    """Open an attempt, wait for the ring's first draw, and return the version."""
    begun = table.do(ATTEMPT)
    news = table.news()
    version = news.version()
    while version <= begun:
        version = news.version()
    news.close()
    return version


def test_a_draw_shows_on_every_device_by_itself(host: Tablet, chromium: Browser, table: Service) -> None:
    """A draw of the ring appears on every device without a tap, even on one that only watches."""
    spectator = Tablet(chromium, table.url, PHONE)
    spectator.open("/table")
    host.open("/table")

    version = draw_once(table)

    host.await_version(version)
    spectator.await_version(version)
    assert spectator.page.locator("button[name=line]").count() == 0
    spectator.close()


def test_a_draw_of_the_ring_is_taken_back_with_a_reason_and_one_tap(host: Tablet, table: Service) -> None:
    """When a draw of the ring is undone, the tablet asks for the reason, since a station really came out."""
    draw_once(table)
    host.open("/table")

    host.tap("[aria-label^='Undo']")
    host.tap("text=/knocked over/i")
    host.page.wait_for_url("**/table")

    assert [line.get("note") for line in table.record()][-1] == "knocked over"
    host.open("/history?undone=1")
    expect(host.page.locator("s, del, .undone").first).to_be_visible()


def test_a_dead_ring_never_stops_a_game(host: Tablet, table: Service, still: VirtualRing) -> None:
    """Without the ring, draws can be typed in with one tap each."""
    version = draw_once(table)
    still.end()
    host.open("/table")
    host.await_version(version)
    expect(host.page.locator(".attempt.answering")).to_be_visible()  # until then the page changes under the finger

    host.say({"do": "draw", "colour": "green"})

    assert table.record()[-1]["do"] == "draw"
    assert table.record()[-1]["via"] == "tablet"


def test_a_word_from_the_ring_pushes_nothing_off_the_glass(chromium: Browser, tmp_path: Path) -> None:
    """A row reports that service and ring have restarted during an attempt; the attempt and its button remain."""
    before = Service(tmp_path / "data", "mock:?seed=4")
    to_the_first_action(before)
    before.do(ATTEMPT)
    before.stop()
    after = Service(tmp_path / "data", "mock:?seed=4")
    tablet = Tablet(chromium, after.url, TABLET, still=True)
    try:
        tablet.enter_pin(after.pin)
        tablet.open("/table")
        expect(tablet.page.locator(".heed")).to_contain_text("The ring restarted")
        for size in (TABLET, FLAT):
            tablet.page.set_viewport_size(size)
            parts = (".heed", ".ringview", "[data-frame=main]")
            word, ring, main = (tablet.page.locator(each).bounding_box() for each in parts)
            assert word and ring and main
            assert word["y"] + word["height"] <= ring["y"]
            assert main["y"] + main["height"] <= size["height"]
            assert ring["y"] + ring["height"] <= size["height"]
    finally:
        tablet.close()
        after.stop()


def test_a_page_wears_its_own_styles_however_one_came_to_it(host: Tablet) -> None:
    """Classes that other pages set are removed, so that a page looks as if opened directly."""
    host.open("/ring")
    opened = host.page.evaluate(WORN)
    host.open("/table")

    host.tap("a[href='/ring']")
    host.page.wait_for_url("**/ring")

    expect(host.page.locator(".scatter")).to_be_visible()
    assert host.page.evaluate(WORN) == opened


def test_a_page_that_hears_nothing_says_so_and_recovers(host: Tablet, table: Service) -> None:
    """After two missed heartbeats a page turns grey, and it recovers automatically when the service answers."""
    host.open("/table")
    process = table._process.pid

    os.kill(process, signal.SIGSTOP)
    host.page.wait_for_selector("html[data-stale]")
    os.kill(process, signal.SIGCONT)

    host.page.wait_for_selector("html:not([data-stale])")


NARROW = """() => [document.documentElement.scrollWidth - innerWidth,
  [...document.querySelectorAll('#page *')].filter((one) => one.offsetParent && !one.closest('svg, .value')
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    && parseFloat(getComputedStyle(one).fontSize) < 15.9).map((one) => one.outerHTML.slice(0, 80))]"""
FITS = f"() => {{ const [wide, small] = ({NARROW})(); return wide <= 0 && !small.length; }}"
LAID_OUT_MS = 3000


def test_no_page_is_wider_than_the_glass(host: Tablet, thorough: bool) -> None:
    """Every page fits its device without horizontal scrolling; only text on tokens and coins is below 16 pixels."""
    faults = []
    for path in PAGES if thorough else PAGES[::EVERY_SO_OFTEN]:
        host.open(path)
        for size in (TABLET, PHONE):
            host.page.set_viewport_size(size)
            with suppress(TimeoutError):  # a busy machine lays a page out some time after its window has changed
                host.page.wait_for_function(FITS, timeout=LAID_OUT_MS)
            wide, small = host.page.evaluate(NARROW)
            if wide > 0 or small:
                faults.append((path, size["width"], wide, small[:2]))

    assert faults == []
    assert host.faults == []


def test_a_tap_meant_for_the_page_before_does_nothing(host: Tablet, table: Service) -> None:
    """A tap doesn't hit a button that has just moved under the finger because of another device."""
    host.open("/table")
    end_turn = host.page.locator("button:has-text('End turn')").first
    box = end_turn.bounding_box()
    assert box is not None
    where = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    table.do({"do": "end_turn", "player": "red"})
    host.page.wait_for_function("() => 'landing' in document.documentElement.dataset")
    host.page.mouse.click(*where)
    host.page.wait_for_function("() => !('landing' in document.documentElement.dataset)")
    assert table.ask("GET", "/api/v1/state")[1]["to_act"] == ["blue"]

    host.page.mouse.click(*where)

    expect(host.page.locator("h1")).to_have_text("Cem")
    assert table.ask("GET", "/api/v1/state")[1]["to_act"] == ["green"]


@pytest.mark.parametrize(
    ("zone", "language"), [pytest.param("America/New_York", "de", marks=pytest.mark.long), ("Asia/Kolkata", "nl")]
)
def test_a_device_shows_moments_in_its_own_zone(chromium: Browser, table: Service, zone: str, language: str) -> None:
    """A device shows times in its own time zone; without scripts the zone is named."""
    began = datetime.fromtimestamp(table.ask("GET", "/api/v1/games")[1]["games"][0]["began"], UTC)
    local = began.astimezone(ZoneInfo(zone))
    found = {}
    for scripts in (True, False):
        context = chromium.new_context(
            base_url=table.url, timezone_id=zone, locale=language, java_script_enabled=scripts
        )
        page = context.new_page()
        page.goto("/games")
        found[scripts] = page.locator("time[data-moment]").first.inner_text()
        context.close()

    assert found[True].endswith(f", {local:%H:%M}")
    assert found[False].endswith(f", {began:%H:%M} UTC")
