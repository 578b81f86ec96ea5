"""The words and the figures of one answer to a question of odds, as commands print them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.fairness import FairnessFinding
    from companion.fairness.sequence import Bounds

STANDS_UP = ", which stands up among all that was asked here"


def text_of(found: FairnessFinding) -> str:
    """Return *found* as half a line."""
    if found.odds is None:
        return "no draw that could have gone either way"
    mark = STANDS_UP if found.believed else ""
    return (
        f"odds {found.odds:.2f}, between {found.within.least:.2f} and {found.within.most:.2f} "
        f"({found.hits} of {found.draws}, by even odds {found.expected:.1f}; e-value {found.e_value:.3g}{mark})"
    )


def figures(found: FairnessFinding) -> dict[str, object]:
    """Return it as JSON, which has no word for infinity: null instead."""
    return {
        "draws": found.draws,
        "hits": found.hits,
        "expected": round(found.expected, 3),
        "odds": finite(found.odds),
        "within": limits(found.within),
        "e_value": found.e_value,
        "believed": found.believed,
        "needed": found.needed,
    }


def finite(value: float | None) -> float | None:
    """Return *value* rounded, None for infinity."""
    return None if value is None or value == float("inf") else round(value, 4)


def limits(within: Bounds) -> list[float | None]:
    """Return both ends of *within* as JSON."""
    return [finite(within.least), finite(within.most)]
