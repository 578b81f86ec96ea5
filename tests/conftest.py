"""What all tests share: how property tests are run, and the record of the conformance suite."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, database=None, derandomize=True)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the whole game in the browser take the pictures of the documentation, and any ring be put to the test."""
    parser.addoption("--screenshots", metavar="FOLDER", help="take pictures of the game in the browser")
    parser.addoption(
        "--ring", metavar="URL", help="run the conformance suite of tests/hil, and nothing else, on this ring"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Keep a record of what the conformance suite finds."""
    config.addinivalue_line("markers", "needs(*words): what a ring must be able to do, in the words of its `cannot`")
    config.addinivalue_line("markers", "waits(seconds): how much time has to pass, by the protocol's own figures")
    if not hasattr(config, "workerinput"):  # what runs elsewhere is reported here
        from tests.hil.record import Record

        config.pluginmanager.register(Record(config), "record of the conformance suite")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With a ring of one's own, the suite runs on that alone."""
    if config.getoption("ring"):
        chosen = [item for item in items if "hil" in item.path.parts]
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen
