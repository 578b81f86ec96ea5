"""The texts about Andromeda on pages that all games share: steps, clocks and menu entries."""

from __future__ import annotations

from web.http.i18n import lazy
from web.request.game_pages import GameWords

TRADING = ("lay", "answer", "decide", "keep", "trade", "trading")
_TRADES = {
    "lay": lazy("A card is played face up"),
    "answer": lazy("The others play face down"),
    "decide": lazy("Another card, or swap"),
    "keep": lazy("Keep or leave"),
    "trade": lazy("A later trader"),
}
WORDS = GameWords(
    setup=lazy("players, options, board"),
    demo=lazy("four made-up players, your taps"),
    practice=lazy(
        "Four made-up players play slowly, and every step is explained. Pause, go step by step, or leave any time."
    ),
    corrections=lazy("stations, cards, levels, credits"),
    leaving=lazy("Whoever leaves keeps centres and points. The others play on; coming back takes one tap."),
    log=lazy("the whole game, hidden credits too"),
    steps={
        "setup": lazy("Set-up"),
        "cards": lazy("Cards are dealt"),
        "transport": lazy("Transport"),
        **_TRADES,
        "trading": lazy("Trading"),
        "actions": lazy("Actions"),
    },
    sums={"trading": TRADING},
    limits={
        **_TRADES,
        "trading": lazy("The whole trading phase"),
        "transport": lazy("Transport"),
        "actions": lazy("A whole turn"),
    },
    penalty=lazy("play the first card in hand"),
    counted=("answer", "trading"),
    open_ended=("trading",),
)
