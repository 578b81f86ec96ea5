"""Which tests catch a mutant: those that are to see it first, then all that lie beside them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tests.mutants.catalogue import Mutant
from tests.mutants.sandbox import DoesNotApply, Sandbox

PASSED, FAILED = 0, 1
AT_REST = 10  # how many times its patience a run may take by the wall's clock: on a busy machine, or asleep for good
LIMITED = 'ulimit -S -t "$0"; exec "$@"'
_FIRST = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)


class Fate(StrEnum):
    """What has become of a mutant; but for the first, none of them is well."""

    CAUGHT = "caught"
    SURVIVED = "SURVIVED"
    HUNG = "HUNG"
    ASTRAY = "ASTRAY"  # the tests did not run, or the one that failed does so without the mutant too
    MISPLACED = "MISPLACED"


@dataclass(frozen=True)
class Found:
    """The fate of *mutant* after so many *seconds*; *by* is the test that caught it, or what went wrong."""

    mutant: Mutant
    fate: Fate
    by: str
    seconds: float


@dataclass(frozen=True)
class Ran:
    """What pytest has come to: its exit status (None: it was stopped), the first test that failed, its last words."""

    status: int | None
    first: str
    last: str


def hunted(mutant: Mutant, sandbox: Sandbox, patience_s: float, whole: bool = False) -> Found:
    """Plant *mutant* and return its fate; *whole*: every test may try before it is said to have survived."""
    began = time.monotonic()
    try:
        fate, by = _hunted(mutant, sandbox, patience_s, whole)
    except DoesNotApply as why:
        fate, by = Fate.MISPLACED, str(why)
    return Found(mutant, fate, by, time.monotonic() - began)


def _hunted(mutant: Mutant, sandbox: Sandbox, patience_s: float, whole: bool) -> tuple[Fate, str]:
    ran = Ran(PASSED, "", "")
    with sandbox.planted(mutant):
        for tests in selections(mutant, whole):
            ran = run(sandbox, tests, patience_s)
            if ran.status != PASSED:
                break
    if ran.status != FAILED or not ran.first:
        return fate_of(ran), ran.last
    # A test that fails by itself, or on a busy machine only, has caught nothing.
    alone = run(sandbox, (ran.first,), patience_s)
    return (Fate.CAUGHT, ran.first) if alone.status == PASSED else (Fate.ASTRAY, f"fails without it too: {ran.first}")


def fate_of(ran: Ran) -> Fate:
    """Return the fate of a mutant with which the tests ended so, no test of them having failed."""
    if ran.status is None:
        return Fate.HUNG
    return Fate.SURVIVED if ran.status == PASSED else Fate.ASTRAY


def selections(mutant: Mutant, whole: bool) -> Iterator[tuple[str, ...]]:
    """Yield the tests to be asked, one selection after the other, each wider than the last."""
    yield mutant.tests
    paths = [test.partition("::")[0] for test in mutant.tests]
    folders = tuple(dict.fromkeys(path.rpartition("/")[0] if path.endswith(".py") else path for path in paths))
    if folders != mutant.tests:
        yield folders
    if whole:
        yield ("tests",)


def run(sandbox: Sandbox, tests: Sequence[str], patience_s: float) -> Ran:
    """Run *tests* in the sandbox up to the first that fails, *patience_s* of the processor at most.

    By the wall's clock a busy machine would make a slow test an endless one, and that a fault noticed.
    """
    how = ("-x", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", f"--basetemp={sandbox.scratch}")
    try:
        status, text = _carried_out([sys.executable, "-m", "pytest", *how, *tests], sandbox, patience_s)
    except subprocess.TimeoutExpired:
        return Ran(None, "", f"no end after {AT_REST * patience_s:g} s")
    if status == -signal.SIGXCPU:
        return Ran(None, "", f"no end after {patience_s:g} s of the processor")
    first = _FIRST.search(text)
    return Ran(status, first[1] if first else "", (text.strip().splitlines() or [""])[-1])


def _carried_out(command: Sequence[str], sandbox: Sandbox, patience_s: float) -> tuple[int, str]:
    """Return the status of *command* and what it said; whatever cuts it short ends its services and browsers too."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    own = {"cwd": sandbox.root, "env": sandbox.surroundings, "start_new_session": True}
    limited = ["sh", "-c", LIMITED, str(max(round(patience_s), 1)), *command]
    with subprocess.Popen(limited, **own, **pipes) as process:
        try:
            told, _ = process.communicate(timeout=AT_REST * patience_s)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode, told
