"""A simulated old tablet: Chromium without `:has` and without newer script features."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize

from tests.browser.first_action import to_the_first_action
from tests.browser.moments import moments
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service

SIZES = (TABLET, ViewportSize(width=768, height=1024), PHONE)
EVERY_SO_OFTEN = 53
"""A short run checks every 53rd moment."""
ELSEWHERE = ("/", "/ring", "/ring?show=calibrations", "/table/menu", "/history", "/new", "/welcome")
LACKING = """(() => {
  const supports = CSS.supports.bind(CSS);
  CSS.supports = (...asked) => !String(asked[0]).includes(":has") && supports(...asked);
  delete SubmitEvent.prototype.submitter;
  delete HTMLElement.prototype.inert;
  delete Element.prototype.checkVisibility;
  delete Array.prototype.at;
  delete window.structuredClone;
  delete window.SharedWorker;
})();"""
RULE = re.compile(r"[^{}]*:has\([^{}]*\{[^{}]*\}")
PLACES = """() => [...document.querySelectorAll("#page :not(svg *)")].flatMap((one) => {
  if (!one.getClientRects().length) return [];
  const { left, top, width, height } = one.getBoundingClientRect();
  const { color, backgroundColor, fontSize } = getComputedStyle(one);
  const name = `${one.tagName}.${one.getAttribute("class") || ""}`;
  return [[name, ...[left, top, width, height].map(Math.round), color, backgroundColor, fontSize].join(" ")];
})"""
TOLD = "() => [...document.querySelectorAll('link[rel=stylesheet]')].every((one) => one.dataset.told === 'all')"
"""True once the fallback script has read every style sheet."""


def without_has(route: Route) -> None:
    """Serve a style sheet without rules that use `:has`; scripts that fetch it get all of it."""
    answer = route.fetch()
    text = answer.text()
    route.fulfill(response=answer, body=RULE.sub("", text) if route.request.resource_type == "stylesheet" else text)


class Old(Tablet):
    """A device without the features added after Safari 15.0 and Chrome 90."""

    def __init__(self, browser: Browser, service: Service) -> None:
        super().__init__(browser, service.url, TABLET, still=True)
        self.page.add_init_script(LACKING)
        self.page.route("**/*.css", without_has)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service without a ring: draws are typed in."""
    service = Service(tmp_path / "data")
    yield service
    service.stop()


def placed(page: Page, size: ViewportSize) -> list[str]:
    """Return the positions of all elements of *page* on a screen of *size*."""
    page.set_viewport_size(size)
    found: list[str] = page.evaluate(PLACES)
    return found


def differences(old: Tablet, new: Tablet, path: str) -> list[str]:
    """Return the elements that have a different position on the old tablet at *path* than on the new one."""
    for device in (old, new):
        device.open(path)
    old.page.wait_for_function(TOLD)
    found: list[str] = []
    for size in SIZES:
        here, there = placed(old.page, size), placed(new.page, size)
        apart = [(one, other) for one, other in zip(here, there, strict=False) if one != other]
        if apart or len(here) != len(there):
            found.append(f"{path} {size['width']}: {len(apart)} elsewhere, first {apart[:2]}")
    for device in (old, new):
        device.rest()
    return found


def test_an_old_tablet_shows_the_same_pages(chromium: Browser, service: Service, thorough: bool) -> None:
    """Without `:has`, as on Safari 15.0 and Chrome 90, every element has the same position and colour."""
    old, new = Old(chromium, service), Tablet(chromium, service.url, TABLET, still=True)
    for device in (old, new):
        device.enter_pin(service.pin)
    found: list[Any] = []
    for number, moment in enumerate(moments(service)):
        if not moment.seat and (thorough or number % EVERY_SO_OFTEN == 0):
            found += [f"{moment.name}: {one}" for one in differences(old, new, moment.path)]
    for path in ELSEWHERE if thorough else ELSEWHERE[:2]:
        found += differences(old, new, path)

    assert not found, "\n" + "\n".join(found)
    assert old.faults == new.faults == []
    for device in (old, new):
        device.close()


def test_an_old_tablet_sends_what_was_tapped(chromium: Browser, service: Service) -> None:
    """Safari before 15.4 doesn't report which button submitted a form, but the button's line is sent all the same."""
    to_the_first_action(service)
    old = Old(chromium, service)
    old.enter_pin(service.pin)
    old.open("/table")
    exchange = old.page.locator("form[action='/table/do'] button.round:visible").first

    before = service.ask("GET", "/api/v1/state")[1]["version"]
    exchange.click()
    old.await_version(before + 1)

    assert service.record()[-1]["do"] == "exchange"
    assert old.faults == []
    old.close()
