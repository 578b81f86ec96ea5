"""The cover of the wreck: the data that the program needs before it loads the game's pages."""

from __future__ import annotations

from pathlib import Path

from web.games.wreck.components.words import WORDS
from web.request.game_pages import GameCover, Pages


def _load() -> Pages:
    from web.games.wreck.pages import PAGES

    return PAGES


COVER = GameCover(
    name="wreck",
    called="Andromeda (2015)",
    words=WORDS,
    folder=Path(__file__).parent,
    load=_load,
    emblem="wr-hulk",
    screen=("ship", "dice"),
)
