"""The cover of Die Kosmische Hanse: the data that the program needs before it loads the game's pages."""

from __future__ import annotations

from pathlib import Path

from web.games.hanse.components.words import TITLE, WORDS
from web.request.game_pages import GameCover, Pages


def _load() -> Pages:
    from web.games.hanse.pages import PAGES

    return PAGES


COVER = GameCover(
    name="hanse",
    called=TITLE,
    words=WORDS,
    folder=Path(__file__).parent,
    load=_load,
    emblem="hx-cog",
    screen=("space", "cargo"),
)
