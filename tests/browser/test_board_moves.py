"""What moves on the board and in an attempt: along an arc, ended by a tap, and not at all where none is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.first_action import ATTEMPT, to_the_first_action
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service

MOVE = {"do": "move", "player": "red", "planet": "p5", "cards": 4, "stations": 2}
HELD = "document.documentElement.style.setProperty('--fly', '600000ms')"
"""A flight so long that only a tap can end it."""
OLD_COUNT, NEW_COUNT = "2", "4"
STACK = "[data-spot='red@p5'] text"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Service]:
    """A game for three at its first action, without a ring: draws are typed in."""
    service = Service(tmp_path / "data")
    to_the_first_action(service)
    yield service
    service.stop()


@pytest.fixture
def board(chromium: Browser, table: Service) -> Iterator[Tablet]:
    """A tablet that shows the board to everybody."""
    board = Tablet(chromium, table.url, TABLET)
    yield board
    assert board.faults == []
    board.close()


def listen(device: Tablet) -> None:
    """Have the page remember every sound it asks for."""
    device.page.evaluate("window.cues = []; document.addEventListener('cue', (event) => cues.push(event.detail))")


def test_stations_fly_and_end_in_their_place(board: Tablet, table: Service) -> None:
    """A move: something is on its way while the place still shows its old count, then the new one stands there."""
    board.open("/table/board")
    expect(board.page.locator(STACK)).to_have_text(OLD_COUNT)

    board.page.evaluate(HELD)
    version = table.do(MOVE)

    board.page.wait_for_selector(".flying")
    board.await_version(version)
    expect(board.page.locator(STACK)).to_have_text(OLD_COUNT)
    assert board.page.evaluate("document.querySelector('.flying').getAnimations().length") == 1

    board.page.evaluate("document.querySelector('.flying').getAnimations()[0].finish()")
    board.page.wait_for_selector(".flying", state="detached")
    expect(board.page.locator(STACK)).to_have_text(NEW_COUNT)


def test_a_flight_arrives_by_itself(board: Tablet, table: Service) -> None:
    """A move: after its 900 ms nothing is on its way any more, and nothing goes on moving."""
    board.open("/table/board")

    table.do(MOVE)

    expect(board.page.locator(STACK)).to_have_text(NEW_COUNT)
    board.page.wait_for_function("() => !document.querySelector('.flying') && !document.getAnimations().length")


def test_a_tap_ends_what_moves_at_once(board: Tablet, table: Service) -> None:
    """A tap: whoever is in a hurry sees how it came out."""
    board.open("/table/board")
    board.page.evaluate(HELD)
    table.do(MOVE)
    board.page.wait_for_selector(".flying")

    board.page.mouse.click(640, 60)

    assert board.page.locator(".flying").count() == 0
    expect(board.page.locator(STACK)).to_have_text(NEW_COUNT)


def test_a_new_move_does_not_wait_for_the_one_before(board: Tablet, table: Service) -> None:
    """Two moves: the second ends the flight of the first, whose stations stand in their place."""
    board.open("/table/board")
    board.page.evaluate(HELD)
    table.do(MOVE)
    board.page.wait_for_selector(".flying")

    version = table.do({**MOVE, "planet": "p4", "stations": 1})

    board.await_version(version)
    expect(board.page.locator(STACK)).to_have_text(NEW_COUNT)


def test_without_movement_things_appear_in_their_place(board: Tablet, table: Service) -> None:
    """Reduced motion: nothing is animated; an outline says for two seconds what has come."""
    board.page.emulate_media(reduced_motion="reduce")
    board.open("/table/board")

    table.do(MOVE)

    board.page.wait_for_selector("[data-spot='red@p5'].arrived")
    assert board.page.evaluate("document.getAnimations().length") == 0
    assert board.page.locator(".flying").count() == 0
    expect(board.page.locator(STACK)).to_have_text(NEW_COUNT)
    board.page.wait_for_selector("[data-spot='red@p5']:not(.arrived)")


def test_a_page_that_is_opened_shows_no_old_movement(board: Tablet, table: Service) -> None:
    """A reload is no move: what stood there before the page was opened does not fly again."""
    table.do(MOVE)

    board.open("/table/board")

    expect(board.page.locator(STACK)).to_have_text(NEW_COUNT)
    assert board.page.locator(".flying, .arrived").count() == 0


def test_a_stranger_falls_into_the_lane_and_flies_home(board: Tablet, table: Service) -> None:
    """A draw: the cup dims, the cube counts in the lane, then its name, then home; each with its sound."""
    table.do(ATTEMPT)
    board.open("/table")
    listen(board)

    table.do({"do": "draw", "colour": "blue"})

    board.page.wait_for_selector(".ringview.falling")
    board.page.wait_for_selector(".ringview:not(.falling)")
    assert board.page.evaluate("cues") == ["counted", "home"]
    expect(board.page.locator(".fate")).to_be_visible()
    expect(board.page.locator("[data-newest]")).to_contain_text("Ben")


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_the_last_draw_falls_before_the_result_is_told(chromium: Browser, table: Service, size: object) -> None:
    """A centre: the result waits for the cube, and stays in sight when it is there."""
    device = Tablet(chromium, table.url, size)  # type: ignore[arg-type]
    table.do(ATTEMPT)
    device.open("/table")
    listen(device)
    device.page.evaluate(HELD.replace("--fly", "--glide"))

    table.do({"do": "draw", "colour": "red"})

    device.page.wait_for_selector(".over .falling")
    assert device.page.locator(".result h2").is_hidden()
    device.page.mouse.click(200, 20)
    expect(device.page.locator(".result h2")).to_have_text("Ana takes the 9 at Ringed")
    expect(device.page.locator(".slots .new .tok")).to_be_visible()
    device.page.wait_for_function("() => cues.length === 2")
    assert device.page.evaluate("cues") == ["counted", "centre"]
    assert device.faults == []
    device.close()


def test_a_draw_without_movement_is_told_at_once(board: Tablet, table: Service) -> None:
    """Reduced motion: the name stands there with the page, outlined for a while."""
    table.do(ATTEMPT)
    board.page.emulate_media(reduced_motion="reduce")
    board.open("/table")

    table.do({"do": "draw", "colour": "blue"})

    board.page.wait_for_selector("[data-newest] .arrived")
    assert board.page.evaluate("document.getAnimations().length") == 0
    expect(board.page.locator(".fate")).to_be_visible()
