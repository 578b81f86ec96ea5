"""The moment of a result fills the screen once; a tap ends it, and no reload or undo repeats it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.first_action import ATTEMPT, to_the_first_action
from tests.browser.looking import IN_LIGHT, PHONES, Glasses, faults
from tests.browser.tablet import PHONE, TABLET, TELEVISION, Tablet
from tests.companion.app.processes import Service

STAGE = "body > .stage"
DRAWN = {"do": "draw", "colour": "blue"}
HELD = "document.documentElement.style.setProperty('--lasts', '600000ms')"
WON = {"do": "draw", "colour": "red"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Service]:
    """Red's attempt at Ringworld, without a ring: draws are typed in."""
    service = Service(tmp_path / "data")
    to_the_first_action(service)
    service.do(ATTEMPT)
    yield service
    service.stop()


def at_the_ring(chromium: Browser, table: Service, size: object = TABLET, held: bool = True) -> Tablet:
    """Return a device that shows the attempt and records its sounds; with *held*, only a tap ends a moment."""
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
    """The moment of a centre only shows value, owner and the score counting up; the page below says the same."""
    device = at_the_ring(chromium, table, size)

    table.do(WON)

    device.page.wait_for_selector(STAGE)
    assert device.page.inner_text(f"{STAGE} .goal") == "9"
    expect(device.page.locator(f"{STAGE} .whose")).to_be_visible()
    assert device.page.inner_text(f"{STAGE} .whose").split() == ["Ana", "+9"]
    expect(device.page.locator(f"{STAGE} .total b")).to_have_text("13")
    assert faults(device.page, "the moment", glasses) == []
    device.page.keyboard.press("Escape")
    expect(device.page.locator(".settled h2")).to_have_text("Ana takes the 9 at Ringworld")
    assert device.faults == []
    device.close()


FRAMES = """() => {
  window.frames = [];
  const corners = [[0.02, 0.02], [0.98, 0.02], [0.5, 0.5], [0.02, 0.98], [0.98, 0.98]];
  const look = () => {
    const over = document.querySelector("body > .stage"), words = over?.querySelector(".whose");
    const on = ([x, y]) => document.elementFromPoint(x * innerWidth, y * innerHeight)?.closest("body > .stage");
    frames.push({
      version: Number(document.getElementById("page").dataset.version),
      covered: Boolean(over) && getComputedStyle(over).opacity === "1" && corners.every(on),
      words: Boolean(words) && getComputedStyle(words).visibility === "visible",
      moving: Boolean(over?.querySelector(".flood")?.getAnimations().some((one) => one.playState === "running")),
      heard: document.getElementById("told")?.textContent ?? "",
    });
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
"""Records for each frame what the page shows, and which sounds it plays."""


@pytest.mark.parametrize(
    ("size", "path", "seat"),
    [
        pytest.param(TABLET, "/table", "", id="tablet"),
        pytest.param(PHONE, "/table", "red", id="own phone", marks=pytest.mark.long),
        pytest.param(PHONE, "/table", "blue", id="other phone", marks=pytest.mark.long),
        pytest.param(TELEVISION, "/screen", "", id="screen", marks=pytest.mark.long),
    ],
)
def test_no_frame_tells_a_result_before_its_moment(
    chromium: Browser, table: Service, size: object, path: str, seat: str
) -> None:
    """The first frame of a result is opaque, and text and sound come only after the colour has stopped."""
    device = Tablet(chromium, table.url, size, hurried=False)  # type: ignore[arg-type]
    if seat:
        device.enter_pin(table.pin)
        device.join(device.join_pin(), seat)
    device.open(path)
    before = device.version
    device.page.evaluate(FRAMES)

    table.do(WON)

    device.page.wait_for_function("() => frames.some((one) => one.words)")
    frames = device.page.evaluate("frames")
    later = [one for one in frames if one["version"] > before]
    assert all(one["covered"] for one in later)
    assert not any(one["moving"] for one in frames if one["words"])
    assert {one["heard"] for one in frames if not one["words"]} == {frames[0]["heard"]}
    device.close()


SLOW = """() => document.addEventListener("swapped", () => {
  for (const at = Date.now(); Date.now() < at + 3500; );
}, { once: true })"""


def test_a_slow_device_shows_a_moment_to_its_end(chromium: Browser, table: Service) -> None:
    """If a device needs longer than a whole moment for its first frame, the moment still shows its words."""
    device = at_the_ring(chromium, table, held=False)
    device.page.evaluate(FRAMES)
    device.page.evaluate(SLOW)

    table.do(WON)

    device.page.wait_for_selector(STAGE)
    expect(device.page.locator(STAGE)).to_have_count(0)
    assert any(one["words"] for one in device.page.evaluate("frames"))
    device.close()


def test_a_moment_ends_by_itself(chromium: Browser, table: Service) -> None:
    """A moment plays a sound when a station comes and when it lands; then the page is shown again automatically."""
    device = at_the_ring(chromium, table, held=False)

    table.do(WON)

    device.page.wait_for_function("([stage]) => cues.length === 2 && !document.querySelector(stage)", arg=[STAGE])
    assert device.page.evaluate("cues") == ["counted", "centre"]
    device.close()


def test_a_tap_ends_the_moment_and_hits_nothing_below(chromium: Browser, table: Service) -> None:
    """A tap ends the moment and shows the result, without hitting the page below."""
    device = at_the_ring(chromium, table)
    table.do(DRAWN)
    device.page.wait_for_selector(STAGE)
    shown = device.version

    device.page.mouse.click(900, 400)

    assert device.page.locator(STAGE).count() == 0
    assert device.version == shown
    assert device.page.url.endswith("/table")
    device.close()


@pytest.mark.long
def test_one_tap_ends_all_that_a_result_has_led_to(chromium: Browser, table: Service) -> None:
    """The full planet is shown after the centre that filled it, and a tap on the first moment ends both."""
    table.ask("POST", "/api/v1/deeds", {"deed": "undo"})
    for colour, at in (("blue", 1), ("green", 2)):
        move = {"from": "p1", "to": f"p1/{at}", "count": 1}
        table.do({"do": "correct", "player": colour, "reason": "x", "move": move})
    table.do(ATTEMPT)
    whole, hurried = at_the_ring(chromium, table, held=False), at_the_ring(chromium, table, held=False)

    table.do(WON)

    hurried.page.wait_for_selector(f"{STAGE}.won")
    hurried.page.mouse.click(900, 400)
    assert hurried.page.locator(STAGE).count() == 0
    whole.page.wait_for_selector(f"{STAGE}.full")
    assert whole.page.locator(STAGE).count() == 1
    expect(whole.page.locator(STAGE)).to_have_count(0)
    assert hurried.page.locator(STAGE).count() == 0
    for device in (whole, hurried):
        device.close()


@pytest.mark.long
def test_a_draw_during_a_moment_counts_at_once(chromium: Browser, table: Service) -> None:
    """A draw made while a moment is on display is shown on the page, and its moment replaces the one on display."""
    device = at_the_ring(chromium, table)
    table.do(DRAWN)
    device.page.wait_for_selector(STAGE)
    first, shown = device.page.get_attribute(STAGE, "data-stage"), device.version

    table.do(WON)

    device.await_version(shown + 1)
    device.page.wait_for_selector(f"{STAGE}.won")
    assert device.page.locator(STAGE).count() == 1
    assert device.page.get_attribute(STAGE, "data-stage") != first
    device.close()


def test_what_is_late_or_taken_back_is_not_played(chromium: Browser, table: Service) -> None:
    """After a reload or an undo, and on a newly opened page, the same facts appear at once, without a moment."""
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
    """With reduced motion, a moment shows its facts immediately, without an animation."""
    device = at_the_ring(chromium, table)
    device.page.emulate_media(reduced_motion="reduce")

    table.do(WON)

    device.page.wait_for_selector(STAGE)
    assert device.page.inner_text(f"{STAGE} .total b") == "13"
    assert device.page.evaluate("document.getAnimations().length") == 0
    device.close()
