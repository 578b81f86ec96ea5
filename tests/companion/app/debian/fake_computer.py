"""A fake computer for updates: its packages are small JSON files, and a test sets whether its service answers."""

from __future__ import annotations

import json
from pathlib import Path

from companion.app.debian.package import Package
from companion.app.exit_codes import BadUse, Failed

HERE = Package("ring-companion", "1.1", "arm64", "3.13", 1)


def package_file(folder: Path, version: str = "1.2", ledger: int = 1, **other: str) -> Path:
    """Write a package for this computer into *folder*; the fields in *other* replace the package's."""
    folder.mkdir(exist_ok=True)
    path = folder / f"ring-companion_{version}_{HERE.architecture}.deb"
    said = {"name": HERE.name, "architecture": HERE.architecture, "python": HERE.python, **other}
    path.write_text(json.dumps({**said, "version": version, "ledger": ledger}), encoding="utf-8")
    return path


class Computer:
    """A `System` that records the calls made to it."""

    def __init__(self, installed: Package = HERE) -> None:
        self.installed = installed
        self.did: list[str] = []
        self.says: bool | None = True
        self.fails_to: tuple[str, ...] = ()

    def read(self, file: Path) -> Package:
        """Return the package that *file* describes."""
        try:
            return Package(**json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            raise BadUse(f"{file} isn't a complete Debian package") from None

    def here(self) -> Package:
        """Return the installed package."""
        return self.installed

    def newer(self, one: str, other: str) -> bool:
        """Return whether *one* is a newer version than *other*, compared number by number."""
        return [int(part) for part in one.split(".")] > [int(part) for part in other.split(".")]

    def keep_installed(self, folder: Path) -> Path:
        """Write a package file of the installed version."""
        self._do("keep", "the installed package can't be kept.")
        return package_file(folder, self.installed.version, self.installed.ledger)

    def install(self, file: Path) -> None:
        """Install *file*."""
        self._do(f"install {file.name}", f"{file.name} couldn't be installed: no room")
        self.installed = self.read(file)

    def stop(self) -> None:
        """Stop the service."""
        self._do("stop")

    def start(self) -> None:
        """Start the service."""
        self._do("start")

    def restore(self, copy: Path) -> Path | None:
        """Pretend to restore *copy* as the ledger."""
        self._do(f"restore {copy.name}", "the copy is no ledger")
        return copy.parents[1] / "ledger-aside.sqlite"

    def answers(self) -> bool | None:
        """Say whether the service answers."""
        return self.says

    def _do(self, deed: str, complaint: str = "") -> None:
        self.did.append(deed)
        if deed.split()[0] in self.fails_to:
            raise Failed(complaint)
