"""The packages that are installed: built from this checkout by its own command, or named."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
TARGET = ("SUITE=bookworm", "ARCHITECTURE=amd64")
NEXT = "VERSION=9999+next~deb12"


def offered(named: tuple[Path, ...], share: Path) -> None:
    """Lay two packages into *share*: the first, and one to upgrade to."""
    packages = named or (_built(), _built(NEXT))
    for folder, package in zip(("first", "next"), packages, strict=False):
        (share / folder).mkdir()
        shutil.copy(package, share / folder)


def _built(*more: str) -> Path:
    asked = ["make", "-s", "deb", *TARGET, *more]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(asked)} has failed:\n{done.stderr[-3000:]}")
    return ROOT / done.stdout.split()[-1]
