"""What the bar of every page of play says: who, what is left, and where the arrow leads."""

from __future__ import annotations

from dataclasses import dataclass

from web.components.players import Face


@dataclass(frozen=True)
class PlayBar:
    """The bar of `play.html`: *used* and *left* are discs, hollow and full; *back* is where the arrow leads."""

    title: str
    face: Face | None = None
    used: int = 0
    left: int = 0
    left_words: str = ""
    back: str = ""
