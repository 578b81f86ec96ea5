"""Mutants: each fits the sources, is planted alone, and only counts as caught if a test fails because of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutants.__main__ import ROOT, told
from tests.mutants.catalogue import Mutant, chosen, mutants
from tests.mutants.hunting import Fate, Found, Ran, fate_of, hunted, run, selections
from tests.mutants.sandbox import DoesNotApply, Sandbox, replaced

HALVED = Mutant("halved", "rules", "rules.py", "+ 1", "+ 2", "One card too many is drawn.", ("tests/test_rules.py",))
RULES = "def drawn(cards):\n    return cards + 1\n"
A_TEST = "from rules import drawn\n\ndef test_{0}():\n    assert {1}\n"


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    """A copy of a checkout with one rule and its tests."""
    root = tmp_path / "root"
    (root / "tests").mkdir(parents=True)
    (root / "rules.py").write_text(RULES)
    (root / "tests" / "test_rules.py").write_text(A_TEST.format("one_more", "drawn(1) == 2"))
    (root / "tests" / "test_broken.py").write_text(A_TEST.format("broken", "drawn(1) == 7"))
    return Sandbox(root, ["rules.py", *(f"tests/test_{each}.py" for each in ("rules", "broken"))], tmp_path)


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_every_mutant_has_its_place(mutant: Mutant) -> None:
    """Each mutant's old text is in its file exactly once, and the tests listed for it exist."""
    text = (ROOT / mutant.file).read_text(encoding="utf-8")

    assert replaced(text, mutant) != text
    assert [test for test in mutant.tests if not (ROOT / test.partition("::")[0]).exists()] == []


def test_there_are_forty_over_all_rooms() -> None:
    """There are at least forty mutants, each with a unique name."""
    names = [mutant.name for mutant in mutants()]

    assert len(names) == len(set(names)) >= 40


def test_a_mutant_is_there_meanwhile_and_gone_afterwards(sandbox: Sandbox) -> None:
    """After a mutant is removed, its file has the old content and mtime, so that no compiled mutant is used for it."""
    path = sandbox.root / "rules.py"
    before = path.stat().st_mtime
    with sandbox.planted(HALVED):
        meanwhile, changed = path.read_text(), path.stat().st_mtime

    assert "cards + 2" in meanwhile
    assert path.read_text() == RULES
    assert int(changed) != int(before) == int(path.stat().st_mtime)


@pytest.mark.parametrize("old", ["+ 3", "cards", ""])
def test_a_text_that_is_not_there_once_is_refused(sandbox: Sandbox, old: str) -> None:
    """A fault whose old text is missing or occurs more than once is refused."""
    with pytest.raises(DoesNotApply, match=r"rules\.py"), sandbox.planted(replace(HALVED, old=old)):
        pass

    assert (sandbox.root / "rules.py").read_text() == RULES


def test_a_mutant_is_caught_by_the_first_test_that_fails(sandbox: Sandbox) -> None:
    """The listed tests run with the mutant, and the failed test is named."""
    found = hunted(HALVED, sandbox, 60.0)

    assert (found.fate, found.by) == (Fate.CAUGHT, "tests/test_rules.py::test_one_more")


def test_what_fails_for_another_reason_has_caught_nothing(sandbox: Sandbox) -> None:
    """A test that also fails without the mutant does not count as catching it."""
    found = hunted(replace(HALVED, tests=("tests/test_broken.py",)), sandbox, 60.0)

    assert found.fate is Fate.ASTRAY


def test_a_mutant_without_its_file_is_told(sandbox: Sandbox) -> None:
    """A mutant whose file does not exist any more is reported as misplaced."""
    assert hunted(replace(HALVED, file="gone.py"), sandbox, 60.0).fate is Fate.MISPLACED


def test_tests_that_pass_never_end_or_are_not_there_have_caught_nothing() -> None:
    """A surviving mutant, a test that hangs, and a run without tests have different results."""
    assert fate_of(Ran(0, "", "")) is Fate.SURVIVED
    assert fate_of(Ran(None, "", "")) is Fate.HUNG
    assert fate_of(Ran(4, "", "")) is Fate.ASTRAY


def test_an_endless_test_is_stopped(sandbox: Sandbox) -> None:
    """A test is stopped after its CPU time, or after ten times as long by the wall clock."""
    (sandbox.root / "tests" / "test_endless.py").write_text("def test_endless():\n    while True:\n        pass\n")

    ran = run(sandbox, ("tests/test_endless.py",), 1)

    assert ran.status is None
    assert ran.last.startswith("no end after")


def test_selections_widen() -> None:
    """First the listed tests run, then their folders, and all tests only with `whole`."""
    named = ("tests/a/test_x.py::test_y", "tests/a/test_z.py")

    assert list(selections(replace(HALVED, tests=named), whole=True)) == [named, ("tests/a",), ("tests",)]
    assert list(selections(replace(HALVED, tests=("tests/a",)), whole=False)) == [("tests/a",)]


def test_mutants_are_asked_for_by_name_or_room() -> None:
    """Without a word all mutants are chosen, and an unknown word is an error."""
    other = replace(HALVED, name="other", room="web")

    assert chosen((HALVED, other), ()) == (HALVED, other)
    assert chosen((HALVED, other), ("web",)) == (other,)
    with pytest.raises(KeyError, match="lost"):
        chosen((HALVED, other), ("lost",))


def test_a_survivor_is_told_with_what_it_costs() -> None:
    """The line of a surviving mutant includes what a player would notice."""
    assert HALVED.notice in told(Found(HALVED, Fate.SURVIVED, "", 1.0))
    assert HALVED.notice not in told(Found(HALVED, Fate.CAUGHT, "tests/x.py::test_y", 1.0))
