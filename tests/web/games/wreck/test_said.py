"""Every page of the wreck in the pseudo-language: all texts are translated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.games.wreck.house import SEATS, WreckHouse
from tests.web.games.wreck.test_pages import AROUND, STEPS
from tests.web.pretended import pretend, unsaid, walked

OURS = tuple(name for _colour, name in SEATS)
"""Names of players, which need no translation."""


def looked_around(house: WreckHouse) -> None:
    house.looked_around()


def offered(house: WreckHouse) -> None:
    house.begun(4).played(lambda state: state.offer is not None)


def _step(enough: Callable[[object], bool]) -> Callable[[WreckHouse], object]:
    return lambda house: house.begun(4).played(enough)


STATES: dict[str, Callable[[WreckHouse], object]] = {
    "nothing set out": lambda house: None,
    "looked around": looked_around,
    "an offer": offered,
    **dict(zip(("mission open", "contaminated", "cleanup", "the end"), map(_step, STEPS), strict=True)),
}


@pytest.mark.parametrize("state", STATES)
def test_every_word_of_a_page_is_translated(tmp_path: Path, state: str) -> None:
    """Languages: in every phase, no page that links lead to shows a text that isn't in a catalogue."""
    house = WreckHouse(tmp_path)
    STATES[state](house)
    host = house.host()
    pretend(house.app, host.client, tmp_path)

    ways_in = ("/table", *AROUND, "/table/mission", "/table/effects") if house.table.snapshot.game else ("/", "/new")
    pages = walked(host.client, *ways_in, but=("/ring", "/games", "/device", "/welcome", "/join", "/help?card"))

    assert len(pages) > 3
    assert {path: found for path, html in pages.items() if (found := unsaid(html, OURS))} == {}
    house.close()


def test_every_rules_card_is_translated(tmp_path: Path) -> None:
    """Languages: no rules card shows a text that isn't in a catalogue."""
    house = WreckHouse(tmp_path).begun(2)
    host = house.host()
    pretend(house.app, host.client, tmp_path)
    pages = walked(host.client, "/help", within="/help")

    assert len(pages) > 5
    assert {path: found for path, html in pages.items() if (found := unsaid(html, OURS))} == {}
    house.close()
