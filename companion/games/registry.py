"""The games of this program, by the name in a record's header. No other module lists all games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from companion.kernel.shown import shows

if TYPE_CHECKING:
    from companion.model.game import AnyGame


@shows("_imports")
class GameRegistry(Mapping[str, "AnyGame"]):
    """The games by name.

    A game's package is imported when the game is first looked up, so an unused game costs nothing.
    """

    def __init__(self, imports: Mapping[str, Callable[[], AnyGame]]) -> None:
        """Create the registry. *imports* maps each name to a function that imports and returns the game."""
        self._imports = MappingProxyType(dict(imports))

    def __getitem__(self, name: str) -> AnyGame:
        return self._imports[name]()

    def __contains__(self, name: object) -> bool:
        return name in self._imports

    def __iter__(self) -> Iterator[str]:
        return iter(self._imports)

    def __len__(self) -> int:
        return len(self._imports)


def _andromeda() -> AnyGame:
    from companion.games.andromeda import GAME

    return GAME


def _draws() -> AnyGame:
    from companion.games.draws import GAME

    return GAME


def _wreck() -> AnyGame:
    from companion.games.wreck import GAME

    return GAME


def _hanse() -> AnyGame:
    from companion.games.hanse import GAME

    return GAME


GAMES = GameRegistry({"andromeda": _andromeda, "draws": _draws, "hanse": _hanse, "wreck": _wreck})
