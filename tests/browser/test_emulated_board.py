"""A whole game for four in the browser: the tablet slides cubes, and a board's firmware on the emulator draws."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.data_folder import LEDGER
from tests.browser.first_action import ATTEMPT, to_the_first_action
from tests.browser.playing import Followed, await_draw, play, set_up
from tests.browser.tablet import PHONE, Tablet
from tests.companion.app.processes import Service

SLIDE = """fetch("/table/slide", { method: "POST", body: new URLSearchParams({
  csrf: document.querySelector("input[name=csrf]").value, next: "/ring" }) })"""
"""A slide without an attempt, which no page offers."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A running service that reads an emulated board."""
    service = Service(tmp_path / "data", "emulated:?seed=4")
    yield service
    service.stop()


@pytest.mark.long
def test_four_people_play_a_whole_game_on_the_emulated_board(tablet: Tablet, service: Service, tmp_path: Path) -> None:
    """In a whole game each slide from the tablet passes the board's gate, and every draw comes over the link."""
    set_up(tablet)
    state = play(tablet, service, lambda: slide(tablet, service))

    assert state.finished
    assert told_by_the_board(tmp_path / "data" / LEDGER) == draws(service) > 0
    assert tablet.faults == []


def test_an_attempt_is_drawn_on_the_emulated_board(tablet: Tablet, service: Service, tmp_path: Path) -> None:
    """The tablet offers slides for a simulated ring; each slide passes the gate, and the link reports its draw."""
    to_the_first_action(service)
    service.do(ATTEMPT)
    tablet.open("/table")
    followed = Followed(service)
    while followed.state().attempt:
        slide(tablet, service)

    assert told_by_the_board(tmp_path / "data" / LEDGER) == draws(service) > 0
    assert tablet.faults == []


def slide(tablet: Tablet, service: Service) -> None:
    """Slide a cube of the board with a tap, and wait for the draw."""
    tablet.tap("button:text-is('Slide')")
    await_draw(tablet, service)


def draws(service: Service) -> int:
    """Count the draws in the record."""
    return sum(line.get("do") == "draw" for line in service.record())


def told_by_the_board(ledger: Path) -> int:
    """Count the recorded draws that passages of a board have caused."""
    text = "SELECT count(*) FROM row WHERE kind = 'line' AND word = 'draw' AND ring IS NOT NULL"
    with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as file:
        return int(file.execute(text).fetchone()[0])


def test_what_ails_a_ring_is_no_wider_than_a_phone(tablet: Tablet, phone: Tablet) -> None:
    """A long sentence about the ring wraps, and makes no page scroll sideways."""
    tablet.open("/ring")
    tablet.page.wait_for_selector("#ring-chip:not(.off)")
    tablet.open("/new")
    tablet.page.evaluate(SLIDE)
    phone.open("/ring")
    phone.page.wait_for_selector("#ring-chip.bad")

    assert phone.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
