"""Every page of the draw table in the pseudo-language: all texts are translated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.games.draws.draw_house import DrawHouse
from tests.web.pretended import pretend, unsaid, walked

OURS = ("Ana", "Ben", "Or", "Pu", "Wh", "Wo")
"""Players, and marks of colours."""


def drawn(house: DrawHouse) -> None:
    house.opened({"do": "draw", "colour": "red", "player": "red"}, {"do": "draw", "cubes": {"blue": 2, "orange": 1}})


def asked(house: DrawHouse) -> None:
    house.opened().came_out(("red", 0.6), ("orange", 0.4))


def two_at_once(house: DrawHouse) -> None:
    house.opened().came_out(("red", 0.7), ("blue", 0.3), pair=True)


def stuck(house: DrawHouse) -> None:
    throws = ({"do": "throw", "cubes": {"red": 5}}, {"do": "out", "cubes": {"red": 2}})
    house.opened(*throws, contents={}, tower={})


def closed(house: DrawHouse) -> None:
    house.opened({"do": "draw", "colour": "red"}, {"do": "finish"})


STATES: dict[str, Callable[[DrawHouse], object]] = {
    "nothing set out": lambda house: None,
    **{each.__name__: each for each in (drawn, asked, two_at_once, stuck, closed)},
}


@pytest.mark.parametrize("state", STATES)
def test_every_word_of_a_page_is_translated(tmp_path: Path, state: str) -> None:
    """Languages: no page that links lead to shows a text that isn't in a catalogue."""
    house = DrawHouse(tmp_path)
    STATES[state](house)
    host = house.host()
    pretend(house.app, host.client, tmp_path)

    ways_in = ("/", "/table", "/table/undo", "/help", "/screen", "/history") if house.snapshot.game else ("/", "/new")
    pages = walked(host.client, *ways_in, but=("/ring",))

    assert len(pages) > 5
    assert {path: found for path, html in pages.items() if (found := unsaid(html, OURS))} == {}
    house.ledger.close()
