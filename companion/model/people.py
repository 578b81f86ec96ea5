"""Whose names are kept in a house, what it touches to change one, who sat where, and who came in which place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from companion.kernel.names import same_person
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


def persons(names: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return who sits at each seat of (colour, name); nobody where the name is the colour's, or stands there twice.

    A seat without a name, or one whose name was removed, is called by its colour.
    """
    known = ["" if same_person(name) == same_person(colour) else same_person(name) for colour, name in names]
    return tuple("" if known.count(each) > 1 else each for each in known)


def ranks(colours: Sequence[str], winners: Sequence[str], totals: Mapping[str, int]) -> dict[str, int]:
    """Return the places of a game: winners first, the others by their totals, equal ones level."""
    others = [colour for colour in colours if colour not in winners]
    better = {own: sum(totals.get(each, 0) > totals.get(own, 0) for each in others) for own in others}
    return {**dict.fromkeys(winners, 1), **{colour: 1 + len(winners) + better[colour] for colour in others}}


def known_outside(person: str) -> str:
    """Return by what other programs know a *person* (`persons`), whichever companion says so; empty for nobody."""
    return blake2b(person.encode(), digest_size=8, person=b"player").hexdigest() if person else ""
