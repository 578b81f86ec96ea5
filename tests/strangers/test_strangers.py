"""A short run of every attack; `python -m tests.strangers` runs them for an hour."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tests.strangers.attacks import ATTACKS, shared
from tests.strangers.beside import told
from tests.strangers.crowd import crowd
from tests.strangers.described import described
from tests.strangers.hidden import normal
from tests.strangers.report import MOST_TOLD, Report

FEW = {
    "access": 40,
    "bodies": 60,
    "crowd": 14,
    "hidden": 30,
    "pins": 40,
    "ring": 300,
    "smuggling": 40,
    "sockets": 40,
}
SHORT, QUIET = 40, 4
"""Lines of the crowd's game (a draw table, instead of 700 lines of Andromeda), and commands timed before it."""


@pytest.mark.parametrize("name", FEW)
def test_strangers_find_nothing(name: str, tmp_path: Path) -> None:
    """A short run of each attack has no findings."""
    run = partial(crowd, name="draws", lines=SHORT, quiet=QUIET) if name == "crowd" else ATTACKS[name].run

    report = run(tmp_path, FEW[name], Random(name))

    assert report.told == []
    assert report.inputs >= FEW[name]


def test_every_campaign_has_its_slice() -> None:
    """Each attack has a short run here, except those that need a library or have tests of their own."""
    assert set(FEW) == set(ATTACKS) - {"described", "kills", "ledger"}


@pytest.mark.parametrize(("module", "findings"), [("platform", 0), ("tests.mutants", 1)])
def test_a_command_is_judged_by_its_status(module: str, findings: int) -> None:
    """An attack that runs another command reports the command's output, and a bad status as a finding."""
    report = told(Report("x"), module, ("a name that nothing has",), 7, Random(1))

    assert report.inputs == 7
    assert report.findings == findings
    assert told(Report("x"), "tests.nowhere", (), 7, Random(1)).skipped


def test_a_missing_library_is_said(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Without schemathesis its attack is skipped with a hint to install it, and no test imports it."""
    assert "schemathesis" not in sys.modules

    report = described(tmp_path, 0, Random(1), library="a_library_that_nobody_has")

    assert list(report.lines(0.0)) == [f"described  skipped: {report.skipped}"]
    assert "pip install" in report.skipped


def test_inputs_are_shared_out() -> None:
    """All attacks together get the requested number of inputs; if only one is run, it gets all of them."""
    assert 990_000 < sum(shared(1_000_000).values()) < 1_010_000
    assert shared(1000, ["ring"]) == {"ring": 1000}


def test_a_report_counts_what_it_does_not_tell() -> None:
    """The first findings of a report are printed, and the others counted."""
    report = Report("x")
    for _ in range(MOST_TOLD + 2):
        report.expect(False, "open door")

    *_, last = report.lines(1.0)
    assert report.findings == MOST_TOLD + 2
    assert last.split() == ["and", "2", "more"]


def test_cards_are_no_noise() -> None:
    """A comparison ignores times, server names and PINs, but never a card."""
    page = '<b data-began="123" data-spent="17">Ringed</b> 127.0.0.1:8000 <time>0:17</time> "card":"p3"'

    assert normal(page) == '<b data-began="TIME" data-spent="TIME">Ringed</b> HOUSE <time>TIME</time> "card":"p3"'
