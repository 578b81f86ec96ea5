"""Lines of the history as sentences."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.games.andromeda.room import header_for
from web.games.andromeda.pages import PAGES

LINES: dict[str, dict[str, Any]] = {
    "Ana's set-up cards are face up": {"do": "setup", "player": "red", "cards": {"p1": 6}},
    "Cards dealt": {"do": "deal"},
    "Ben keeps the transport card": {"do": "transport", "player": "blue", "move": "pass"},
    "Ben flies from Earth to Twins": {"do": "transport", "player": "blue", "move": "to_planet", "planet": "p2"},
    "Ben flies home from Twins": {"do": "transport", "player": "blue", "move": "to_earth", "planet": "p2"},
    "Ana plays a Ringworld card": {"do": "lay", "player": "red", "card": "p1"},
    "Ana plays a gold credit": {"do": "lay", "player": "red", "card": "gold"},
    "Ana plays a card": {"do": "lay", "player": "red", "card": None},
    "Cem has no legal card and sits out": {"do": "excuse", "player": "green"},
    "Ana swaps with Ben": {"do": "swap", "player": "red", "with": "blue"},
    "Ben keeps the new cards": {"do": "keep", "player": "blue"},
    "Ben leaves the new cards on the table": {"do": "leave", "player": "blue"},
    "Ben takes the set back": {"do": "take_back", "player": "blue"},
    "Trading is over": {"do": "end_trading"},
    "Ana exchanges 1 card": {"do": "exchange", "player": "red", "cards": 1},
    "Ana plays 4 Twins and moves 2 stations": {
        "do": "move", "player": "red", "planet": "p2", "cards": 4, "stations": 2,
    },
    "Ana plays 2 Twins and 1 joker for a centre": {
        "do": "establish", "player": "red", "planet": "p2", "cards": 2, "jokers": ["gold"],
    },
    "Cem's station comes out": {"do": "draw", "colour": "green"},
    "Two at once, Ana and Ben: Ben counts, at random": {"do": "double_exit", "colours": ["red", "blue"], "out": "blue"},
    "Two at once, Ana and Ben: both go back": {"do": "double_exit", "colours": ["red", "blue"]},
    "Ana stops drawing": {"do": "stop_drawing", "player": "red"},
    "Ana plays 3 Twins for a bigger ship": {"do": "ship", "player": "red", "planet": "p2", "cards": 3},
    "Ana plays 3 Twins for technology": {"do": "technology", "player": "red", "planet": "p2", "cards": 3},
    "Ana ends the turn": {"do": "end_turn", "player": "red"},
    "Ana: technology level corrected to 2": {"do": "correct", "player": "red", "reason": "x", "technology": 2},
    "Ana: gold credits corrected": {"do": "correct", "player": "red", "reason": "x", "bonus": {"gold": 2}},
    "Ana: 2 stations corrected, Earth to a centre of Twins": {
        "do": "correct", "player": "red", "reason": "x", "move": {"from": "earth", "to": "p2/1", "count": 2},
    },
}  # fmt: skip


@pytest.mark.parametrize(("sentence", "line"), LINES.items())
def test_a_line_is_one_short_sentence_names_first(sentence: str, line: dict[str, Any]) -> None:
    """History: sentences use the table's names of players and planets."""
    assert PAGES.tell(line, header_for(3)) == sentence


def test_no_sentence_speaks_the_machine_s_language() -> None:
    """History: sentences contain no ids of planets or colours, no underscore, and at most 80 characters."""
    for line in LINES.values():
        sentence = PAGES.tell(line, header_for(3))
        assert not re.search(r"\bp[1-7]\b|_|\{|\bred\b|\bblue\b", sentence)
        assert len(sentence) < 80


def test_a_table_s_own_names_of_planets_are_told() -> None:
    """History: sentences use the labels of a board profile."""
    board = {"planets": [{"id": "p1", "label": "Saturn", "centres": [9, 7, 5]}]}

    text = PAGES.tell({"do": "lay", "player": "red", "card": "p1"}, {**header_for(3), "board": board})

    assert text == "Ana plays a Saturn card"
