"""The version of a package: the program's, how many commits it has, and the suite, so that each build is newer."""

from __future__ import annotations

import subprocess
import time
import tomllib
from pathlib import Path

from hardware.pi.package.targets import Suite


def package_version(root: Path, suite: Suite) -> str:
    """Return the version of a package that is built from the checkout *root*, as Debian compares them."""
    return versioned(program_version(root), commits(root), suite)


def versioned(program: str, commits: int | None, suite: Suite) -> str:
    """Return *program*'s version with the number of its *commits*, where they are known, for *suite*."""
    # A tilde sorts before the end: a package for the next suite is newer than the same one for this.
    return f"{program}{'' if commits is None else f'+r{commits}'}~deb{suite.number}"


def program_version(root: Path) -> str:
    """Return the version that pyproject.toml says."""
    return str(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def commits(root: Path) -> int | None:
    """Return how many commits the checkout *root* has, None where it is none."""
    counted = _git(root, "rev-list", "--count", "HEAD")
    return None if counted is None else int(counted)


def made_at(root: Path) -> int:
    """Return the time of the newest commit, or now, in seconds: two builds of it give the same package."""
    told = _git(root, "log", "-1", "--format=%ct")
    return int(time.time()) if told is None else int(told)


def _git(root: Path, *words: str) -> str | None:
    if not (root / ".git").exists():
        return None
    done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()
