"""Which games this program can keep, by the name in a record's header."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from companion.model.game import AnyGame

NAMES = ("andromeda",)


class Known(Mapping[str, AnyGame]):
    """The games `companion.games.<name>.GAME`, each imported when it is first played: not every evening has one yet."""

    def __getitem__(self, name: str) -> AnyGame:
        if name not in NAMES:
            raise KeyError(name)
        game: AnyGame = import_module(f"companion.games.{name}").GAME
        return game

    def __contains__(self, name: object) -> bool:
        return name in NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


GAMES = Known()
