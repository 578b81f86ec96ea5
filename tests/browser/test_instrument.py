"""The ring's instrument from the tablet: calibration, check, uncertain draws, and a count after an attempt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, expect

from firmware_bridge.simulation.evaluation.recognition import calibrated
from firmware_bridge.simulation.physics import PhysicsBench
from firmware_bridge.simulation.physics.world import World
from tests.browser.camera import Camera
from tests.browser.first_action import ATTEMPT, SEATS, to_the_first_action
from tests.browser.looking import RULES, Glasses, faults
from tests.browser.tablet import TABLET, Tablet
from tests.companion.app.processes import Service, VirtualRing

PASSES = 10
LIGHT: Glasses = (("tablet", "light", RULES),)
DARK: Glasses = (("phone", "dark", RULES),)
"""Pages are checked on these two alternately."""
NAMES = dict(SEATS)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """The usual simulated world with cubes of different paint, gloss and noise, but without hesitating hands."""
    path = tmp_path / "world.toml"
    path.write_text("rates = { back = 0.0, pair = 0.0, poke = 0.0, glitch = 0.0 }\n", encoding="utf-8")
    return path


@pytest.fixture
def resting(tmp_path: Path, world: Path) -> Iterator[VirtualRing]:
    """A ring in that simulated world whose cubes are only slid when the tablet asks for it."""
    ring = VirtualRing(tmp_path, [], seed=5, world=world)
    yield ring
    ring.end()


@pytest.fixture
def schooled(tmp_path: Path, resting: VirtualRing) -> Iterator[Service]:
    """A service with that ring."""
    service = Service(tmp_path / "data", resting.path)
    yield service
    service.stop()


@pytest.fixture
def lens(chromium: Browser, schooled: Service, request: pytest.FixtureRequest) -> Iterator[Camera]:
    """Takes the screenshots of pages that only exist during a calibration."""
    yield from looking(chromium, schooled, request)


def looking(chromium: Browser, service: Service, request: pytest.FixtureRequest) -> Iterator[Camera]:
    """Yield a camera for *service*, and close it."""
    folder = request.config.getoption("--screenshots")
    camera = Camera(chromium, service, Path(folder) if folder else None)
    yield camera
    camera.close()


@pytest.fixture
def teacher(chromium: Browser, schooled: Service) -> Iterator[Tablet]:
    """The host's tablet at that service."""
    tablet = Tablet(chromium, schooled.url, TABLET)
    tablet.enter_pin(schooled.pin)
    yield tablet
    tablet.close()


def test_a_ring_is_taught_from_start_to_end(
    teacher: Tablet, schooled: Service, resting: VirtualRing, lens: Camera, thorough: bool
) -> None:
    """Calibration takes references, ten slides of each colour, a review and a save; then one cube of each is read."""
    to_the_first_action(schooled)

    teach(teacher, lens, thorough)
    teacher.tap(teacher.page.get_by_role("link", name="Check now"))
    teacher.tap(teacher.page.get_by_role("button", name="Start check"))
    check_each(teacher, lens)
    lens.take("judged-again", f"/ring?show=again&game={schooled.ask('GET', '/api/v1/games')[1]['games'][0]['id']}")
    teacher.tap(teacher.page.get_by_role("button", name=re.compile("^Done")))
    teacher.page.wait_for_url("**/table")

    status, ring = schooled.ask("GET", "/api/v1/ring")
    assert status == 200
    made = ring["instrument"]["calibration"]
    assert sorted(made["colours"]) == ["blue", "green", "red"]
    assert made["passes"] == made["right"] == 3 * PASSES
    assert [line["do"] for line in schooled.record() if line.get("do") in ("draw", "undo")] == []
    lens.take("ring", "/ring")
    lens.take("ring-readings", "/ring?show=passage")
    resting.end()
    teacher.open("/ring")
    expect(teacher.page.locator("#ring-chip.bad")).to_be_visible()
    if thorough:
        nobody_is_shut_out(teacher, LIGHT)
    assert teacher.faults == []


def teach(teacher: Tablet, lens: Camera, thorough: bool) -> None:
    """Go through the wizard from the ring's page to a saved calibration."""
    page = teacher.page
    teacher.open("/ring")
    lens.take("ring-untaught", "/ring")
    teacher.tap("a[href='/ring/teach'] >> visible=true")
    lens.take("teach-begin", "/ring/teach")
    if thorough:
        nobody_is_shut_out(teacher, DARK)
    teacher.tap(page.get_by_role("button", name="Start"))
    page.get_by_role("button", name="Read now").first.wait_for()
    lens.take("teach-references", "/ring/teach")
    nobody_is_shut_out(teacher, LIGHT)
    for left in (3, 2, 1):
        expect(page.get_by_role("button", name="Read now")).to_have_count(left)
        teacher.tap(page.get_by_role("button", name="Read now"))
    for colour in ("red", "blue", "green"):
        expect(page.get_by_role("heading", name=f"Slide {colour}")).to_be_visible()
        slide_ten(teacher, lens if colour == "green" else None)
    expect(page.get_by_text("All colours are in.", exact=True)).to_be_visible()
    teacher.tap(page.get_by_role("button", name="Review"))
    expect(page.get_by_text("Good.")).to_be_visible()
    lens.take("teach-review", "/ring/teach")
    if thorough:
        nobody_is_shut_out(teacher, DARK)
    teacher.tap(page.get_by_role("button", name="Save"))
    expect(page.get_by_text("3 colours")).to_be_visible()


def nobody_is_shut_out(device: Tablet, glasses: Glasses) -> None:
    """Assert that the current page has no accessibility faults on these *glasses*."""
    found = faults(device.page, device.page.url, glasses)
    device.page.set_viewport_size(TABLET)
    device.page.emulate_media(color_scheme="light")

    assert not found, "\n" + "\n".join(found)


def slide_ten(teacher: Tablet, lens: Camera | None) -> None:
    """Slide the current colour until it was read ten times."""
    for seen in range(PASSES):
        shown = teacher.page.get_by_test_id("counter").locator("b")
        expect(shown).to_have_text(str(seen))
        if lens and seen == PASSES // 2:
            lens.take("teach-passes", "/ring/teach")
            nobody_is_shut_out(teacher, LIGHT)
        teacher.tap(teacher.page.get_by_role("button", name="Slide", exact=True))


def check_each(teacher: Tablet, lens: Camera) -> None:
    """Slide until one cube of each colour was read."""
    page = teacher.page
    ticks = page.locator(".ticks")
    slide = page.get_by_role("button", name="Slide", exact=True)
    slide.wait_for()
    for slid in range(60):
        if page.locator(".ticks .done").count() == 3:
            return
        if slid == 2:
            lens.take("check", "/ring/check")
            nobody_is_shut_out(teacher, DARK)
        news = ticks.get_attribute("data-news") or ""
        teacher.tap(slide)
        expect(ticks).not_to_have_attribute("data-news", news)
    raise AssertionError("sixty slides, and not one of each colour")


@pytest.fixture
def odd(tmp_path: Path, world: Path) -> Iterator[VirtualRing]:
    """A ring that lets out an orange cube, which a table with red, blue and green doesn't know, and then a red one."""
    steps = [{"wait_for": "armed"}, {"slide": 1, "colours": ["orange"]}, {"slide": 1, "colours": ["red"]}]
    ring = VirtualRing(tmp_path, steps, seed=5, world=world)
    yield ring
    ring.end()


@pytest.fixture
def puzzled(tmp_path: Path, odd: VirtualRing) -> Iterator[Service]:
    """A service with that ring, calibrated for three colours, and a game at the first action."""
    service = Service(tmp_path / "data", odd.path)
    made = calibrated(PhysicsBench(World(), Random(5)), ("red", "blue", "green"), PASSES, 80.0, "Our copy")
    assert service.ask("POST", "/api/v1/ring/deeds", {"deed": "bring", "calibration": made.line()})[0] == 200
    to_the_first_action(service)
    yield service
    service.stop()


@pytest.fixture
def counter(chromium: Browser, puzzled: Service) -> Iterator[Tablet]:
    """The host's tablet at that service."""
    tablet = Tablet(chromium, puzzled.url, TABLET)
    tablet.enter_pin(puzzled.pin)
    yield tablet
    tablet.close()


@pytest.fixture
def eye(chromium: Browser, puzzled: Service, request: pytest.FixtureRequest) -> Iterator[Camera]:
    """Takes the screenshots of the ring's questions."""
    yield from looking(chromium, puzzled, request)


def test_an_unsure_draw_and_a_wrong_count_are_settled_at_the_tablet(
    counter: Tablet, puzzled: Service, eye: Camera
) -> None:
    """The answer to the ring's question about a draw takes one tap, and the table shows how a wrong count differs."""
    page = counter.page
    puzzled.do(ATTEMPT)

    counter.open("/table")
    choices = page.locator(".ask .pick button:visible")
    expect(choices).to_have_count(2)
    expect(page.get_by_role("button", name="Doesn't count")).to_be_visible()
    eye.take("unsure")
    nobody_is_shut_out(counter, LIGHT)
    said = page.locator(".ask .pick button:not([value=red])").first
    taken = said.get_attribute("value") or ""
    said.click()
    expect(page.locator(".ask")).to_have_count(0)
    assert drawn(puzzled) == [taken, "red"]

    really = "green" if taken == "blue" else "blue"
    eye.take("left-over")
    page.get_by_role("link", name="Recount").first.click()
    page.get_by_role("link", name=f"{NAMES[taken]}: one more").click()
    page.get_by_role("link", name=f"{NAMES[really]}: one less").click()
    eye.take("left-over-count", page.url)
    nobody_is_shut_out(counter, DARK)
    page.get_by_role("button", name="Save this count").click()
    doubt = page.locator(".doubts > li").first
    expect(doubt).to_contain_text(really)
    eye.take("left-over-questions", "/table/left")
    doubt.get_by_role("button").first.click()
    expect(page.locator(".doubts")).to_have_count(0)

    assert drawn(puzzled) == [really, "red"]
    assert counter.faults == []


def drawn(service: Service) -> list[str]:
    """Return the colours of the draws that are not undone."""
    lines = [line for line in service.record() if "do" in line]
    counting: list[str] = []
    for line in lines:
        if line["do"] == "undo":
            counting.pop()
        else:
            counting.append(line["colour"] if line["do"] == "draw" else "")
    return [colour for colour in counting if colour]
