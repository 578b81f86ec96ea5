"""What all tests share: nothing but how property tests are run."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, database=None, derandomize=True)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the whole game in the browser take the pictures of the documentation."""
    parser.addoption("--screenshots", metavar="FOLDER", help="take pictures of the game in the browser")
