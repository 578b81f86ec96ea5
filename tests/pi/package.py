"""The packages to install: built from this checkout by its own command, or given."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
TARGET = ("SUITE=bookworm", "ARCHITECTURE=amd64")
NEXT = "VERSION=9999+next~deb12"


def offered(named: tuple[Path, ...], share: Path) -> None:
    """Copy two packages into *share*: the first, and one to update to."""
    packages = named or (built(*TARGET), built(*TARGET, NEXT))
    for folder, package in zip(("first", "next"), packages, strict=False):
        (share / folder).mkdir()
        shutil.copy(package, share / folder)


def built(*asked_for: str) -> Path:
    """Build one package by `make deb` with the arguments *asked_for*, and return its path."""
    asked = ["make", "-s", "deb", *asked_for]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(asked)} has failed:\n{done.stderr[-3000:]}")
    return ROOT / done.stdout.split()[-1]
