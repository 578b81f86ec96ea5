"""Evenings for the tests of the rules, begun where a chapter begins."""

from __future__ import annotations

import pytest

from tests.companion.games.wreck.evening import Evening


@pytest.fixture
def evening() -> Evening:
    """Two players in the turns of the first round; it is red's, who holds no die."""
    return Evening().in_turns().holding("red").holding("blue")


@pytest.fixture
def four() -> Evening:
    """Four players after the first roll: three of training, two of everything else."""
    return Evening(4).rolled()
