"""A copy of the checkout in which one mutant at a time is planted and removed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.mutants.catalogue import Mutant

PACKAGES = ("companion", "firmware_bridge", "rungs", "web")


class DoesNotApply(Exception):
    """The old text of a mutant is not found exactly once."""


def versioned(root: Path) -> list[str]:
    """Return the files of the checkout at *root*, including untracked ones that exist now."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    return [path for path in listed.split("\0") if path and (root / path).is_file()]


class Sandbox:
    """A copy of *files* of the checkout at *root* in *folder*, with the checkout's own environment."""

    def __init__(self, root: Path, files: Iterable[str], folder: Path) -> None:
        self.root = folder / "checkout"
        self.scratch = folder / "tmp"
        self._ages = count(1)
        for path in files:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / path, self.root / path)
        if (root / ".venv").exists():
            (self.root / ".venv").symlink_to(root / ".venv")

    @property
    def surroundings(self) -> dict[str, str]:
        """The environment of the tests' processes: the copy comes before the installed checkout."""
        return {**os.environ, "PYTHONPATH": str(self.root)}

    def strangers(self) -> list[str]:
        """Return the packages that a process would not import from this copy; there should be none."""
        tell = f"import {', '.join(PACKAGES)}; print(*(each.__file__ for each in ({', '.join(PACKAGES)})), sep='\\n')"
        self.scratch.mkdir(exist_ok=True)
        heard = {"capture_output": True, "text": True, "check": True}
        told = subprocess.run([sys.executable, "-c", tell], cwd=self.scratch, env=self.surroundings, **heard)
        return [path for path in told.stdout.splitlines() if not Path(path).is_relative_to(self.root)]

    @contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """Apply *mutant* to the copy inside this context, or raise `DoesNotApply`."""
        path = self.root / mutant.file
        before = path.read_bytes() if path.is_file() else b""
        planted = replaced(before.decode(), mutant)
        age = path.stat().st_mtime
        path.write_text(planted, encoding="utf-8", newline="")
        # Python recognises outdated .pyc files by size and mtime in whole seconds, so each planting gets its own mtime.
        os.utime(path, (age, age + next(self._ages)))
        try:
            yield
        finally:
            path.write_bytes(before)
            os.utime(path, (age, age))


def replaced(text: str, mutant: Mutant) -> str:
    """Return *text* with the mutant applied, or raise `DoesNotApply`."""
    times = text.count(mutant.old)
    if times != 1:
        raise DoesNotApply(f"{mutant.file}: the old text is there {times} times, not once: {mutant.old}")
    return text.replace(mutant.old, mutant.new)
