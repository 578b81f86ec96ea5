"""A fixture with a toy game for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.companion.live_table import LiveTable


@pytest.fixture
def live_table(tmp_path: Path) -> Iterator[LiveTable]:
    made = LiveTable(tmp_path / "ledger.db")
    yield made
    made.ledger.close()
