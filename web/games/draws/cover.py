"""The cover of the open draw table: the data that the program needs before it loads the game's pages."""

from __future__ import annotations

from pathlib import Path

from companion.kernel.said import said
from web.request.game_pages import GameCover, GameWords, Pages

WORDS = GameWords(
    setup=said("cubes by colour, players or none"),
    log=said("every draw, and what was inside"),
)


def _load() -> Pages:
    from web.games.draws.pages import PAGES

    return PAGES


COVER = GameCover(
    name="draws",
    called=said("Open draw table"),
    words=WORDS,
    folder=Path(__file__).parent,
    load=_load,
    emblem="draws-bag",
    screen=("inside", "draws", "tower"),
)
