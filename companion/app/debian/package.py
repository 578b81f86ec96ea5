"""What a package says of itself, and whether it may be put in place here."""

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
    """A package: *ledger* is the newest version of ledgers that its program reads."""

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
"""What a package says of itself by its control fields, and what may stand there; ours alone have the last two."""


def package_from(file: Path, text: str) -> Package:
    r"""Return what the control fields of *file*, as *text* by `dpkg-deb --field`, say; or raise `BadUse`.

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
    """A computer with Debian's packages, as far as one package of ours goes."""

    def read(self, file: Path) -> Package:
        """Return what *file* says of itself, or raise `BadUse` where it is no package or not whole."""

    def here(self) -> Package:
        """Return what a package for this computer would say, its version that of the installed one; or `BadUse`."""

    def newer(self, one: str, other: str) -> bool:
        """Say whether version *one* is newer than *other*."""

    def keep_installed(self, folder: Path) -> Path:
        """Make a package of what is installed, in *folder*, or raise `Failed`."""

    def install(self, file: Path) -> None:
        """Put the package *file* in place, whichever is there now, or raise `Failed`."""

    def stop(self) -> None:
        """Stop the service."""

    def start(self) -> None:
        """Start the service, if it starts with this computer."""

    def restore(self, copy: Path) -> Path | None:
        """Have *copy* be the ledger and return where the one before is kept, or raise `Failed`."""

    def answers(self) -> bool | None:
        """Say whether the service answers, in a while; None where it does not start with this computer."""


def fitting(file: Path, system: System) -> Package:
    """Return the package in *file* if it is ours and for this computer, or raise `BadUse`."""
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
