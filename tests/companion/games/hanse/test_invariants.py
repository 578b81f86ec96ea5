"""Invariants: they detect pieces that are lost or duplicated."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.hanse import Phase
from companion.games.hanse.goods import CardSide, Goods
from companion.games.hanse.random_policy import broken
from companion.games.hanse.state import Flipping


def test_a_sound_game_breaks_nothing(voyage):
    """Invariants: a legal game breaks no invariant."""
    assert broken(voyage.rolled(3).fly("o3").game) == ()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"hand": 4}, "red: 28 cards, not 29"),
        ({"hand": 6, "draw_pile": 23}, "red: 6 cards in hand"),
        ({"hand": -1, "draw_pile": 30}, "red: -1 cards in hand"),
        ({"named": {"agent": 1}}, "red: more cards are known"),
        ({"discards": 3, "draw_pile": 21, "named": {"agent": 3}}, "red: more cards are known"),
        ({"megagalax": 71}, "red: 71 Megagalax"),
        ({"place": "g6"}, "red: the ship is at g6"),
        ({"containers": ((), ())}, "red: 2 containers"),
        ({"containers": ((Goods("p1", 2), Goods("p2", 2)),)}, "red: a container holds goods for two planets"),
    ],
)
def test_a_players_faults_are_seen(voyage, change, fault):
    """Invariants: wrong cards, Megagalax, ship or containers of a player are detected."""
    found = broken(voyage.game.with_player("red", replace(voyage.players["red"], **change)))

    assert any(each.startswith(fault) for each in found)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"goods": ((Goods("p1", 2),) * 2, *((),) * 5)}, "a card at p1 shows p1"),
        (
            {"goods": ((Goods("p2", 2, CardSide("p2", 3)),) * 2, *((),) * 5)},
            "a card at p1 names one planet on both sides",
        ),
        ({"goods": ((Goods("p2", 2),), *((),) * 5)}, "1 goods cards are in the game"),
        ({"goods": ((Goods("p2", 2),) * 32, *((),) * 5)}, "32 goods cards are in the game"),
        ({"flipping": Flipping("p1", ())}, "goods are being turned over in the midst of a turn"),
        ({"phase": "answer"}, "a card waits for an answer in the wrong phase"),
    ],
)
def test_the_tables_faults_are_seen(voyage, change, fault):
    """Invariants: wrong goods, or a phase that doesn't fit the state, are detected."""
    changed = {name: Phase(value) if name == "phase" else value for name, value in change.items()}
    assert fault in broken(replace(voyage.game, **changed))


def test_a_budget_below_zero_is_seen(voyage):
    """Invariants: a budget below zero is detected."""
    overspent = replace(voyage.game, turn=replace(voyage.game.turn, flights=-1))

    assert broken(overspent) == ("something of the turn is below zero",)


def test_half_a_planet_is_seen(voyage):
    """Invariants: during the set-up, it is detected if a planet has only some of its goods."""
    early = replace(voyage.game, phase=Phase.GOODS, goods=((Goods("p2", 2),), *((),) * 5))

    assert "1 goods cards are out" in broken(early)
