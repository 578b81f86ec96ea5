"""Invariants: they detect pieces that are lost or duplicated."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.andromeda.random_policy import broken
from companion.games.andromeda.state import with_player


def test_a_sound_game_breaks_nothing(evening):
    """Invariants: a legal game breaks no invariant."""
    assert broken(evening.establish("red", "p1", 4).game) == ()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"earth": 5}, "red has 23 stations, not 22"),
        ({"planets": (2,) * 7}, "red has 20 stations, not 22"),
        ({"hand": 10}, "85 planet cards, not 84"),
        ({"credits": (1, 0, 0, 0), "hand": 10}, "7 silver credits, not 6"),
        ({"technology": 5}, "red stands beside a track"),
        ({"ship": 0}, "red stands beside a track"),
        ({"transport": -1}, "red has a count below zero"),
        ({"earth": -1, "unplaced": 5}, "red has a count below zero"),
    ],
)
def test_a_players_faults_are_seen(evening, change, fault):
    """Invariants: wrong numbers of a player's stations, cards, credits or levels are detected."""
    assert fault in broken(with_player(evening.game, "red", **change))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"supply": 47}, "83 planet cards, not 84"),
        ({"supply": -1, "discards": 49}, "a pile of cards is below zero"),
        ({"credits": (6, 4, 4, 1)}, "1 diamond credits, not 2"),
        ({"centres": (("red", None, None),) + ((None,) * 3,) * 6}, "red has 23 stations, not 22"),
    ],
)
def test_the_tables_faults_are_seen(evening, change, fault):
    """Invariants: wrong piles, credits or centres of the table are detected."""
    assert fault in broken(replace(evening.game, **change))
