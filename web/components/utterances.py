"""The announcements since a version, in the language of the requesting device."""

from __future__ import annotations

from typing import Any

from flask import request

from companion.model.speech import Verbosity, Whose, chosen
from companion.speech import narrated
from web.http.i18n import translated
from web.request.context import seat, services

SHOWN, HOW_MUCH = "X-Shown", "X-Words"
"""Request headers that a page sends for its own update: the version that it shows, and its verbosity."""
LONGEST = 18


def announcements_since(after: int, words: Verbosity, whose: Whose) -> list[dict[str, Any]]:
    """Return the announcements for everything after version *after*, oldest first."""
    return [
        {
            "version": happening.version,
            "text": str(translated(one.text)),
            "words": one.words.name.lower(),
            "topic": one.topic,
            "at_once": one.at_once,
        }
        for happening in services().table.happened(after)
        for one in chosen(narrated(happening), words, whose, seat())
    ]


def news() -> list[tuple[int, str]]:
    """Return the announcements that the page in this request hasn't shown yet, with their versions.

    A new page gets none.
    """
    shown = request.headers.get(SHOWN, "")
    if not (shown.isascii() and shown.isdigit() and len(shown) <= LONGEST):
        return []
    words = {each.name.lower(): each for each in Verbosity}.get(request.headers.get(HOW_MUCH, ""), Verbosity.USUAL)
    found: dict[int, list[str]] = {}
    for one in announcements_since(int(shown), words, Whose.ALL):
        found.setdefault(one["version"], []).append(one["text"])
    return [(version, " ".join(texts)) for version, texts in found.items()]
