"""The rules of a game as cards, in our own words. A page shows one card with links to its neighbours, or all cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from web.request.game_pages import Scene


@dataclass(frozen=True)
class RulesCard:
    """One card: its name in a URL, its title, its icon, and its sentences.

    *rulings* lists the options that differ from the defaults at this table.
    """

    name: str
    title: str
    picture: str
    says: tuple[str, ...]
    rulings: tuple[str, ...] = ()


def rules_scene(game: str, cards: Sequence[RulesCard], name: str, current: str, **more: Any) -> Scene | None:
    """Return the page of the card *name*, or None if it is unknown.

    For an empty name, return all cards with *current* marked.

    *more* is context for the game's own template.
    """
    if not name:
        return Scene(f"{game}/rules.html", {"game": game, "cards": cards, "current": current})
    at = next((at for at, card in enumerate(cards) if card.name == name), None)
    if at is None:
        return None
    around = {"earlier": cards[at - 1] if at else None, "later": cards[at + 1] if at + 1 < len(cards) else None}
    return Scene(f"{game}/rule.html", {"game": game, "card": cards[at], **around, **more})
