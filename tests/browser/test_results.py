"""The moment of a result: large and alone, once, ended by a tap; never again for whoever comes later or takes back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.first_action import ATTEMPT, to_the_first_action
from tests.browser.looking import IN_LIGHT, PHONES, Glasses, faults
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service

STAGE = "body > .stage"
DRAWN = {"do": "draw", "colour": "blue"}
HELD = "document.documentElement.style.setProperty('--lasts', '600000ms')"
WON = {"do": "draw", "colour": "red"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Service]:
    """An attempt of red at Ringworld, without a ring: draws are typed in."""
    service = Service(tmp_path / "data")
    to_the_first_action(service)
    service.do(ATTEMPT)
    yield service
    service.stop()


def at_the_ring(chromium: Browser, table: Service, size: object = TABLET, held: bool = True) -> Tablet:
    """Return a device that shows the attempt and remembers its sounds; *held*: only a tap ends a moment."""
    device = Tablet(chromium, table.url, size, hurried=False)  # type: ignore[arg-type]
    if held:
        device.page.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ {HELD} }})")
    device.open("/table")
    device.page.evaluate("window.cues = []; document.addEventListener('cue', (event) => cues.push(event.detail))")
    return device


@pytest.mark.parametrize(
    ("size", "glasses"),
    [pytest.param(TABLET, IN_LIGHT, marks=pytest.mark.long), (PHONE, PHONES)],
    ids=["tablet", "phone"],
)
def test_a_centre_is_seen_across_the_table(chromium: Browser, table: Service, size: object, glasses: Glasses) -> None:
    """A centre: the value, whose it is and the score that counts up are all there is; the page below says the same."""
    device = at_the_ring(chromium, table, size)

    table.do(WON)

    device.page.wait_for_selector(STAGE)
    assert device.page.inner_text(f"{STAGE} .goal") == "9"
    assert device.page.inner_text(f"{STAGE} .whose").split() == ["Ana", "+9"]
    expect(device.page.locator(f"{STAGE} .total b")).to_have_text("13")
    assert faults(device.page, "the moment", glasses) == []
    device.page.keyboard.press("Escape")
    expect(device.page.locator(".settled h2")).to_have_text("Ana takes the 9 at Ringworld")
    assert device.faults == []
    device.close()


def test_a_moment_ends_by_itself(chromium: Browser, table: Service) -> None:
    """A moment: the station is heard as it comes and as it lands, then the table has its page again."""
    device = at_the_ring(chromium, table, held=False)

    table.do(WON)

    device.page.wait_for_function("([stage]) => cues.length === 2 && !document.querySelector(stage)", arg=[STAGE])
    assert device.page.evaluate("cues") == ["counted", "centre"]
    device.close()


def test_a_tap_ends_the_moment_and_hits_nothing_below(chromium: Browser, table: Service) -> None:
    """A tap: whoever is in a hurry sees how it came out, and has not tapped what the moment covers."""
    device = at_the_ring(chromium, table)
    table.do(DRAWN)
    device.page.wait_for_selector(STAGE)
    shown = device.version

    device.page.mouse.click(900, 400)

    assert device.page.locator(STAGE).count() == 0
    assert device.version == shown
    assert device.page.url.endswith("/table")
    device.close()


def test_what_is_late_or_taken_back_is_not_played(chromium: Browser, table: Service) -> None:
    """A reload, a page that is opened, and undo: the same facts at once, and no moment of it."""
    device = at_the_ring(chromium, table)
    table.do(DRAWN)
    device.page.wait_for_selector(STAGE)

    device.open("/table")
    expect(device.page.locator(".falls")).to_contain_text("Ben")
    table.do(DRAWN)
    device.page.wait_for_selector(STAGE)
    device.page.keyboard.press("Escape")
    status, _ = table.ask("POST", "/api/v1/deeds", {"deed": "undo"})

    assert status == 200
    expect(device.page.locator(".falls .fell")).to_have_count(1)
    assert device.page.locator(STAGE).count() == 0
    device.close()


def test_without_movement_the_moment_stands_still(chromium: Browser, table: Service) -> None:
    """Reduced motion: the same facts, at once and as they came out, and nothing is animated."""
    device = at_the_ring(chromium, table)
    device.page.emulate_media(reduced_motion="reduce")

    table.do(WON)

    device.page.wait_for_selector(STAGE)
    assert device.page.inner_text(f"{STAGE} .total b") == "13"
    assert device.page.evaluate("document.getAnimations().length") == 0
    device.close()
