"""The rules on cards: one for each phase and action, one tap away from the page where it is needed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from companion.games.andromeda.options import RULINGS
from companion.games.andromeda.state import Phase
from tests.web.games.andromeda.room import Room
from web.games.andromeda.actions.deeds import ACTIONS
from web.games.andromeda.pages import PAGES
from web.games.andromeda.rules_cards import BY_NAME, CARDS, PHASES

Rooms = Callable[..., Room]
CARD = re.compile(r'href="/help\?card=(\w+)')


def test_every_phase_and_action_has_its_card() -> None:
    """Cards: the five actions, transport and all phases have a card, and no card exists twice."""
    assert {*ACTIONS, "transport", "lay", "swap", "score"} <= set(BY_NAME)
    assert set(PHASES) == set(Phase) - {Phase.TRADING}
    assert set(PHASES.values()) <= set(BY_NAME)
    assert len(BY_NAME) == len(CARDS)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_a_card_is_short_and_leads_on(room: Room, card: object) -> None:
    """Cards: each card has at most five whole sentences, and a link to all cards."""
    found = BY_NAME[card.name]  # type: ignore[attr-defined]
    page = room.look(f"/help?card={found.name}")

    assert 2 <= len(found.says) <= 5
    assert all(sentence.endswith(".") and len(sentence) < 130 for sentence in found.says)
    assert all(sentence in page.text for sentence in found.says)
    assert page.find("All rules").address == "/help?from=/table"


def test_every_ruling_stands_on_a_card() -> None:
    """Rulings: each ruling is shown on the card of the rule that it changes."""
    assert {name for card in CARDS for name in card.rulings} == {ruling.name for ruling in RULINGS}


def test_a_card_knows_how_this_table_has_ruled(rooms: Rooms) -> None:
    """Rulings: during a game the cards show its rulings, and mark those that differ from the usual ones."""
    usual, ours = rooms(), rooms(may_stop_drawing=True)

    assert "your house rule" not in usual.look("/help?card=establish").text
    assert "your house rule" in ours.look("/help?card=establish").text


def test_without_a_game_the_cards_are_there_all_the_same(room: Room) -> None:
    """Cards: without a game on the table, they show no rulings."""
    assert PAGES.ruled(BY_NAME["establish"], type(room.snapshot)().state) == ()


def test_a_card_that_there_is_not_is_no_page(room: Room) -> None:
    """Cards: an unknown card name gives 404."""
    assert room.client.get("/help?card=poker").status_code == 404


@pytest.mark.parametrize("action", ACTIONS)
def test_each_actions_page_leads_to_its_card_and_back(rooms: Rooms, action: str) -> None:
    """Help: the help sign on an action's page lists its card first, and the Close link returns to the same page."""
    room = rooms().in_actions()
    room.look(f"/table/act/{action}")
    room.tap("Help")

    assert CARD.findall(room.page.html)[0] == action
    assert room.page.find("Close").address == f"/table/act/{action}"


def test_the_table_leads_to_the_card_of_its_step(room: Room) -> None:
    """Help: it lists every card by its name, that of the current step first."""
    leads = []
    for onwards in (Room.in_trading, Room.both_laid):
        leads.append(CARD.findall(room.look("/help").html))
        onwards(room)
    leads.append(CARD.findall(room.look("/help").html))

    assert [names[0] for names in leads] == ["setup", "lay", "lay"]
    assert all(sorted(names) == sorted(BY_NAME) for names in leads)


def test_nobody_is_led_out_of_the_house(room: Room) -> None:
    """Help: the link back always leads to a page of this server, whatever the address contains."""
    page = room.look("/help?card=ship&from=//evil.example/")

    assert page.find("Close").address == "/table"
