"""Every page of Die Kosmische Hanse in the pseudo-language: all texts are translated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.games.hanse.places import LABELS
from tests.companion.games.hanse.voyage import cards
from tests.web.games.hanse.cabin import Cabin
from tests.web.pretended import pretend, unsaid, walked

OURS = ("Ana", "Ben", "Die Kosmische Hanse", "Hanse", *LABELS.values())
"""Names of players, planets and the game, which need no translation."""


def rich(cabin: Cabin) -> None:
    cabin.begun().correct(megagalax=9).correct(technologies={"space_station": 1, "hyperjump_inward": 1, "container": 1})
    cabin.do("red", "load", to="p1").do("red", "intervene", card="agent").do("blue", "neutralise")


def flying(cabin: Cabin) -> None:
    cabin.begun().do("red", "roll", dice=[1, 5]).do("red", "fly", to="o2")


def answering(cabin: Cabin) -> None:
    cabin.begun().do("red", "intervene", card="inner_loading", planet="p2", to="p3")


def flipping(cabin: Cabin) -> None:
    cabin.begun().correct(goods={"p1": []}).correct(container={"index": 0, "cards": cards("p32 p33")})
    cabin.do("red", "unload", container=0)


def ended(cabin: Cabin) -> None:
    cabin.begun().do("red", "end_turn", discard=["agent", None]).correct(megagalax=70)


STATES: dict[str, Callable[[Cabin], None]] = {
    "set-up": lambda cabin: None,
    **{each.__name__: each for each in (rich, flying, answering, flipping, ended)},
}
MORE = ("/table/card", "/table/card/inner_loading", "/table/act/discard?cards=-,agent", "/table/correct?at=p4", "/new")
HOUSE = ("/help", "/table/board", "/screen", "/table/clock", "/practice")
BESIDE = {"rich": (*MORE, *HOUSE), "set-up": ("/table?cards=p22", "/help"), "ended": ("/games/1/replay", "/screen")}
"""Pages that are read in addition to the step itself, each in the state in which it shows most."""


@pytest.mark.parametrize("state", STATES)
def test_every_word_was_looked_up(empty: Cabin, tmp_path: Path, state: str) -> None:
    """Languages: in every step, no page shows a text that isn't in a catalogue."""
    STATES[state](empty)
    pretend(empty.app, empty.host.client, tmp_path)
    pages = {path: empty.host.get(path) for path in ("/table", *BESIDE.get(state, ()))}

    assert {path: found for path, html in pages.items() if (found := unsaid(html, OURS))} == {}


def test_every_rules_card_was_looked_up(empty: Cabin, tmp_path: Path) -> None:
    """Languages: no rules card shows a text that isn't in a catalogue."""
    pretend(empty.app, empty.host.client, tmp_path)
    pages = walked(empty.host.client, "/help", within="/help")

    assert len(pages) > 8
    assert {path: found for path, html in pages.items() if (found := unsaid(html, OURS))} == {}
