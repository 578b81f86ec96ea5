"""The mutants as values: mistakes that a tired developer might make, each with its file."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_name("mutants.toml")


@dataclass(frozen=True)
class Mutant:
    """A fault in *file*: *new* replaces *old*.

    *notice* says what a player would notice, *tests* are the tests that should catch it.
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
    """Return the mutants of *known* whose name or room is in *words* (default: all); KeyError for an unknown word."""
    for word in words:
        if not any(word in (each.name, each.room) for each in known):
            raise KeyError(word)
    return tuple(each for each in known if not words or {each.name, each.room} & set(words))
