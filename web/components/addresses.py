"""URLs of the pages of play. The whole state of such a page is in the query of its URL."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

TABLE = "/table"


def to(path: str = "", **query: object) -> str:
    """Return the URL of a page below /table, with those fields of *query* that are not empty."""
    given = {name: str(value) for name, value in query.items() if value not in (None, "", (), [])}
    place = f"{TABLE}/{path}" if path else TABLE
    return f"{place}?{urlencode(given, safe=',')}" if given else place


def number(query: Mapping[str, str], name: str, least: int, greatest: int) -> int | None:
    """Return the whole number in the query field *name*, or None if it is missing, invalid or out of bounds."""
    text = query.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        return None
    value = int(text)
    return value if least <= value <= greatest else None


def words(query: Mapping[str, str], name: str, known: tuple[str, ...], most: int) -> tuple[str, ...]:
    """Return the words in the comma-separated field *name* that are in *known*, at most *most* of them."""
    return tuple(word for word in query.get(name, "").split(",") if word in known)[:most]
