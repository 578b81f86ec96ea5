"""The mutants as values: faults that a tired developer would make, each where it would be made."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_name("mutants.toml")


@dataclass(frozen=True)
class Mutant:
    """A fault in *file*: *new* stands for *old*.

    *notice* is what somebody would have to live with, *tests* are those that should see it first.
    """

    name: str
    room: str
    file: str
    old: str
    new: str
    notice: str
    tests: tuple[str, ...]


def mutants(path: Path = LIST) -> tuple[Mutant, ...]:
    """Return all mutants of the list at *path*, in its order."""
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    return tuple(Mutant(**{**each, "tests": tuple(each["tests"])}) for each in listed)


def chosen(known: tuple[Mutant, ...], words: Collection[str]) -> tuple[Mutant, ...]:
    """Return those of *known* whose name or room is one of *words*, all without any; KeyError names a word for none."""
    for word in words:
        if not any(word in (each.name, each.room) for each in known):
            raise KeyError(word)
    return tuple(each for each in known if not words or {each.name, each.room} & set(words))
