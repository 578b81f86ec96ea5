"""What people type of a mission's card, read from an address."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wreck.cards import MOST_KP, MOST_SACRIFICED
from companion.kernel.validation import Line
from web.components.addresses import number

LONGEST = 40


def card_of(query: Mapping[str, str]) -> Line | None:
    """Return the card that *query* describes, None for one that is not whole."""
    kp, sacrifice = number(query, "kp", 0, MOST_KP), number(query, "sacrifice", 0, MOST_SACRIFICED)
    if kp is None or sacrifice is None:
        return None
    name = "".join(sign for sign in query.get("name", "").strip()[:LONGEST] if sign.isprintable())
    return {"name": name, "kp": kp, "sacrifice": sacrifice}
