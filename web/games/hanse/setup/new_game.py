"""The page for a new game of Die Kosmische Hanse: two players. The younger one makes the first choice."""

from __future__ import annotations

from companion.games.hanse.header import FIELDS
from web.components.new_game import NewGame
from web.games.hanse.components.words import TITLE
from web.http.i18n import lazy

NEW_GAME = NewGame(
    FIELDS,
    ("red", "blue", "green", "yellow", "black"),
    usual=2,
    usual_first=2,
    aside=TITLE,
    heading=lazy("Who plays?"),
    order=lazy("the younger chooses first"),
    begins=lazy("younger"),
    layout="hx new",
    styles=("hanse/hanse.css",),
)
