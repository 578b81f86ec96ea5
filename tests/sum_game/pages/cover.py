"""The cover of Sum to 31: what the program needs before any page of it is loaded."""

from __future__ import annotations

from pathlib import Path

from web.request.game_pages import GameCover, GameWords, Pages

WORDS = GameWords(
    setup="players",
    corrections="the sum",
    leaving="The companion takes the smallest chip for them.",
    log="every chip",
    steps={"turn": "A turn"},
    limits={"turn": "A turn"},
)


def _load() -> Pages:
    from tests.sum_game.pages.pages import PAGES

    return PAGES


COVER = GameCover(
    name="sum31",
    called="Sum to 31",
    words=WORDS,
    folder=Path(__file__).parent,
    load=_load,
)
