"""Campaigns that run other commands, in short: damaged ledgers, and killed services."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from random import Random

from tests.strangers.report import Report

ROOT = Path(__file__).resolve().parents[2]
LEAST = 4
SEEDS = 1_000_000


def ledger(folder: Path, inputs: int, lots: Random) -> Report:
    """Damage bytes, rows and pages of ledgers, as `python -m tests.damage` does."""
    third = max(LEAST, inputs // 3)
    words = ("--bytes", str(third), "--rows", str(third), "--pages", str(third))
    return told(Report("ledger"), "tests.damage", words, 3 * third, lots)


def kills(folder: Path, inputs: int, lots: Random) -> Report:
    """Kill the service during games, as `python -m tests.powercut --kills` does."""
    count = max(LEAST, inputs)
    return told(Report("kills"), "tests.powercut", ("--kills", str(count), "--jobs", "1"), count, lots)


def told(report: Report, module: str, words: tuple[str, ...], inputs: int, lots: Random) -> Report:
    """Run a command, and report its last output; a status other than 0 is a finding."""
    if find_spec(module) is None:
        report.skipped = f"there is no {module} here"
        return report
    command = [sys.executable, "-m", module, *words, "--seed", str(lots.randrange(SEEDS))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    report.tried[f"{module}: {' '.join(words)}"] += inputs
    for number, line in enumerate(done.stdout.splitlines()[-4:], 1):
        report.figures[f"({number})"] = line
    report.expect(done.returncode == 0, f"{' '.join(command[1:])} ends with {done.returncode}: {done.stderr[-2000:]}")
    return report
