"""The test bench of one run: the requested rungs, and the rungs that are open."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from rungs import known
from rungs.load import Load
from rungs.lock import Held, locked
from rungs.person import Person
from rungs.rung import Missing, Rung, Spec
from rungs.settings import (
    COUNT,
    DIFFERENT,
    FOLDER,
    TABLE,
    TABLE_OF_TABLES,
    TEXT,
    TEXTS,
    Kind,
    Wrong,
    check_capability,
    check_table,
)
from rungs.wire import WireLost

OURS = "pytest-rungs"
WAIT_S = 600.0  # for the lock
KEYS: Mapping[str, Kind] = {
    "baud": COUNT,
    "cannot": TABLE_OF_TABLES,
    "capabilities": TEXTS,
    "faults": TEXT,
    "labgrid-env": TEXT,
    "own": TABLE,
    "report": FOLDER,
    "restore": TEXT,
    "rungs": DIFFERENT,
}
"""The keys that `[tool.pytest-rungs]` may have. `own` is for rungs from outside this kit."""
NO_RUNG = "No rung is chosen: --rung=NAME, or rungs = [...] in [tool.pytest-rungs]."


def read_toml(path: Path) -> Mapping[str, Any]:
    """Return the tables of the TOML file at *path*. Raise `UsageError` with a sentence if it isn't valid TOML."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # on older Pythons, pytest itself requires tomli
    try:
        found: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise pytest.UsageError(f"{path}: {fault}") from None
    return found


def folder_of(config: pytest.Config) -> Path:
    """Return the folder of the suite, which is the folder of its configuration file."""
    return config.inipath.parent if config.inipath else config.rootpath


def settings_in(folder: Path) -> Mapping[str, Any]:
    """Return the table `[tool.pytest-rungs]` of the pyproject.toml in *folder*, or an empty table if there is none."""
    path = folder / "pyproject.toml"
    found: Mapping[str, Any] = read_toml(path).get("tool", {}).get(OURS, {}) if path.is_file() else {}
    try:
        check_table(f"[tool.{OURS}]", found, KEYS)
        for rung, words in found.get("cannot", {}).items():
            for word in words:
                check_capability(f"[tool.{OURS}]: 'cannot.{rung}' has", word, found.get("capabilities"))
    except Wrong as fault:
        raise pytest.UsageError(str(fault)) from None
    return found


class Bench:
    """The rungs of one run. They are created when the first test is about to run, and closed after the last test."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._open = ExitStack()
        self._rungs: dict[str, Rung] = {}
        self._person: Person | None = None
        self.folder = folder_of(config)
        self.settings = settings_in(self.folder)
        if not DIFFERENT.fits(asked := config.getoption("rung") or []):
            raise pytest.UsageError(f"--rung={max(asked, key=asked.count)} is given twice.")
        self.load = Load()
        self.lost = ""

    def __repr__(self) -> str:
        return f"<Bench rungs={list(self._rungs)} lost={self.lost!r}>"

    @property
    def chosen(self) -> list[str]:
        """The requested rungs, as written on the command line or in the settings."""
        return list(self._config.getoption("rung") or self.settings.get("rungs", ()))

    @property
    def person(self) -> Person | None:
        """The person at the bench, if there is one."""
        if self._person is None and (address := self._config.getoption("rungs_hand")):
            self._person = Person.at(address)
        return self._person

    def lock(self, say: Callable[[str], None]) -> None:
        """Take the lock of `--rungs-lock`, if given. Raise `UsageError` if another run does not release it in time."""
        wait_s = self._config.getoption("rungs_wait")
        if path := self._config.getoption("rungs_lock"):
            try:
                self._open.enter_context(locked(Path(path), WAIT_S if wait_s is None else wait_s, say))
            except Held as fault:
                raise pytest.UsageError(str(fault)) from None
            except OSError as fault:
                raise pytest.UsageError(f"The lock {path} can't be opened: {fault.strerror}.") from None

    def rung(self, text: str) -> Rung:
        """Return the rung *text*, which is created only once. Raise `UsageError` with a sentence if that fails."""
        if text not in self._rungs:
            try:
                self._rungs[text] = self._made(Spec.of(text, self.folder, self.settings))
            except (Missing, WireLost) as fault:
                raise pytest.UsageError(f"--rung={text.removesuffix(':')}: {fault}") from None
        return self._rungs[text]

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Allow one process of this run at a time into the block. Only pytest-xdist has several processes."""
        if not hasattr(self._config, "workerinput"):
            yield
            return
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def plant(self, rung: Rung) -> None:
        """Apply the device fault that `--rungs-faults` has chosen for this run, if any.

        Raise `Unable` if that is impossible.
        """
        if name := os.environ.get(known.DEVICE, ""):
            known.fault(name)(rung)

    def discard(self, text: str) -> None:
        """Close a rung that could not be restored; the next test gets a new one."""
        if rung := self._rungs.pop(text, None):
            with suppress(Exception):  # the rung is already broken, and the reason has been recorded
                rung.close()

    def close(self) -> None:
        """Close all rungs, and release the lock."""
        for text in list(self._rungs):
            self.discard(text)
        if self._person is not None:
            self._person.close()
        self.load.stop()
        self._open.close()

    def _made(self, spec: Spec) -> Rung:
        if not spec.name:
            raise pytest.UsageError(NO_RUNG)
        made: Rung | None = self._config.hook.pytest_rungs_rung(spec=spec)
        if made is None:
            made = known.make(spec)
        if not isinstance(made, Rung):
            raise Missing(f"What makes the rung {spec.name!r} has returned {made!r}, which is no Rung.")
        made.name = made.name or spec.name
        if more := self.settings.get("cannot", {}).get(spec.name):
            made.cannot = {**made.cannot, **more}
        if made.by_hand:
            made.person = self.person
        return made


BENCH = pytest.StashKey[Bench]()
