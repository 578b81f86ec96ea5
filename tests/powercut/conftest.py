"""Fixture with a forgetful disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.powercut.mounting import why_not
from tests.powercut.storage import ForgetfulDisk


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[ForgetfulDisk]:
    """A mounted forgetful disk; the test is skipped where mounting is impossible."""
    if reason := why_not():
        pytest.skip(reason)
    with ForgetfulDisk(tmp_path / "disk") as storage:
        storage.begin()
        yield storage
