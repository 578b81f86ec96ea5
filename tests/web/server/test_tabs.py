"""The tabs of one browser: they share one stream, and recover from sleep and lost connections."""

from __future__ import annotations

from collections.abc import Iterator
from time import time

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.session.commands import Leave
from tests.web.open_port import OpenPort, hear
from tests.web.served_house import HOST, ServedHouse
from tests.web.server.cable import Cable
from tests.web.server.sleeping import asleep

BEAT_S = 0.2


@pytest.fixture
def site(site: ServedHouse) -> ServedHouse:
    """A server with five heartbeats a second, so that silence is soon noticed."""
    site.streams.heartbeat_s = BEAT_S
    return site


@pytest.fixture
def cable(open_port: OpenPort) -> Iterator[Cable]:
    """A connection to that server that can be interrupted."""
    cable = Cable(open_port.port)
    yield cable
    cable.close()


@pytest.fixture
def context(browser: Browser, cable: Cable, site: ServedHouse) -> Iterator[BrowserContext]:
    """A browser of its own, whose pages can ask for the server's number of streams."""
    context = browser.new_context(base_url=f"http://127.0.0.1:{cable.port}")
    context.expose_function("streams", lambda: site.streams.open_count)
    yield context
    context.close()


def tab(context: BrowserContext) -> Page:
    """Open the menu in a tab of *context*, and wait for its first event."""
    page = context.new_page()
    page.add_init_script("document.addEventListener('heard', () => { window.hears = true; })")
    page.goto("/table/menu")
    page.wait_for_function("() => window.hears")
    return page


def shown(page: Page, version: int) -> None:
    """Wait until *page* shows *version*."""
    expect(page.locator("#page")).to_have_attribute("data-version", str(version))


def streams(page: Page, count: int) -> None:
    """Wait until the server has *count* streams."""
    page.wait_for_function("async (count) => await streams() === count", arg=count)


def look_away(page: Page, away: bool = True) -> None:
    """Hide *page*, or show it again, as if another tab were selected."""
    page.evaluate(
        """(away) => {
             const value = away ? "hidden" : "visible";
             Object.defineProperty(document, "visibilityState", { value, configurable: true });
             document.dispatchEvent(new Event("visibilitychange"));
           }""",
        away,
    )


def test_two_tabs_of_a_browser_share_one_stream(site: ServedHouse, context: BrowserContext) -> None:
    """Streams: a browser has at most six connections to a server, so all its tabs share one stream."""
    first, second = tab(context), tab(context)
    version = site.table.execute(Leave("blue"), HOST)

    shown(first, version)
    shown(second, version)
    assert site.streams.open_count == 1


def test_a_tab_that_nobody_looks_at_listens_to_nothing(site: ServedHouse, context: BrowserContext) -> None:
    """Streams: hidden tabs leave the stream, the last one closes it, and a tab that is shown again is up to date."""
    first, second = tab(context), tab(context)
    streams(first, 1)
    look_away(first)
    look_away(second)
    streams(first, 0)
    version = site.table.execute(Leave("blue"), HOST)

    look_away(second, False)
    shown(second, version)
    streams(second, 1)
    assert first.get_attribute("#page", "data-version") != str(version)


def test_a_browser_without_shared_workers_hears_by_itself(site: ServedHouse, context: BrowserContext) -> None:
    """Streams: without SharedWorker, each visible tab has a stream of its own."""
    context.add_init_script("delete window.SharedWorker")
    page = tab(context)
    version = site.table.execute(Leave("blue"), HOST)

    shown(page, version)
    look_away(page)
    streams(page, 0)


WATCH = """() => {
  window.frames_seen = [];
  const look = () => {
    const version = Number(document.getElementById("page").dataset.version);
    frames_seen.push({ at: Date.now(), version, stale: "stale" in document.documentElement.dataset });
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
"""Records what each frame shows."""
UP_TO_DATE = "([since, version]) => frames_seen.some((one) => one.at >= since && one.version === version && !one.stale)"
NIGHT_BEATS = 30


def test_a_tablet_that_slept_catches_up_within_a_second(
    site: ServedHouse, open_port: OpenPort, context: BrowserContext, capsys: pytest.CaptureFixture[str]
) -> None:
    """Waking: soon after sleep a page has the new state, and until then it says that it may be outdated."""
    page = tab(context)
    page.evaluate(WATCH)
    house = open_port.stream()
    with asleep():
        version = site.table.execute(Leave("blue"), HOST)
        for _ in range(NIGHT_BEATS):
            hear(house, b"event: beat")
        woken = time() * 1000
    page.wait_for_function(UP_TO_DATE, arg=[woken, version])

    frames = [frame for frame in page.evaluate("() => frames_seen") if frame["at"] >= woken]
    took_ms = next(frame["at"] for frame in frames if frame["version"] == version and not frame["stale"]) - woken
    lied_ms = max((one["at"] - woken for one in frames if one["version"] != version and not one["stale"]), default=0)
    with capsys.disabled():
        print(f"\nawake: says so after {lied_ms:.0f} ms, up to date after {took_ms:.0f} ms")
    assert took_ms < 1000
    assert lied_ms < 500
    house.close()


def test_a_cut_is_said_and_mended(site: ServedHouse, cable: Cable, context: BrowserContext) -> None:
    """Stale: after ten seconds without events the page says so and stops its counters, until events arrive again."""
    page = tab(context)
    page.evaluate("document.getElementById('page').insertAdjacentHTML('beforeend', '<b data-age=5 id=age></b>')")
    cable.pull()
    expect(page.locator("#silence")).to_contain_text("No news from the companion since")
    old = page.inner_text("#age")
    version = site.table.execute(Leave("blue"), HOST)
    page.wait_for_function("(long) => (window.since ??= performance.now()) + long < performance.now()", arg=10_000)
    assert page.inner_text("#age") == old
    assert page.get_attribute("html", "data-stale") == ""

    cable.mend()
    shown(page, version)
    expect(page.locator("#silence")).to_be_hidden()
