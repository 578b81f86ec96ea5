"""Games of Die Kosmische Hanse for the tests of the rules, played up to where most chapters begin."""

from __future__ import annotations

import pytest

from tests.companion.games.hanse.voyage import Voyage


@pytest.fixture
def voyage() -> Voyage:
    """Ana's first turn, with both ships on Vinau II and the usual goods on every planet."""
    return Voyage().begun()
