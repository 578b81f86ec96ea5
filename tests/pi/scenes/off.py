"""Switching off from the tablet, in a real browser, with two taps."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.pi.browser import before
from tests.pi.house import House
from tests.pi.machine import Otherwise


def switched_off_from_the_tablet(house: House) -> str:
    """*Switch off*, tapped and confirmed in a real Chromium, switches the machine off, and the game is saved."""
    house.wait()
    house.to_an_attempt()
    kept = house.record()
    with before(house) as tablet:
        tablet.enter_pin(house.pin())
        tablet.open("/device")
        tablet.tap("a[href='/house/off']")
        tablet.tap("form[action='/house/off'] button")
        tablet.page.wait_for_selector("main ol li")
        took = house.machine.off()
        shown = _night(tablet.page)
    house.machine.boot()
    house.wait()
    if house.record() != kept:
        raise Otherwise("the game is another one after the boot")
    return f"off after {took:.0f} s; the tablet still shows: “{shown}”; the game is there after the next boot"


def _night(page: Page) -> str:
    """Return the last text of the final page, which must contain no script, since its server is off."""
    if page.locator("script").count() or page.locator("main ol li").count() < 2:
        raise Otherwise(f"the tablet shows: {page.inner_text('body')[:300]}")
    return " ".join(page.inner_text("main li:last-child").split())


SCENES = (switched_off_from_the_tablet,)
