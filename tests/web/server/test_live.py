"""live.js in a real browser: pages follow the table, and say so when they can't."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.session.commands import Leave
from tests.web.open_port import OpenPort
from tests.web.served_house import HOST, ServedHouse
from web import Service, SseStreams


@pytest.fixture
def tablet(browser: Browser, site: ServedHouse, open_port: OpenPort) -> Iterator[Page]:
    """The host's tablet, with a page that follows the table."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, base_url=f"http://127.0.0.1:{open_port.port}"
    )
    cookie = site.host().client.get_cookie(site.app.config["SESSION_COOKIE_NAME"])
    assert cookie is not None
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "domain": "127.0.0.1", "path": "/"}])
    page = context.new_page()
    page.goto("/table/menu?of=settings")
    yield page
    context.close()


def shown(page: Page, version: int) -> None:
    """Wait until *page* shows *version*."""
    expect(page.locator("#page")).to_have_attribute("data-version", str(version))


def test_a_page_follows_the_table(site: ServedHouse, tablet: Page) -> None:
    """Live: a change made elsewhere is swapped in without a reload."""
    tablet.evaluate("window.same = true")
    shown(tablet, site.table.execute(Leave("blue"), HOST))

    expect(tablet.locator(".leavers button").nth(1)).to_contain_text("Is back")
    assert tablet.evaluate("window.same") is True


def test_a_ring_that_changed_before_the_stream_was_open_is_shown(site: ServedHouse, tablet: Page) -> None:
    """If the ring has changed between a page and the first message of its stream, the page is loaded again."""

    def older(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('data-ring="', 'data-ring="older '))

    tablet.route("**/table/menu?of=settings", older, times=1)
    tablet.goto("/table/menu?of=settings")

    expect(tablet.locator("#page")).to_have_attribute("data-ring", site.table.snapshot.ring.mark)


def test_a_swap_leaves_the_hand_where_it_was(site: ServedHouse, tablet: Page) -> None:
    """Live: focus, scroll position and opened parts are the same after a swap."""
    tablet.set_viewport_size({"width": 390, "height": 320})
    tablet.get_by_text("Leaving early", exact=True).click()
    tablet.locator(".leavers button").nth(2).focus()
    tablet.evaluate("window.scrollTo(0, 100)")
    shown(tablet, site.table.execute(Leave("red"), HOST))

    expect(tablet.locator("#leaving")).to_have_attribute("open", "")
    assert tablet.evaluate("document.activeElement.value") == "green"
    assert tablet.evaluate("window.scrollY") == 100


def test_a_tap_acts_without_a_reload(site: ServedHouse, tablet: Page) -> None:
    """Live: forms and links are fetched by script; the URL changes, and the back button works."""
    tablet.evaluate("window.same = true")
    tablet.get_by_text("Leaving early", exact=True).click()
    tablet.locator(".leavers button").first.click()
    expect(tablet.locator(".leavers button").first).to_contain_text("Is back")
    tablet.locator("a[href='/device']").click()
    expect(tablet).to_have_url(re.compile("/device$"))
    tablet.go_back()
    expect(tablet.get_by_role("heading", name="Settings")).to_be_visible()

    assert tablet.evaluate("window.same") is True
    assert site.table.snapshot.absent == {"red"}


def test_a_refusal_is_shown_where_the_hand_is(site: ServedHouse, tablet: Page) -> None:
    """Live: a refused tap shows the reason on the same page."""
    tablet.goto("/table")
    site.table.do({"do": "deal"}, HOST)
    shown(tablet, site.table.snapshot.version)
    tablet.wait_for_function("() => !('landing' in document.documentElement.dataset)")  # otherwise the tap is ignored
    tablet.get_by_text("Dealt").click()

    expect(tablet.locator(".strip.refusal")).to_be_visible()
    expect(tablet).to_have_url(re.compile("/table$"))


def test_a_second_tap_of_a_double_tap_does_nothing(site: ServedHouse, tablet: Page) -> None:
    """Live: a double click sends one command."""
    tablet.goto("/table")
    before = len(site.table.archive.history())
    tablet.get_by_text("Dealt").dblclick()
    expect(tablet.locator("h1")).to_have_text("transport")

    assert len(site.table.archive.history()) == before + 1
    expect(tablet.locator(".strip.refusal")).to_have_count(0)


def test_what_is_being_filled_in_is_left_alone(site: ServedHouse, tablet: Page) -> None:
    """Live: a page with a form keeps the typed text, whatever happens at the table."""
    tablet.goto("/new")
    tablet.fill("input[name=first]", "green")
    site.table.execute(Leave("blue"), HOST)
    other = tablet.context.new_page()
    other.goto("/table/menu?of=settings")
    expect(other.locator(".leavers button").nth(1)).to_contain_text("Is back")

    expect(tablet.locator("input[name=first]")).to_have_value("green")


def test_a_turned_page_stays_turned(tablet: Page) -> None:
    """Live: the page can be turned upside down, and the device remembers it."""
    tablet.goto("/join")
    tablet.locator(".bar [data-turn]").click()
    tablet.reload()

    expect(tablet.locator("html")).to_have_class(re.compile(r"\bturned\b"))
    tablet.locator(".bar [data-turn]").click()
    expect(tablet.locator("html")).not_to_have_class(re.compile(r"\bturned\b"))


def test_silence_is_said_and_ends_by_itself(browser: Browser, site: ServedHouse) -> None:
    """Live: after two missed heartbeats the page turns grey and disabled; it recovers when the server is back."""
    port, ready, house = 0, Queue[int](), []

    def open_house(port: int) -> int:
        service = Service(site.app, SseStreams(site.table.snapshot, heartbeat_s=0.2), "127.0.0.1", port)
        house[:] = [service, Thread(target=service.run, args=(ready.put,))]
        house[1].start()
        return ready.get(timeout=60)

    def close_house() -> None:
        house[0].stop()
        house[1].join()

    port = open_house(0)
    page = browser.new_page(base_url=f"http://127.0.0.1:{port}")
    page.goto("/table/menu?of=settings")
    page.wait_for_function("!('stale' in document.documentElement.dataset)")
    close_house()

    expect(page.locator("#silence")).to_be_visible()
    expect(page.locator("#silence")).to_contain_text("No news from the companion since")
    page.locator("a[href='/device']").click(force=True)
    expect(page).to_have_url(re.compile(r"/table/menu\?of=settings$"))

    version = site.table.execute(Leave("blue"), HOST)
    open_house(port)
    shown(page, version)
    expect(page.locator("#silence")).to_be_hidden()
    assert page.evaluate("'stale' in document.documentElement.dataset") is False
    page.close()
    close_house()


def test_everything_works_without_scripts(browser: Browser, site: ServedHouse, open_port: OpenPort) -> None:
    """Live: without JavaScript, links and forms work in the same way."""
    context = browser.new_context(java_script_enabled=False, base_url=f"http://127.0.0.1:{open_port.port}")
    page = context.new_page()
    page.goto("/pin?next=/table/menu?of=settings")
    page.fill("input[name=pin]", site.access.pin)
    page.click("main button.go")
    page.get_by_text("Leaving early", exact=True).click()
    page.locator(".leavers button").first.click()

    expect(page.locator(".leavers button").first).to_contain_text("Is back")
    page.locator("a[href='/device']").click()
    expect(page).to_have_url(re.compile("/device$"))
    context.close()


def test_the_page_obeys_its_own_policy(tablet: Page, tmp_path: Path) -> None:
    """Headers: no page violates its own content security policy."""
    said: list[str] = []
    tablet.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    tablet.on("pageerror", lambda error: said.append(str(error)))
    for address in ("/", "/history", "/ring", "/table/menu", "/new", "/table"):
        tablet.goto(address)

    assert said == []
