"""Games of the wreck for the tests of the rules, played up to the start of a chapter."""

from __future__ import annotations

import pytest

from tests.companion.games.wreck.evening import Evening


@pytest.fixture
def evening() -> Evening:
    """Two players in the turns of the first round; it is the turn of red, who has no dice."""
    return Evening().in_turns().holding("red").holding("blue")


@pytest.fixture
def four() -> Evening:
    """Four players after the first roll: three training dice, and two of each other symbol."""
    return Evening(4).rolled()
