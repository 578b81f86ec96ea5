"""URLs of the pages of play: the whole state of a page is in its query."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

TABLE = "/table"


def to(path: str = "", **query: object) -> str:
    """Return the URL of a page below /table, with those fields of *query* that are not empty."""
    kept = {name: str(value) for name, value in query.items() if value not in (None, "", (), [])}
    place = f"{TABLE}/{path}" if path else TABLE
    return f"{place}?{urlencode(kept, safe=',')}" if kept else place


def number(query: Mapping[str, str], name: str, least: int, greatest: int) -> int | None:
    """Return a whole number of the query, or None if it is missing, invalid or out of bounds."""
    text = query.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        return None
    value = int(text)
    return value if least <= value <= greatest else None


def words(query: Mapping[str, str], name: str, known: tuple[str, ...], most: int) -> tuple[str, ...]:
    """Return the known words in a comma-separated field, at most *most*."""
    return tuple(word for word in query.get(name, "").split(",") if word in known)[:most]
