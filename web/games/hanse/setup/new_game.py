"""The page for a new game of Die Kosmische Hanse: two players. The younger one makes the first choice."""

from __future__ import annotations

from companion.games.hanse.header import FIELDS
from companion.kernel.i18n import said
from web.components.new_game import NewGame
from web.games.hanse.components.words import TITLE

NEW_GAME = NewGame(
    FIELDS,
    ("red", "blue", "green", "yellow", "black"),
    usual=2,
    usual_first=2,
    aside=TITLE,
    heading=said("Who plays?"),
    order=said("the younger chooses first"),
    begins=said("younger"),
    layout="hx new",
    styles=("hanse/hanse.css",),
)
