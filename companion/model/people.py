"""The names of players in the ledger and its copies: list, rename and remove them; who sat where; places in a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from companion.kernel.names import same_person
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Touched:
    """What has a name in it: *games* of the ledger, newest first, *copies* of the ledger, and *damaged* files.

    *unreached* are places of backups that aren't there now.
    """

    name: str
    games: tuple[int, ...] = ()
    copies: tuple[Path, ...] = ()
    damaged: tuple[Path, ...] = ()
    unreached: tuple[Path, ...] = ()

    @property
    def anything(self) -> bool:
        """Whether the name was found at all."""
        return bool(self.games or self.copies or self.damaged)


class People(Protocol):
    """The names of a house, in the ledger and its copies."""

    def all(self) -> Mapping[str, tuple[int, ...]]:
        """Return the games with each name, newest first; 0 means rows outside of games."""

    def touched(self, name: str) -> Touched:
        """Return what a change of *name* would affect."""

    def rename(self, old: str, new: str | None, drop_damaged: bool = False) -> Touched:
        """Replace the name *old* by *new*, or remove it (None), everywhere, and return what was affected.

        With *drop_damaged*, damaged files that contain the name are deleted. Raises `Refused` with nothing changed.
        Copies that could not be changed are in *damaged* of the result.
        """


def persons(names: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the person at each seat, given as (colour, name); empty if the name is the colour or occurs twice.

    A seat without a name, or with a removed one, has its colour as its name.
    """
    known = ["" if same_person(name) == same_person(colour) else same_person(name) for colour, name in names]
    return tuple("" if known.count(each) > 1 else each for each in known)


def ranks(colours: Sequence[str], winners: Sequence[str], totals: Mapping[str, int]) -> dict[str, int]:
    """Return the places in a game: winners are first, the others follow by their totals; equal totals share a place."""
    others = [colour for colour in colours if colour not in winners]
    better = {own: sum(totals.get(each, 0) > totals.get(own, 0) for each in others) for own in others}
    return {**dict.fromkeys(winners, 1), **{colour: 1 + len(winners) + better[colour] for colour in others}}


def known_outside(person: str) -> str:
    """Return the identifier of a *person* (`persons`) for other programs, the same on every companion.

    It is empty for nobody.
    """
    return blake2b(person.encode(), digest_size=8, person=b"player").hexdigest() if person else ""
