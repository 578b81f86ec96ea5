"""Games of Andromeda for the tests of the rules, played up to the start of a phase."""

from __future__ import annotations

import pytest

from tests.companion.games.andromeda.evening import Evening


@pytest.fixture
def evening() -> Evening:
    """Four players in the action phase of the first round: red has three actions, then blue, green and yellow."""
    return Evening().in_actions()


@pytest.fixture
def trading() -> Evening:
    """Four players at the start of the first trading phase; red is the starting player."""
    return Evening().in_trading()


@pytest.fixture
def transporting() -> Evening:
    """Four players in the first transport phase; red is the first to play or pass."""
    return Evening().all_set_up().deal()
