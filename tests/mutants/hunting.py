"""Finds the tests that catch a mutant: first the tests listed for it, then the others in their folders."""

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
AT_REST = 10  # limit of wall time, as a multiple of the CPU time: the machine may be busy, or a test may sleep for ever
LIMITED = 'ulimit -S -t "$0"; exec "$@"'
_FIRST = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)


class Fate(StrEnum):
    """The result for a mutant; only CAUGHT is good."""

    CAUGHT = "caught"
    SURVIVED = "SURVIVED"
    HUNG = "HUNG"
    ASTRAY = "ASTRAY"  # the tests did not run, or the failed one also fails without the mutant
    MISPLACED = "MISPLACED"


@dataclass(frozen=True)
class Found:
    """The fate of *mutant* after *seconds*; *by* is the test that caught it, or the error."""

    mutant: Mutant
    fate: Fate
    by: str
    seconds: float


@dataclass(frozen=True)
class Ran:
    """The result of pytest: its exit status (None if it was stopped), the first failed test, and its last output."""

    status: int | None
    first: str
    last: str


def hunted(mutant: Mutant, sandbox: Sandbox, patience_s: float, whole: bool = False) -> Found:
    """Plant *mutant* and return its fate; with *whole*, all tests run before it counts as survived."""
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
    # A test that fails without the mutant too, or only on a busy machine, has not caught it.
    alone = run(sandbox, (ran.first,), patience_s)
    return (Fate.CAUGHT, ran.first) if alone.status == PASSED else (Fate.ASTRAY, f"fails without it too: {ran.first}")


def fate_of(ran: Ran) -> Fate:
    """Return the fate of a mutant for a run without a failed test."""
    if ran.status is None:
        return Fate.HUNG
    return Fate.SURVIVED if ran.status == PASSED else Fate.ASTRAY


def selections(mutant: Mutant, whole: bool) -> Iterator[tuple[str, ...]]:
    """Yield selections of tests to run, each wider than the one before."""
    yield mutant.tests
    paths = [test.partition("::")[0] for test in mutant.tests]
    folders = tuple(dict.fromkeys(path.rpartition("/")[0] if path.endswith(".py") else path for path in paths))
    if folders != mutant.tests:
        yield folders
    if whole:
        yield ("tests",)


def run(sandbox: Sandbox, tests: Sequence[str], patience_s: float) -> Ran:
    """Run *tests* in the sandbox up to the first failure, with at most *patience_s* of CPU time.

    With a limit of wall time, a slow test on a busy machine would be stopped, and its mutant would count as caught.
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
    """Return the status and output of *command*; if it is interrupted, its services and browsers are ended too."""
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
