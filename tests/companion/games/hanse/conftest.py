"""Voyages for the tests of the rules, begun where most chapters begin."""

from __future__ import annotations

import pytest

from tests.companion.games.hanse.voyage import Voyage


@pytest.fixture
def voyage() -> Voyage:
    """Ana's first turn, both ships on Vinau II, the usual goods everywhere."""
    return Voyage().begun()
