"""Shared by all tests: profiles of property tests, options, and the fixture `ring_command`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.effort import EXAMPLES, HOUSE, LONG, TIMES
from tests.forkserver.process import Forked

PATIENCE_S = 60.0

settings.register_profile(HOUSE, max_examples=EXAMPLES, deadline=None, database=None, derandomize=True)
settings.register_profile(
    LONG, max_examples=TIMES * EXAMPLES, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(HOUSE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add options: for long tests, for pictures of the documentation, and for the conformance suite on any ring."""
    parser.addoption("--long", action="store_true", help="also run slow tests, with many examples of every property")
    parser.addoption("--screenshots", metavar="FOLDER", help="take pictures of the game in the browser")
    parser.addoption(
        "--ring", metavar="URL", help="run the conformance suite of tests/hil, and nothing else, on this ring"
    )
    parser.addoption("--chip", metavar="UF2", help="run the same suite on an emulated RP2040 with this MicroPython")
    parser.addoption("--calibration", metavar="FILE", help="calibration that judges that ring's colours")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of long tests."""
    if config.getoption("--long"):
        settings.load_profile(LONG)
    config.addinivalue_line("markers", "long: in `make test-long` only; `make test` shows the same by less")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With a real ring or a chip only the conformance suite runs. Long tests only run on request."""
    wanted = [_wanted(config, item) for item in items]
    config.hook.pytest_deselected(items=[item for item, is_wanted in zip(items, wanted, strict=True) if not is_wanted])
    items[:] = [item for item, is_wanted in zip(items, wanted, strict=True) if is_wanted]


@pytest.fixture
def ring_command(tmp_path: Path) -> Iterator[Callable[..., Forked]]:
    """Run `ring ...` in a process of its own, which is ended with the test."""
    running: list[Forked] = []

    def run(*arguments: object) -> Forked:
        running.append(Forked("companion", "ring", *arguments, cwd=tmp_path))
        return running[-1]

    yield run
    for process in running:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
        process.close()


def _wanted(config: pytest.Config, item: pytest.Item) -> bool:
    of_a_chip = item.nodeid.startswith("tests/chip/")
    if config.getoption("ring") or config.getoption("chip"):
        return item.nodeid.startswith("tests/hil/") or (of_a_chip and config.getoption("chip"))
    return not of_a_chip and (config.getoption("long") or _soon_done(item))


def _soon_done(item: pytest.Item) -> bool:
    return item.get_closest_marker("long") is None
