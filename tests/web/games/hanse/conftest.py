"""Cabins for the tests of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.games.hanse.cabin import Cabin


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Cabin]:
    """A table before its set-up."""
    cabin = Cabin(tmp_path)
    yield cabin
    cabin.table.close()
    cabin.ledger.close()


@pytest.fixture
def cabin(empty: Cabin) -> Cabin:
    """Ana's first turn, with both ships on Vinau II."""
    return empty.begun()
