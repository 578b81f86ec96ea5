"""Measures a suite: runs it once per planted fault, and checks that the promise which the fault breaks notices it.

    [[fault]]
    name = "slow"
    breaks = "PROTOCOL.md#3"
    tests = ["test_answers_in_time"]       # optional: the tests that must notice it
    how = { argument = "--fault slow" }    # or env = { NAME = "VALUE" }, define = "SLOW", patch = "slow.diff",
                                           # device = "stuck"
    least = 18                             # at the top of the file, optional: as --rungs-least

`argument` is added to the command of a `process:` rung; `define` is in the environment variable
RUNGS_FAULT_DEFINE, for a suite that compiles its device; `patch` is applied to a copy of the suite;
`device` is an entry point of the group `rungs.faults`, which is called with the rung before each test.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from rungs import known
from rungs.document import NoAnchor, heading_at, slug
from rungs.record import BROKEN, KEPT, NOT_APPLICABLE, NOT_JUDGED
from rungs.report import faults_page
from rungs.rung import Missing
from rungs.settings import ANCHOR, LEAST, NAME, TABLE, TABLES, TEXTS, WORDS, Wrong, check_table
from rungs.shipped import FAULT_ARGUMENT

FILE = "faults.toml"
DEFINE = "RUNGS_FAULT_DEFINE"
PLANTED = "RUNGS_FAULT"
"""The environment variable with the name of the planted fault, for the record."""
OWN, OTHER, MISSED = "noticed by its promise", "noticed by another", "missed"
FATES = (OWN, OTHER, MISSED, NOT_APPLICABLE, NOT_JUDGED)
TRIES = 3  # runs with the same fault, as long as its promise is not judged
NAMED = 3  # the most promises listed in one sentence
HOWS = {"argument": NAME, "define": NAME, "device": NAME, "env": WORDS, "patch": NAME}
KEYS = {"name": NAME, "breaks": ANCHOR, "how": TABLE, "tests": TEXTS}
NO_PROCESS = "no rung of this run is a `process:`, to whose command it could be added"
NOT_PROMISED = "no test that has run promises it"
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".pytest_cache", "build")
PATIENCE_S = 600.0


@dataclass(frozen=True)
class Fault:
    """One planted fault: the anchor of the promise that it *breaks*, and *how* it is switched on."""

    name: str
    breaks: str
    how: Mapping[str, Any]
    tests: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """The folder of its report."""
        return slug(self.name)

    def meets(self, rung: Mapping[str, Any]) -> bool:
        """Return whether *rung*, from a record, can have this fault: an argument can be added only to a process."""
        return "argument" not in self.how or rung["name"].startswith("process:") or "command" in rung["facts"]

    def noticed_by(self, promise: Mapping[str, Any]) -> bool:
        """Return whether *promise*, from a record, must notice this fault."""
        name = promise["id"].rpartition("::")[2].partition("[")[0]
        return name in self.tests if self.tests else promise["anchor"] == self.breaks


class DoesNotRun(Exception):
    """The suite does not run at all. The message is the reason."""


def faults_in(table: Mapping[str, Any]) -> list[Fault]:
    """Return the faults of a faults.toml. Raise `Wrong` if it is malformed."""
    check_table(FILE, table, {"fault": TABLES, "least": LEAST})
    found: dict[str, Fault] = {}
    for each in table.get("fault", ()):
        where = f"{FILE}: the fault {each.get('name', '?')!r}"
        check_table(where, each, KEYS, ("name", "breaks", "how"))
        check_table(f"{where}, `how`", each["how"], HOWS)
        if len(each["how"]) != 1:
            raise Wrong(f"{where} is switched on by one of {', '.join(HOWS)}.")
        tests = tuple(test.rpartition("::")[2] for test in each.get("tests", ()))
        fault = Fault(each["name"], each["breaks"], each["how"], tests)
        if not fault.folder or fault.folder in found:
            raise Wrong(f"{where} has no name of its own: the folder of its report would be {fault.folder!r}.")
        found[fault.folder] = fault
        _check_device(fault)
    return list(found.values())


def _check(faults: Sequence[Fault], root: Path, folder: Path) -> None:
    """Raise `Wrong` if a fault's section does not exist, or if its patch is missing."""
    for fault in faults:
        try:
            heading_at(fault.breaks, root)
        except NoAnchor as missing:
            raise Wrong(f"{missing}, but the fault {fault.name!r} of {FILE} breaks it.") from None
        if (patch := fault.how.get("patch")) and not os.access(folder / patch, os.R_OK):
            raise Wrong(f"The fault {fault.name!r} does not apply: {patch} can't be read.")


def _check_device(fault: Fault) -> None:
    if name := fault.how.get("device"):
        try:
            known.fault(name)
        except Missing as missing:
            raise Wrong(f"{FILE}: the fault {fault.name!r} does not apply. {missing}") from None


def chosen(faults: Sequence[Fault], names: str) -> list[Fault]:
    """Return the *faults* that *names* selects: `all`, or names separated by commas."""
    if names == "all":
        return list(faults)
    known = {fault.name: fault for fault in faults}
    unknown = [name for name in names.split(",") if name not in known]
    if unknown:
        raise Wrong(f"{FILE} has no fault {unknown[0]!r}: choose from {', '.join(known)}.")
    return [known[name] for name in names.split(",")]


def fate(fault: Fault, record: Mapping[str, Any]) -> tuple[str, str]:
    """Return the verdict on *fault* by the *record* of a run with it, and the reason unless its promise noticed it.

    >>> promise = {"id": "t.py::test_a", "anchor": "P.md#1", "outcome": "broken"}
    >>> record = {"rungs": [{"name": "model", "facts": {}, "promises": [promise]}]}
    >>> fate(Fault("slow", "P.md#1", {}), record), fate(Fault("slow", "P.md#2", {}), record)
    (('noticed by its promise', ''), ('noticed by another', 'test_a'))
    >>> fate(Fault("slow", "P.md#1", {"argument": "--slow"}), record)[0]
    'not applicable'
    """
    rungs = [rung for rung in record["rungs"] if fault.meets(rung)]
    if not rungs:
        return NOT_APPLICABLE, NO_PROCESS
    promises = [promise for rung in rungs for promise in rung["promises"]]
    own = [promise for promise in promises if fault.noticed_by(promise)]
    outcomes = [promise["outcome"] for promise in own]
    if BROKEN in outcomes:
        return OWN, ""
    if NOT_JUDGED in outcomes:
        return NOT_JUDGED, next(promise["reason"] for promise in own if promise["outcome"] == NOT_JUDGED)
    if others := _tests(promises, BROKEN):
        return OTHER, others
    if not own:
        return MISSED, NOT_PROMISED
    if KEPT in outcomes:
        return MISSED, f"{_tests(own, KEPT)} passed"
    return NOT_APPLICABLE, own[0]["reason"]


def _tests(promises: Sequence[Mapping[str, Any]], outcome: str) -> str:
    """Return the names of the first tests of *promises* with this *outcome*."""
    names = [each["id"].rpartition("::")[2] for each in promises if each["outcome"] == outcome]
    return _listed(list(dict.fromkeys(names)))


def _listed(texts: Sequence[str]) -> str:
    more = [f"{len(texts) - NAMED} more"] if len(texts) > NAMED else []
    return ", ".join([*texts[:NAMED], *more])


def add_options(parser: pytest.Parser) -> None:
    """Declare our options."""
    add = parser.getgroup("rungs").addoption
    add("--rungs-faults", metavar="NAMES", help="run once per fault in faults.toml: all, or names with commas between")
    add(
        "--rungs-least",
        type=LEAST,
        metavar="N",
        help="how many faults their own promises have to notice (all)",
    )


def main(config: pytest.Config) -> int:
    """Run the suite without a fault, then once per fault.

    Return 1 if fewer faults than `least` are noticed, and pytest's status for "no tests" if none was judged.
    """
    from rungs.bench import folder_of, read_toml, settings_in

    folder = folder_of(config)
    settings = settings_in(folder)
    path = folder / str(settings.get("faults", FILE))
    if not path.is_file():
        raise pytest.UsageError(f"{path} is missing: --rungs-faults needs the list of faults.")
    table = read_toml(path)
    try:
        faults = chosen(faults_in(table), config.getoption("rungs_faults"))
        _check(faults, config.rootpath, folder)
    except Wrong as wrong:
        raise pytest.UsageError(str(wrong)) from None
    runs = Runs(config, folder, config.getoption("rungs_report") or settings.get("report"))
    _say("the suite without a fault")
    runs.sound(faults)
    rows = []
    for number, fault in enumerate(faults, 1):
        _say(f"fault {number} of {len(faults)}: {fault.name}")
        found, reason = runs.fate(fault)
        rows.append({"name": fault.name, "breaks": fault.breaks, "fate": found, "reason": reason})
        sys.stdout.write(f"{fault.name:24} {found:24} {fault.breaks}{reason and f': {reason}'}\n")
        sys.stdout.flush()
    counts = Counter(row["fate"] for row in rows)
    words = ", ".join(f"{counts[name]} {name}" for name in FATES)
    runs.write(rows, words)
    least = config.getoption("rungs_least")
    status, why = _status(counts, table.get("least") if least is None else least)
    more = ["faults that are not judged do not count"] if counts[NOT_JUDGED] else []
    sys.stdout.write("; ".join([words, *more, *([f"exit status {status}: {why}"] if status else [])]) + "\n")
    return status


def _status(counts: Mapping[str, int], least: int | None) -> tuple[int, str]:
    """Return the exit status, and the reason if it is not 0."""
    judged = counts[OWN] + counts[OTHER] + counts[MISSED]
    needed = judged if least is None else least
    if not judged:
        return int(pytest.ExitCode.NO_TESTS_COLLECTED), "no fault has been judged on the rungs of this run"
    return int(counts[OWN] < needed), f"{needed} or more had to be noticed by their promises"


def _say(sentence: str) -> None:
    """Report progress on standard error, so that standard output contains only the table."""
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


class Runs:
    """Runs the suite in *folder* with and without faults. Each run's report goes to a folder in *reports*, if given."""

    def __init__(self, config: pytest.Config, folder: Path, reports: str | None) -> None:
        self._arguments = _without_ours(config.invocation_params.args)
        self._started = config.invocation_params.dir
        self._folder = folder
        self._reports = reports

    def __repr__(self) -> str:
        return f"<Runs folder={str(self._folder)!r} reports={self._reports!r}>"

    def sound(self, faults: Sequence[Fault]) -> None:
        """Run the suite without a fault. Raise `UsageError` if a promise is broken or a test of *faults* is missing."""
        try:
            record = self._run(self._started, {}, None)
        except DoesNotRun as why:
            raise pytest.UsageError(f"The suite does not run: {why}") from None
        found = [(rung["name"], each) for rung in record["rungs"] for each in rung["promises"]]
        promises = [each for _, each in found]
        broken = [(rung, each) for rung, each in found if each["outcome"] == BROKEN]
        if broken:
            where = _listed([f"{each['id']} on {rung} ({each['reason']})" for rung, each in broken])
            raise pytest.UsageError(f"Promises are broken without any fault, run pytest first: {where}.")
        for fault in faults:
            for test in fault.tests:
                if not any(replace(fault, tests=(test,)).noticed_by(each) for each in promises):
                    sentence = f"{FILE}: the fault {fault.name!r} names {test}, which has not run"
                    raise pytest.UsageError(f"{sentence}: is there such a test, and does this run select it?")

    def fate(self, fault: Fault) -> tuple[str, str]:
        """Return the verdict on *fault* and the reason.

        If the suite can't run with the fault, the verdict is that another test has noticed it.

        If the promise is not judged, the suite runs again, `TRIES` times in all.
        """
        with _planted(fault, self._started, self._folder) as (where, more):
            for _ in range(TRIES):
                try:
                    found = fate(fault, self._run(where, {**more, PLANTED: fault.name}, fault))
                except DoesNotRun as why:
                    return OTHER, f"the suite does not run: {why}"
                if found[0] != NOT_JUDGED:
                    break
        return found

    def write(self, rows: Sequence[Mapping[str, str]], counts: str) -> None:
        """Write faults.json and faults.html next to the reports, with the fate of each fault and its report."""
        if self._reports:
            folder = self._started / self._reports
            files = [f"{slug(row['name'])}/report.html" for row in rows]
            found = [
                {**row, "report": file if (folder / file).is_file() else ""}
                for row, file in zip(rows, files, strict=True)
            ]
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "faults.json").write_text(json.dumps({"faults": found}, indent=1) + "\n", encoding="utf-8")
            (folder / "faults.html").write_text(faults_page(found, counts), encoding="utf-8")
            _say(f"the faults: {folder / 'faults.html'}")

    def _run(self, where: Path, more: Mapping[str, str], fault: Fault | None) -> dict[str, Any]:
        """Run the suite, and return its record. Raise `DoesNotRun` if it writes none."""
        with TemporaryDirectory(prefix="rungs-") as own:
            folder = self._started / self._reports / (fault.folder if fault else "") if self._reports else Path(own)
            path = folder / "record.json"
            path.unlink(missing_ok=True)
            path.with_name("report.html").unlink(missing_ok=True)
            command = [sys.executable, "-m", "pytest", *self._arguments, f"--rungs-report={folder}"]
            how: dict[str, Any] = {"capture_output": True, "text": True, "timeout": PATIENCE_S}
            try:
                done = subprocess.run(command, cwd=where, env={**os.environ, **more}, check=False, **how)
            except subprocess.TimeoutExpired:
                raise DoesNotRun(f"it has not ended within {PATIENCE_S:g} s.") from None
            if not path.is_file():
                said = (done.stdout + done.stderr).strip().splitlines() or [""]
                raise DoesNotRun(said[-1].removeprefix("ERROR: "))
            record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return record


@contextmanager
def _planted(fault: Fault, started: Path, folder: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield the folder in which to run with *fault*, and the environment variables to add."""
    ((how, what),) = fault.how.items()
    if how != "patch":
        single = {"argument": FAULT_ARGUMENT, "define": DEFINE, "device": known.DEVICE}
        yield started, what if how == "env" else {single[how]: what}
        return
    with TemporaryDirectory(prefix="rungs-") as own:
        copy = Path(own) / folder.name
        shutil.copytree(folder, copy, ignore=NOT_COPIED)
        done = subprocess.run(
            ["patch", "-p1", "-s", "-i", str(folder / what)], cwd=copy, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise pytest.UsageError(f"The fault {fault.name!r} does not apply: {what} does not fit the suite.")
        inside = started.relative_to(folder) if started.is_relative_to(folder) else Path()
        yield copy / inside, {}


def _without_ours(arguments: Sequence[str]) -> list[str]:
    ours = ("--rungs-faults", "--rungs-least", "--rungs-report")
    kept, skip = [], False
    for each in arguments:
        if not skip and not each.startswith(ours):
            kept.append(each)
        skip = not skip and each in ours
    return kept
