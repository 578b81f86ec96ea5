"""The two other games on every device: a step's question and answers are visible, and no two answers overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.moments import Moment
from tests.browser.sheet.other_games import EVENINGS
from tests.browser.test_frame import READ_IN, SIZES, SMALL_PHONE, Hands, missing
from tests.companion.app.processes import Service

TOO_LONG = ("now", "correct", "board", "finished", "final", "card")
"""Lists, the board and the end: they have no question, and may need scrolling."""
EVERY_SO_OFTEN = 22
"""A short run checks every 22nd page with a question."""
_TOUCHING = """() => {
  const open = [...document.querySelectorAll(".place.open")].filter((one) => one.checkVisibility());
  const boxes = open.map((one) => one.getBoundingClientRect());
  const over = (one, two) => Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1
    && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1;
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((two) => over(one, two))).length;
}"""
"""The number of overlapping pairs of places that a flight can reach."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service without a ring."""
    service = Service(tmp_path / "data")
    yield service
    service.stop()


@pytest.fixture
def hands(chromium: Browser, service: Service) -> Iterator[Hands]:
    """The devices at its table."""
    hands = Hands(chromium, service)
    yield hands
    hands.close()


def asked(game: str, service: Service) -> Iterator[Moment]:
    """Play *game* with long names to its end, and yield each page that asks something."""
    for moment in EVENINGS[game](service):
        plain = not moment.seat and moment.path.startswith("/table")
        if plain and not any(part in moment.name.split("-") for part in TOO_LONG):
            yield moment


def touching(page: Page, size: ViewportSize) -> list[str]:
    """Return a fault if places that a flight can reach overlap on *page*, whose screen has *size*."""
    pairs = page.evaluate(_TOUCHING)
    return [f"{size['width']}x{size['height']} {pairs} pairs touch"] if pairs else []


def crowded(sizes: Iterable[ViewportSize], page: Page) -> list[str]:
    """Return the missing and the overlapping elements of *page* on screens of *sizes*."""
    return [one for size in sizes for one in (*missing(page, size), *touching(page, size))]


@pytest.mark.parametrize("game", ["hanse", pytest.param("wreck", marks=pytest.mark.long)])
def test_what_is_asked_is_on_the_glass(hands: Hands, service: Service, game: str, thorough: bool) -> None:
    """With long names, in every language, nothing is cut off or under the dock, and places to fly to don't overlap."""
    found = [
        f"{moment.name} {language} {one}"
        for number, moment in enumerate(asked(game, service))
        if thorough or number % EVERY_SO_OFTEN == 0
        for language in (READ_IN if thorough else READ_IN[number % len(READ_IN) :][:1])
        for sizes in [SIZES if thorough else (SMALL_PHONE, SIZES[number % len(SIZES)])]
        for one in hands.looked(moment, language, partial(crowded, sizes))
    ]

    assert not found, "\n" + "\n".join(found)
