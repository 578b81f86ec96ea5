"""The cover of Andromeda: the data that the program needs before it loads the game's pages."""

from __future__ import annotations

from pathlib import Path

from web.games.andromeda.components.words import WORDS
from web.request.game_pages import GameCover, Pages


def _load() -> Pages:
    from web.games.andromeda.pages import PAGES

    return PAGES


COVER = GameCover(
    name="andromeda",
    called="Andromeda",
    words=WORDS,
    folder=Path(__file__).parent,
    load=_load,
    emblem="pl-p1",
    screen=("board", "attempt", "chance", "draws"),
    asks_board=True,
)
