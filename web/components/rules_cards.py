"""The rules of a game on cards, in our own words: one at a time with its neighbours, or all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from web.request.game_pages import Scene


@dataclass(frozen=True)
class RulesCard:
    """One card: its name in an address, its title, the mark of its picture, what it says in sentences.

    *rulings* are the options that a table may have changed of it.
    """

    name: str
    title: str
    picture: str
    says: tuple[str, ...]
    rulings: tuple[str, ...] = ()


def rules_scene(game: str, cards: Sequence[RulesCard], name: str, current: str, **more: Any) -> Scene | None:
    """Return the card of *game* called *name*, all for an empty name (*current* marked), None if there is none.

    *more* is what the game's own template of a card adds.
    """
    if not name:
        return Scene(f"{game}/rules.html", {"game": game, "cards": cards, "current": current})
    at = next((at for at, card in enumerate(cards) if card.name == name), None)
    if at is None:
        return None
    around = {"earlier": cards[at - 1] if at else None, "later": cards[at + 1] if at + 1 < len(cards) else None}
    return Scene(f"{game}/rule.html", {"game": game, "card": cards[at], **around, **more})
