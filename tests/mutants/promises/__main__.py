"""`make promises`: lets faults of a ring and of a host break promises of PROTOCOL.md; prints which were detected.

A ring's fault is switched on in the device in C (hardware/example-device), and a host's is planted in a copy of this
checkout in `build/`. Only the tests of the promise that it breaks are run. The status is 1 if fewer than 95 of 100
are detected, or if one of those tests fails without any fault.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests.mutants.catalogue import chosen, mutants
from tests.mutants.hunting import FAILED, PASSED, Ran, run
from tests.mutants.sandbox import DoesNotApply, Sandbox, versioned

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent
RECORD = ROOT / "build" / "promises" / "found.json"
REPORT = f"--rungs-report={RECORD.parent / 'report'}"
PATIENCE_S = 300.0
LEAST = 0.95


class Fault(Protocol):
    """The fields of a fault that both lists have."""

    name: str
    notice: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class DeviceFault:
    """A fault of the device in C, with the name that switches it on."""

    name: str
    notice: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Noticed:
    """The result for *fault*: whether its promise detected it, by which test, and after how many seconds."""

    fault: Fault
    side: str
    noticed: bool
    by: str
    seconds: float

    def line(self) -> str:
        """Return the fault's row of the table."""
        word = "noticed" if self.noticed else "UNNOTICED"
        return f"{self.side:6} {self.fault.name:30} {word:9} {self.seconds:6.1f} s  {self.by}"


class Checkout:
    """This checkout itself, for runs of tests that need no copy."""

    def __init__(self) -> None:
        self.root = ROOT
        self.scratch = ROOT / "build" / "promises" / "tmp"
        self.scratch.parent.mkdir(parents=True, exist_ok=True)
        self.surroundings = None


def device_faults(path: Path = HERE / "device.toml") -> tuple[DeviceFault, ...]:
    """Return the faults of the device, in the order of the list."""
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    return tuple(DeviceFault(each["name"], each["notice"], tuple(each["tests"])) for each in listed)


def on_the_device(faults: Sequence[DeviceFault]) -> Iterator[Noticed]:
    """Switch on each of *faults* in turn; before that, run the tests of all without a fault."""
    here = Checkout()
    every = tuple(dict.fromkeys(test for fault in faults for test in fault.tests))
    yield _without(run(here, ("--rung=example", REPORT, *every), PATIENCE_S), "device")
    for fault in faults:
        began = time.monotonic()
        ran = run(here, (f"--rung=example:{fault.name}", REPORT, *fault.tests), PATIENCE_S)
        yield Noticed(fault, "device", ran.status == FAILED, ran.first or ran.last, time.monotonic() - began)


def in_the_host(names: Sequence[str]) -> Iterator[Noticed]:
    """Plant each of the host's faults in turn in a copy; before that, run the tests of all without a fault."""
    wanted = chosen(mutants(HERE / "host.toml"), names)
    sandbox = Sandbox(ROOT, versioned(ROOT), ROOT / "build" / "promises" / time.strftime("%H%M%S"))
    every = tuple(dict.fromkeys(test for mutant in wanted for test in mutant.tests))
    yield _without(run(sandbox, every, PATIENCE_S), "host")
    for mutant in wanted:
        began = time.monotonic()
        try:
            with sandbox.planted(mutant):
                ran = run(sandbox, mutant.tests, PATIENCE_S)
        except DoesNotApply as why:
            ran = Ran(PASSED, "", str(why))
        noticed = ran.status is None or ran.status == FAILED
        yield Noticed(mutant, "host", noticed, ran.first or ran.last, time.monotonic() - began)


def _without(ran: Ran, side: str) -> Noticed:
    """Return the result of the tests without a fault, in which all must pass."""
    return Noticed(DeviceFault("(without a fault)", "", ()), side, ran.status == PASSED, ran.first or ran.last, 0.0)


def main() -> int:
    """Plant the requested faults; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.promises", description=__doc__)
    parser.add_argument("names", nargs="*", help="names of faults (default: all)")
    asked = parser.parse_args().names
    faults = [each for each in device_faults() if not asked or each.name in asked]
    hosts = [each.name for each in mutants(HERE / "host.toml") if not asked or each.name in asked]
    found: list[Noticed] = []
    for rows in (on_the_device(faults) if faults else (), in_the_host(hosts) if hosts else ()):
        for row in rows:
            found.append(row)
            print(row.line(), flush=True)
    planted = [each for each in found if each.fault.tests]
    noticed = sum(each.noticed for each in planted)
    sound = all(each.noticed for each in found if not each.fault.tests)
    print(f"{noticed} of {len(planted)} noticed by the promise that they break{'' if sound else '; NOT SOUND WITHOUT'}")
    _keep(planted)
    return 0 if sound and noticed >= LEAST * len(planted) else 1


def _keep(found: Sequence[Noticed]) -> None:
    RECORD.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "side": each.side,
            "fault": each.fault.name,
            "notice": each.fault.notice,
            "noticed": each.noticed,
            "by": each.by,
        }
        for each in found
    ]
    RECORD.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
