"""The version of a package: the program's version, the number of commits and the suite, so that each build is newer."""

from __future__ import annotations

import subprocess
import time
import tomllib
from pathlib import Path

from hardware.pi.package.targets import Suite


def package_version(root: Path, suite: Suite) -> str:
    """Return the Debian version of a package that is built from the checkout *root*."""
    return versioned(program_version(root), commits(root), suite)


def versioned(program: str, commits: int | None, suite: Suite) -> str:
    """Return the version for *suite*, with the number of *commits* unless it is unknown (None).

    >>> versioned("1.2.0", 345, Suite("bookworm", 12, (3, 11)))
    '1.2.0+r345~deb12'
    """
    # The suite's number makes the package for the next suite the newer version, so that a system upgrade installs it. A
    # tilde sorts before the end of a version.
    return f"{program}{'' if commits is None else f'+r{commits}'}~deb{suite.number}"


def program_version(root: Path) -> str:
    """Return the version in pyproject.toml."""
    return str(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def commits(root: Path) -> int | None:
    """Return the number of commits in the checkout *root*, or None if it is not a git checkout."""
    counted = _git(root, "rev-list", "--count", "HEAD")
    return None if counted is None else int(counted)


def made_at(root: Path) -> int:
    """Return the Unix time of the newest commit, or now without git, so that builds of a commit are identical."""
    told = _git(root, "log", "-1", "--format=%ct")
    return int(time.time()) if told is None else int(told)


def _git(root: Path, *words: str) -> str | None:
    if not (root / ".git").exists():
        return None
    done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()
