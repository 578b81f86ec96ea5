"""The bar at the top of every page of play: the player, the actions used and left, and the arrow back."""

from __future__ import annotations

from dataclasses import dataclass

from web.components.players import Face


@dataclass(frozen=True)
class PlayBar:
    """The bar of `play.html`.

    *used* and *left* are the numbers of hollow and full discs; *back* is the URL of the arrow.
    """

    title: str
    face: Face | None = None
    used: int = 0
    left: int = 0
    left_words: str = ""
    back: str = ""
