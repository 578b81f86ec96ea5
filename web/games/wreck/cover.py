"""The cover of the wreck: the data that the program needs before it loads the game's pages, and its shared texts."""

from __future__ import annotations

from pathlib import Path

from companion.kernel.said import said
from web.request.game_pages import GameCover, GameWords, Pages

WORDS = GameWords(
    setup=said("players, species, rooms"),
    demo=said("three made-up players, your taps"),
    practice=said(
        "Three made-up players play slowly, and every step is explained. Pause, go step by step, or leave any time."
    ),
    corrections=said("researchers, rooms, dice, KP"),
    leaving=said("Whoever leaves keeps rooms and KP. The companion declines offers and ends the turns."),
    log=said("the whole game"),
    steps={
        "setup": said("Set-up"),
        "offer": said("An offer"),
        "answer": said("An answer"),
        "turn": said("A turn"),
        "cleanup": said("Clean-up"),
    },
    limits={
        "offer": said("An offer"),
        "answer": said("An answer"),
        "turn": said("A turn"),
        "cleanup": said("Clean-up"),
    },
    penalty=said("lose one die"),
)


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
