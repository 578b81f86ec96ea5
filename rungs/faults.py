"""How good a suite is: it runs once per planted fault, and the promise that each fault breaks has to notice it.

    [[fault]]
    name = "slow"
    breaks = "PROTOCOL.md#3"
    tests = ["test_answers_in_time"]       # optional: the tests that have to notice it
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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from rungs import known
from rungs.record import BROKEN, KEPT, NOT_JUDGED
from rungs.rung import Missing
from rungs.shipped import FAULT_ARGUMENT

FILE = "faults.toml"
DEFINE = "RUNGS_FAULT_DEFINE"
OWN, OTHER, MISSED, NOT_APPLICABLE = "noticed by its promise", "noticed by another", "missed", "not applicable"
FATES = (OWN, OTHER, MISSED, NOT_APPLICABLE)
HOWS = ("argument", "define", "device", "env", "patch")
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".pytest_cache", "build")
PATIENCE_S = 600.0


@dataclass(frozen=True)
class Fault:
    """One planted fault: the anchor of the promise that it *breaks*, and *how* it is switched on."""

    name: str
    breaks: str
    how: Mapping[str, Any]
    tests: tuple[str, ...] = ()

    def noticed_by(self, promise: Mapping[str, Any]) -> bool:
        """Return whether *promise*, from a record, is the one that has to notice this fault."""
        name = promise["id"].rpartition("::")[2].partition("[")[0]
        return name in self.tests if self.tests else promise["anchor"] == self.breaks


def faults_in(table: Mapping[str, Any]) -> list[Fault]:
    """Return the faults of a faults.toml. Raise `UsageError` with a sentence if it is malformed."""
    found = []
    for each in table.get("fault", ()):
        missing = [key for key in ("name", "breaks", "how") if key not in each]
        if missing:
            raise pytest.UsageError(f"{FILE}: the fault {each.get('name', '?')!r} has no {missing[0]!r}.")
        if len(each["how"]) != 1 or next(iter(each["how"])) not in HOWS:
            raise pytest.UsageError(f"{FILE}: the fault {each['name']!r} is switched on by one of {', '.join(HOWS)}.")
        tests = tuple(test.rpartition("::")[2] for test in each.get("tests", ()))
        found.append(Fault(each["name"], each["breaks"], each["how"], tests))
        _check_device(found[-1])
    return found


def _check_device(fault: Fault) -> None:
    if name := fault.how.get("device"):
        try:
            known.fault(name)
        except Missing as missing:
            raise pytest.UsageError(f"{FILE}: the fault {fault.name!r} does not apply. {missing}") from None


def chosen(faults: Sequence[Fault], names: str) -> list[Fault]:
    """Return those of *faults* that *names* asks for: `all`, or names with commas between."""
    if names == "all":
        return list(faults)
    known = {fault.name: fault for fault in faults}
    unknown = [name for name in names.split(",") if name not in known]
    if unknown:
        raise pytest.UsageError(f"{FILE} has no fault {unknown[0]!r}: choose from {', '.join(known)}.")
    return [known[name] for name in names.split(",")]


def fate(fault: Fault, record: Mapping[str, Any]) -> str:
    """Return what *record*, of a run with *fault* switched on, says of it.

    >>> record = {"rungs": [{"promises": [{"id": "t.py::test_a", "anchor": "P.md#1", "outcome": "broken"}]}]}
    >>> fate(Fault("slow", "P.md#1", {}), record), fate(Fault("slow", "P.md#2", {}), record)
    ('noticed by its promise', 'noticed by another')
    """
    promises = [promise for rung in record["rungs"] for promise in rung["promises"]]
    own = [promise["outcome"] for promise in promises if fault.noticed_by(promise)]
    if BROKEN in own:
        return OWN
    if any(promise["outcome"] == BROKEN for promise in promises):
        return OTHER
    return MISSED if KEPT in own or NOT_JUDGED in own else NOT_APPLICABLE


def add_options(parser: pytest.Parser) -> None:
    """Declare our options."""
    add = parser.getgroup("rungs").addoption
    add("--rungs-faults", metavar="all|NAMES", help="run the suite once per fault in faults.toml")
    add("--rungs-least", type=int, metavar="N", help="how many faults their own promises have to notice (all)")


def main(config: pytest.Config) -> int:
    """Run the suite without a fault, then once per fault. Return 1 if fewer are noticed than `least`."""
    from rungs.bench import folder_of, read_toml, settings_in

    folder = folder_of(config)
    path = folder / str(settings_in(folder).get("faults", FILE))
    if not path.is_file():
        raise pytest.UsageError(f"{path} is missing: --rungs-faults needs the list of faults.")
    table = read_toml(path)
    faults = chosen(faults_in(table), config.getoption("rungs_faults"))
    arguments = _without_ours(config.invocation_params.args)
    sound = _run(arguments, config.invocation_params.dir, {})
    broken = [each["text"] for rung in sound["rungs"] for each in rung["promises"] if each["outcome"] == BROKEN]
    if broken:
        raise pytest.UsageError(f"{len(broken)} promises are broken without any fault, the first: {broken[0]}")
    counts = dict.fromkeys(FATES, 0)
    for fault in faults:
        found = _fate(fault, arguments, config, folder)
        counts[found] += 1
        sys.stdout.write(f"{fault.name:24} {found:24} {fault.breaks}\n")
        sys.stdout.flush()
    sys.stdout.write(", ".join(f"{count} {name}" for name, count in counts.items()) + "\n")
    least = config.getoption("rungs_least")
    if least is None:
        least = table.get("least", len(faults) - counts[NOT_APPLICABLE])
    return int(counts[OWN] < least)


def _fate(fault: Fault, arguments: Sequence[str], config: pytest.Config, folder: Path) -> str:
    with _planted(fault, config.invocation_params.dir, folder) as (where, more):
        return fate(fault, _run(arguments, where, more))


@contextmanager
def _planted(fault: Fault, started: Path, folder: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield where to run with *fault*, and with which additions to the environment."""
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


def _run(arguments: Sequence[str], where: Path, more: Mapping[str, str]) -> dict[str, Any]:
    """Run the suite, and return its record; one without a promise if it could not even start."""
    with TemporaryDirectory(prefix="rungs-") as folder:
        command = [sys.executable, "-m", "pytest", *arguments, f"--rungs-report={folder}"]
        how: dict[str, Any] = {"capture_output": True, "text": True, "timeout": PATIENCE_S}
        done = subprocess.run(command, cwd=where, env={**os.environ, **more}, check=False, **how)
        path = Path(folder) / "record.json"
        if not path.is_file():
            last = (done.stdout + done.stderr).strip().splitlines()[-1:]
            raise pytest.UsageError(f"The suite does not run: {''.join(last)}")
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return record


def _without_ours(arguments: Sequence[str]) -> list[str]:
    ours = ("--rungs-faults", "--rungs-least", "--rungs-report")
    kept, skip = [], False
    for each in arguments:
        if not skip and not each.startswith(ours):
            kept.append(each)
        skip = not skip and each in ours
    return kept
