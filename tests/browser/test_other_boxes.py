"""The two other boxes on every glass: what a step asks and what answers it are in sight, and no two answers touch."""

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
"""Lists, the board and the end: nothing is asked there that one cannot scroll to."""
EVERY_SO_OFTEN = 22
"""Of what a game asks, in a short run."""
_TOUCHING = """() => {
  const open = [...document.querySelectorAll(".place.open")].filter((one) => one.checkVisibility());
  const boxes = open.map((one) => one.getBoundingClientRect());
  const over = (one, two) => Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1
    && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1;
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((two) => over(one, two))).length;
}"""
"""How many pairs of places that a flight reaches lie over each other."""


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
    """Play *game* with long names to its end, and stop at each page that asks something."""
    for moment in EVENINGS[game](service):
        plain = not moment.seat and moment.path.startswith("/table")
        if plain and not any(part in moment.name.split("-") for part in TOO_LONG):
            yield moment


def touching(page: Page, size: ViewportSize) -> list[str]:
    """Return whether places that a flight reaches lie over each other, on a glass of *size*, which *page* has."""
    pairs = page.evaluate(_TOUCHING)
    return [f"{size['width']}x{size['height']} {pairs} pairs touch"] if pairs else []


def crowded(sizes: Iterable[ViewportSize], page: Page) -> list[str]:
    """Return what *page* misses on glasses of *sizes*, and what touches there."""
    return [one for size in sizes for one in (*missing(page, size), *touching(page, size))]


@pytest.mark.parametrize("game", ["hanse", pytest.param("wreck", marks=pytest.mark.long)])
def test_what_is_asked_is_on_the_glass(hands: Hands, service: Service, game: str, thorough: bool) -> None:
    """Long names, every language: nothing is cut or lies under the dock, and places to fly to keep apart."""
    found = [
        f"{moment.name} {language} {one}"
        for number, moment in enumerate(asked(game, service))
        if thorough or number % EVERY_SO_OFTEN == 0
        for language in (READ_IN if thorough else READ_IN[number % len(READ_IN) :][:1])
        for sizes in [SIZES if thorough else (SMALL_PHONE, SIZES[number % len(SIZES)])]
        for one in hands.looked(moment, language, partial(crowded, sizes))
    ]

    assert not found, "\n" + "\n".join(found)
