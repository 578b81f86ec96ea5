"""What the house's own pages say of a draw table."""

from __future__ import annotations

from web.http.i18n import lazy
from web.request.game_pages import GameWords

WORDS = GameWords(
    setup=lazy("cubes by colour, players or none"),
    now=True,
    log=lazy("every draw, and what was inside"),
)
