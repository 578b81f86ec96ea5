"""The texts about Die Kosmische Hanse on pages that all games share: steps, clocks and menu entries."""

from __future__ import annotations

from companion.kernel.said import said
from web.request.game_pages import GameWords

TITLE = "Die Kosmische Hanse"
_STEPS = {
    "choice": said("Who moves first"),
    "planet": said("The first planet"),
    "turn": said("A turn"),
    "flip": said("Goods turn over"),
    "answer": said("The answer to a card"),
}
WORDS = GameWords(
    setup=said("two players, thirty goods"),
    demo=said("two made-up players, your taps"),
    practice=said(
        "Two made-up players trade slowly, and every step is explained. Pause, go step by step, or leave any time."
    ),
    corrections=said("Megagalax, ships, cards, goods"),
    leaving=said("For whoever leaves, turns end by themselves. Coming back takes one tap."),
    log=said("the whole game, without anybody's hand"),
    steps={"goods": said("Set-up"), **_STEPS},
    limits=_STEPS,
    penalty=said("the next intervention is lost"),
)
