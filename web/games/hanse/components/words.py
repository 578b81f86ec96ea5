"""The texts about Die Kosmische Hanse on pages that all games share: steps, clocks and menu entries."""

from __future__ import annotations

from web.http.i18n import lazy
from web.request.game_pages import GameWords

TITLE = "Die Kosmische Hanse"
_STEPS = {
    "choice": lazy("Who moves first"),
    "planet": lazy("The first planet"),
    "turn": lazy("A turn"),
    "flip": lazy("Goods turn over"),
    "answer": lazy("The answer to a card"),
}
WORDS = GameWords(
    setup=lazy("two players, thirty goods"),
    demo=lazy("two made-up players, your taps"),
    practice=lazy(
        "Two made-up players trade slowly, and every step is explained. Pause, go step by step, or leave any time."
    ),
    corrections=lazy("Megagalax, ships, cards, goods"),
    leaving=lazy("For whoever leaves, turns end by themselves. Coming back takes one tap."),
    log=lazy("the whole game, without anybody's hand"),
    steps={"goods": lazy("Set-up"), **_STEPS},
    limits=_STEPS,
    penalty=lazy("the next intervention is lost"),
)
