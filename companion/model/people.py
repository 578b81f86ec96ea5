"""Whose names are kept in a house, and what it touches to change one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Touched:
    """What a name stands in: *games* of the ledger, the newest first, *copies* of it, *damaged* files with its letters.

    *unreached* is where a backup lay that is not there now.
    """

    name: str
    games: tuple[int, ...] = ()
    copies: tuple[Path, ...] = ()
    damaged: tuple[Path, ...] = ()
    unreached: tuple[Path, ...] = ()

    @property
    def anything(self) -> bool:
        """Tell whether it stands anywhere."""
        return bool(self.games or self.copies or self.damaged)


class People(Protocol):
    """The names of a house, wherever they are kept."""

    def all(self) -> Mapping[str, tuple[int, ...]]:
        """Return in which games each name stands, the newest first; 0 is for what was done outside of games."""

    def touched(self, name: str) -> Touched:
        """Return what a change of *name* would touch."""

    def rename(self, old: str, new: str | None, drop_damaged: bool = False) -> Touched:
        """Give whoever is called *old* the name *new*, or none, everywhere, and return what that touched.

        *drop_damaged*: files that are damaged and have its letters are deleted. Raises `Refused` with nothing changed;
        what of the copies could not be changed is among *damaged* of what is returned.
        """
