"""Tests run in forked processes as they would in one, and a process that dies costs only its own test."""

from __future__ import annotations

import pytest

SUITE = """
import os
import pytest

@pytest.fixture(scope="module")
def dear():
    with open("made", "a") as file:
        print(os.getpid(), file=file)
    yield

@pytest.mark.parametrize("n", range(6))
def test_passes(n, dear):
    pass

def test_fails():
    assert "left" == "right"

def test_is_skipped():
    pytest.skip("not here")

@pytest.fixture
def torn():
    yield
    raise OSError

def test_is_torn_down_badly(torn):
    print("what it printed")
"""
DIES = "import os\ndef test_a(): pass\ndef test_dies(): os._exit(7)\ndef test_b(): pass\n"


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder for tests, with the plugin and no other plugin."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return pytester


def run(suite: pytest.Pytester, *more: str) -> pytest.RunResult:
    return suite.runpytest_inprocess("-p", "tests.workers", "-p", "no:cacheprovider", "--forks=2", *more)


def test_every_result_arrives(suite: pytest.Pytester) -> None:
    """Forked workers: the main process reports every outcome, with what the test printed."""
    suite.makepyfile(test_one=SUITE, test_two=SUITE)

    result = run(suite)

    result.assert_outcomes(passed=14, failed=2, skipped=2, errors=2)
    result.stdout.fnmatch_lines(["*'left' == 'right'*", "*OSError*"])
    result.stdout.fnmatch_lines(["what it printed"])


def test_a_worker_that_dies_costs_one_test(suite: pytest.Pytester) -> None:
    """Forked workers: if one dies, its test has failed, and the other tests run."""
    suite.makepyfile(test_one=DIES)

    result = run(suite)

    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*The worker ended with status 7.*"])


def test_a_run_stops_at_a_failure(suite: pytest.Pytester) -> None:
    """Forked workers: after `-x`, at most the tests that were already sent are run."""
    suite.makepyfile(test_one="import pytest\n@pytest.mark.parametrize('n', range(90))\ndef test_it(n): assert n\n")

    result = run(suite, "-x")

    outcomes = result.parseoutcomes()
    assert outcomes["failed"] == 1 and outcomes.get("passed", 0) < 90
    result.stdout.fnmatch_lines(["*stopping after 1 failures*"])
