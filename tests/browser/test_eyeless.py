"""A part of an evening played by ear only: `python -m tests.eyeless` plays whole games in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from tests.browser.first_action import ATTEMPT, HEADER, SEATS, to_the_first_action
from tests.browser.looking import IN_LIGHT, faults
from tests.browser.playing import without_counting
from tests.browser.tablet import PHONE, SOON_MS, Tablet
from tests.companion.app.processes import Service
from tests.eyeless.__main__ import seated
from tests.eyeless.player import Player
from tests.eyeless.tree import Tree
from tests.eyeless.truth import KEYS, missing, truth

FEW = 4
"""This number of decisions is enough to hear each kind of sentence once."""
CREDIT = "Credits: 1 diamond."
FETCHED = "() => [...document.scripts].filter((one) => one.src.endsWith('/ask.js')).length"
AT_ONCE = """for (const key of ["F2", "2"])
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));"""
"""Two keys without a pause in which a script could load."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Service]:
    """A game of three at its first action, with typed-in draws."""
    service = Service(tmp_path / "data")
    to_the_first_action(service)
    without_counting(service)
    yield service
    service.stop()


@pytest.fixture
def player(chromium: Browser, table: Service) -> Iterator[Player]:
    """One player who plays all seats by ear, on the host's tablet."""
    tablet, player = seated(chromium, table, Random(3))
    tablet.open("/table")
    player.begin()
    yield player
    tablet.close()


def test_a_few_moves_are_played_by_ear_and_keyboard(player: Player) -> None:
    """A player by ear finds controls by role and name, and hears each event announced exactly once."""
    account = player.play(enough=lambda account: account.decisions.total() >= FEW)

    assert account.faults == []
    assert account.said == account.events > 0
    assert account.decisions["establish"] and account.decisions["pick a set"]


def test_every_fact_takes_two_keys_at_most(player: Player, table: Service) -> None:
    """F2 and one more key answer each question with the same text as the API, and the focus doesn't move."""
    table.do(ATTEMPT)
    player.reader.await_version(table.ask("GET", "/api/v1/state")[1]["version"])
    player.reader.go_to("^More", "link")
    lacks, keys = {}, set()
    for key, fact in KEYS.items():
        text, pressed = player.reader.ask(key, by_menu=True)
        player.reader.heard()
        keys.add(pressed)
        lacks[fact] = missing(fact, text, truth(table))
    tree = player.reader.look()
    player.reader.key("F2")
    player.reader.page.wait_for_selector("#ask [role=menuitem]")

    assert faults(player.reader.page, "the questions", IN_LIGHT) == []
    assert keys == {2} and not any(lacks.values()), lacks
    assert tree.focused is not None and tree[tree.focused].name.startswith("More")


def test_the_first_key_is_not_lost(player: Player) -> None:
    """The script for questions is loaded with the first question, and keys pressed before that wait."""
    page = player.reader.page
    page.reload()
    before = page.evaluate(FETCHED)
    player.reader.heard()
    page.evaluate(f"() => {{ {AT_ONCE} }}")
    page.wait_for_function("() => heard.some(([where]) => where === 'answer')", polling=SOON_MS)

    assert (before, page.evaluate(FETCHED)) == (0, 1)
    assert [what[:4] for where, what in player.reader.heard() if where == "answer"] == ["Ana "]
    assert not page.evaluate("() => document.getElementById('ask').open")


def test_single_keys_answer_at_once_and_can_be_switched_off(player: Player) -> None:
    """One digit gives one answer, but not in a text field, and not if the device has turned keys off."""
    text, pressed = player.reader.ask("2", by_menu=False)
    player.reader.page.evaluate("device.keep('keys', 'off')")
    player.reader.heard()
    player.reader.key("2")
    player.reader.key("?")
    player.reader.ask("1", by_menu=True)

    assert (pressed, text.startswith("Ana ")) == (1, True)
    assert len([where for where, _ in player.reader.heard() if where == "answer"]) == 1


def test_a_seat_is_told_of_its_own_credits_by_one_tap(chromium: Browser, player: Player, table: Service) -> None:
    """A phone has a button for questions, and the answers are for its own seat."""
    table.do(ATTEMPT)
    for colour in ("blue", "red"):
        table.do({"do": "draw", "colour": colour})
    player.reader.open("/join")
    pin = player.reader.page.inner_text(".digits").strip()
    phone = Tablet(chromium, table.url, PHONE, still=True)
    phone.open(f"/join?pin={pin}")
    phone.tap(".sit-down:has-text('Ana')")
    phone.page.wait_for_url("**/table")
    phone.open("/table/board")
    phone.page.keyboard.press("F2")
    phone.page.wait_for_selector("#ask [role=menuitem]")

    assert CREDIT in phone.page.inner_text("#ask")
    assert phone.faults == []
    phone.close()


def test_the_focus_goes_on_to_what_is_asked_next(player: Player) -> None:
    """If the pressed button disappears, the focus moves to the heading, not to the top of the page."""
    player.reader.press("^End turn", "button")
    tree: Tree = player.reader.look()

    assert tree.focused is not None
    assert tree[tree.focused].name == "What can Ben do?"


def test_a_game_is_played_to_its_end_by_ear(player: Player, table: Service) -> None:
    """The last turn of a game can be played by ear, up to its result."""
    player.reader.open("about:blank")
    for planet in ("p1", "p2", "p3"):
        for slot, (colour, _) in enumerate(SEATS):
            move = {"from": planet, "to": f"{planet}/{slot}", "count": 1}
            table.do({"do": "correct", "player": colour, "reason": "try", "move": move})
    for colour in ("red", "blue"):
        table.do({"do": "end_turn", "player": colour})
    player.reader.open("/table")
    player.begin()

    account = player.play()

    assert "win" in account.winner
    assert account.decisions.total() >= 1
    assert account.faults == []


def test_hands_are_dealt_by_ear(chromium: Browser, tmp_path: Path) -> None:
    """A player by ear can begin a round with the deal, whatever its button is called."""
    service = Service(tmp_path / "data")
    assert service.ask("POST", "/api/v1/games", HEADER)[0] == 201
    for colour, _ in SEATS:
        service.do({"do": "setup", "player": colour, "cards": {"p1": 3, "p2": 3}})
    tablet, player = seated(chromium, service, Random(1))
    player.reader.open("/table")
    player.begin()

    account = player.play(enough=lambda account: account.decisions["deal"] > 0)

    assert account.decisions["deal"] == 1
    tablet.close()
    service.stop()
