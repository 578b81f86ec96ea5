"""Read the control fields of a package, and check whether the package may be installed here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.app.exit_codes import BadUse

NAME = "ring-companion"
LEDGER_FIELD, PYTHON_FIELD = "Ring-Companion-Ledger", "Ring-Companion-Python"


@dataclass(frozen=True)
class Package:
    """The control fields of a package. *ledger* is the newest ledger version that its program reads."""

    name: str
    version: str
    architecture: str
    python: str
    ledger: int


FIELDS = {
    "Package": re.compile(r"[a-z0-9][a-z0-9+.-]{1,63}"),
    "Version": re.compile(r"[0-9][A-Za-z0-9.+~:-]{0,99}"),
    "Architecture": re.compile(r"[a-z0-9][a-z0-9-]{0,31}"),
    PYTHON_FIELD: re.compile(r"([0-9]{1,3}[.][0-9]{1,3})?"),
    LEDGER_FIELD: re.compile(r"[0-9]{0,9}"),
}
"""The control fields that are read, each with a pattern for its value.

Only the companion's packages have the last two.
"""


def package_from(file: Path, text: str) -> Package:
    r"""Parse the output of `dpkg-deb --field` for *file*, or raise `BadUse`.

    >>> package_from(Path("x.deb"), "Package: ring-companion\nVersion: 1.2\nArchitecture: arm64\n").version
    '1.2'
    """
    fields = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    values = {name: fields.get(name, "").strip() for name in FIELDS}
    for name, wanted in FIELDS.items():
        if not wanted.fullmatch(values[name]):
            raise BadUse(f"{file} isn't a package for this: its field {name} can't be {_short(values[name])}")
    name, version, architecture, python, ledger = values.values()
    return Package(name, version, architecture, python, int(ledger or 0))


def _short(value: str) -> str:
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


_SHOWN = 60


class System(Protocol):
    """The interface to a computer with Debian packages, as far as updates and rollbacks need it."""

    def read(self, file: Path) -> Package:
        """Return the control fields of *file*, or raise `BadUse` if it is not a complete package."""

    def here(self) -> Package:
        """Return the installed package with this computer's architecture and Python version, or raise `BadUse`."""

    def newer(self, one: str, other: str) -> bool:
        """Return whether version *one* is newer than *other*."""

    def keep_installed(self, folder: Path) -> Path:
        """Build a package from the installed files, in *folder*, or raise `Failed`."""

    def install(self, file: Path) -> None:
        """Install the package *file* over any other version, or raise `Failed`."""

    def stop(self) -> None:
        """Stop the service."""

    def start(self) -> None:
        """Start the service, if it is enabled."""

    def restore(self, copy: Path) -> Path | None:
        """Replace the ledger with *copy* and return the path of the old ledger, or raise `Failed`."""

    def answers(self) -> bool | None:
        """Wait until the service answers. Return whether it does, or None if it is not enabled."""


def fitting(file: Path, system: System) -> Package:
    """Return the package in *file* if it is a companion package for this computer, or raise `BadUse`."""
    package, here = system.read(file), system.here()
    if package.name != NAME:
        raise BadUse(f"{file} is the package {package.name}, not {NAME}")
    if package.architecture != here.architecture:
        raise BadUse(f"{file} is for {package.architecture}, but this computer is {here.architecture}")
    if package.python != here.python:
        raise BadUse(
            f"{file} is for Python {package.python}, but this computer has {here.python}: use its release's file"
        )
    return package
