"""The names of players: the interface to list, rename and remove them, and functions for seats and places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from companion.kernel.names import same_person
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Touched:
    """All games and files that contain a name.

    *games* are games in the ledger, newest first. *copies* are copies of the ledger. *damaged* are damaged files.

    *unreached* are folders for backups that can't be read now, for example because a disk isn't plugged in.
    """

    name: str
    games: tuple[int, ...] = ()
    copies: tuple[Path, ...] = ()
    damaged: tuple[Path, ...] = ()
    unreached: tuple[Path, ...] = ()

    @property
    def anything(self) -> bool:
        """Whether the name was found anywhere."""
        return bool(self.games or self.copies or self.damaged)


class People(Protocol):
    """All names of players, in the ledger and its copies."""

    def all(self) -> Mapping[str, tuple[int, ...]]:
        """Return for each name the games that contain it, newest first. Game 0 means rows outside of games."""

    def touched(self, name: str) -> Touched:
        """Return the games and files that a change of *name* would affect."""

    def rename(self, old: str, new: str | None, drop_damaged: bool = False) -> Touched:
        """Replace the name *old* by *new* everywhere, or remove it if *new* is None.

        Return the affected games and files. With *drop_damaged*, damaged files that contain the name are deleted. If
        this raises `Refused`, nothing has changed. Copies that could not be changed are in *damaged* of the result.
        """


def persons(names: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return a key of the person at each seat; *names* are pairs (colour, name).

    The key is empty if two seats have the same name, or if the name is the colour, which means that no name was entered
    or that it was removed.
    """
    known = ["" if same_person(name) == same_person(colour) else same_person(name) for colour, name in names]
    return tuple("" if known.count(each) > 1 else each for each in known)


def ranks(colours: Sequence[str], winners: Sequence[str], totals: Mapping[str, int]) -> dict[str, int]:
    """Return the place of each colour in a game.

    The winners are first, and the others follow by their totals. Equal totals share a place.
    """
    others = [colour for colour in colours if colour not in winners]
    better = {own: sum(totals.get(each, 0) > totals.get(own, 0) for each in others) for own in others}
    return {**dict.fromkeys(winners, 1), **{colour: 1 + len(winners) + better[colour] for colour in others}}


def known_outside(person: str) -> str:
    """Return an identifier of *person* (a key from `persons`) for other programs. It is the same on every companion.

    It is empty if *person* is empty.
    """
    return blake2b(person.encode(), digest_size=8, person=b"player").hexdigest() if person else ""
