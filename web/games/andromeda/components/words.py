"""The texts about Andromeda on pages that all games share: steps, clocks and menu entries."""

from __future__ import annotations

from companion.kernel.said import said
from web.request.game_pages import GameWords

TRADING = ("lay", "answer", "decide", "keep", "trade", "trading")
_TRADES = {
    "lay": said("A card is played face up"),
    "answer": said("The others play face down"),
    "decide": said("Another card, or swap"),
    "keep": said("Keep or leave"),
    "trade": said("A later trader"),
}
WORDS = GameWords(
    setup=said("players, options, board"),
    demo=said("four made-up players, your taps"),
    practice=said(
        "Four made-up players play slowly, and every step is explained. Pause, go step by step, or leave any time."
    ),
    corrections=said("stations, cards, levels, credits"),
    leaving=said("Whoever leaves keeps centres and points. The others play on; coming back takes one tap."),
    log=said("the whole game, hidden credits too"),
    steps={
        "setup": said("Set-up"),
        "cards": said("Cards are dealt"),
        "transport": said("Transport"),
        **_TRADES,
        "trading": said("Trading"),
        "actions": said("Actions"),
    },
    sums={"trading": TRADING},
    limits={
        **_TRADES,
        "trading": said("The whole trading phase"),
        "transport": said("Transport"),
        "actions": said("A whole turn"),
    },
    penalty=said("play the first card in hand"),
    counted=("answer", "trading"),
    open_ended=("trading",),
)
