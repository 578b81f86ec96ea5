"""Animations on the board follow an arc, end at a tap, and are off if the user prefers no motion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.first_action import to_the_first_action
from tests.browser.tablet import TABLET, Tablet
from tests.companion.app.processes import Service

MOVE = {"do": "move", "player": "red", "planet": "p5", "cards": 4, "stations": 2}
HELD = "document.documentElement.style.setProperty('--fly', '600000ms')"
"""An animation so long that only a tap can end it."""
OLD_COUNT, NEW_COUNT = "2", "4"
STACK = "[data-spot='red@p5'] text"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Service]:
    """A game of three at its first action, without a ring: draws are typed in."""
    service = Service(tmp_path / "data")
    to_the_first_action(service)
    yield service
    service.stop()


@pytest.fixture
def board(chromium: Browser, table: Service) -> Iterator[Tablet]:
    """A tablet that shows the board, and has no seat."""
    board = Tablet(chromium, table.url, TABLET)
    yield board
    assert board.faults == []
    board.close()


def test_stations_fly_and_end_in_their_place(board: Tablet, table: Service) -> None:
    """During the animation of a move its destination shows the old count, and afterwards the new one."""
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
    """The animation of a move ends without a tap."""
    board.open("/table/board")

    table.do(MOVE)

    expect(board.page.locator(STACK)).to_have_text(NEW_COUNT)
    board.page.wait_for_function("() => !document.querySelector('.flying') && !document.getAnimations().length")


def test_a_tap_ends_what_moves_at_once(board: Tablet, table: Service) -> None:
    """A tap ends the animation and shows the result."""
    board.open("/table/board")
    board.page.evaluate(HELD)
    table.do(MOVE)
    board.page.wait_for_selector(".flying")

    board.page.mouse.click(640, 60)

    assert board.page.locator(".flying").count() == 0
    expect(board.page.locator(STACK)).to_have_text(NEW_COUNT)


def test_a_new_move_does_not_wait_for_the_one_before(board: Tablet, table: Service) -> None:
    """A second move ends the animation of the first, whose stations are then in their place."""
    board.open("/table/board")
    board.page.evaluate(HELD)
    table.do(MOVE)
    board.page.wait_for_selector(".flying")

    version = table.do({**MOVE, "planet": "p4", "stations": 1})

    board.await_version(version)
    expect(board.page.locator(STACK)).to_have_text(NEW_COUNT)


def test_without_movement_things_appear_in_their_place(board: Tablet, table: Service) -> None:
    """With reduced motion nothing is animated; an outline marks the arrived stations for two seconds."""
    board.page.emulate_media(reduced_motion="reduce")
    board.open("/table/board")

    table.do(MOVE)

    board.page.wait_for_selector("[data-spot='red@p5'].arrived")
    assert board.page.evaluate("document.getAnimations().length") == 0
    assert board.page.locator(".flying").count() == 0
    expect(board.page.locator(STACK)).to_have_text(NEW_COUNT)
    board.page.wait_for_selector("[data-spot='red@p5']:not(.arrived)")


def test_a_page_that_is_opened_shows_no_old_movement(board: Tablet, table: Service) -> None:
    """Stations that arrived before a page was opened are not animated when it opens."""
    table.do(MOVE)

    board.open("/table/board")

    expect(board.page.locator(STACK)).to_have_text(NEW_COUNT)
    assert board.page.locator(".flying, .arrived").count() == 0
