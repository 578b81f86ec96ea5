"""What the address of a big screen asks for: parts, size and dress, and a sentence for what cannot be meant."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from companion.kernel.i18n import LANGUAGES
from web.http.i18n import _

TURN, SCORE, CLOCK, STORY = "turn", "score", "clock", "story"
EVERY_GAMES = (TURN, SCORE, CLOCK, STORY)
"""The parts that the house can show of any game."""
THEMES = ("dark", "light")
SETTINGS = ("parts", "size", "overlay", "theme", "language")
LEAST, USUAL, LARGEST = 40, 100, 400


@dataclass(frozen=True)
class ScreenWish:
    """What is shown and how: *parts* by name, none named: the usual ones; *size* in percent; *faults* in sentences."""

    parts: tuple[str, ...] = ()
    size: int = USUAL
    overlay: bool = False
    theme: str = THEMES[0]
    language: str = ""
    faults: tuple[str, ...] = ()


def wish_of(query: Mapping[str, str], games: Collection[str]) -> ScreenWish:
    """Return what *query* asks for; *games* are the parts that games know. What cannot be meant is left as usual."""
    known = (*EVERY_GAMES, *games)
    named = tuple(filter(None, (part.strip() for part in query.get("parts", "").split(","))))
    return ScreenWish(
        parts=tuple(part for part in dict.fromkeys(named) if part in known),
        size=_percent(query.get("size", "")) or USUAL,
        overlay="overlay" in query,
        theme=_one_of(query, "theme", THEMES) or THEMES[0],
        language=_one_of(query, "language", LANGUAGES),
        faults=(*_unknown_parts(named, known), *_unknown_settings(query)),
    )


def _one_of(query: Mapping[str, str], name: str, words: Collection[str]) -> str:
    asked = query.get(name, "")
    return asked if asked in words else ""


def _percent(text: str) -> int:
    """Return the percentage that *text* says, 0 where it is none or nobody could read it."""
    plain = text.removesuffix("%")
    return int(plain) if plain.isascii() and plain.isdigit() and LEAST <= int(plain[:6]) <= LARGEST else 0


def _unknown_parts(named: Collection[str], known: Collection[str]) -> list[str]:
    return [
        _("There's no part called %(part)s. Choose from: %(parts)s.", part=part[:40], parts=", ".join(known))
        for part in named
        if part not in known
    ][:1]


def _unknown_settings(query: Mapping[str, str]) -> list[str]:
    found = []
    if "size" in query and not _percent(query["size"]):
        found.append(_("size must be %(least)s to %(largest)s percent.", least=LEAST, largest=LARGEST))
    for name, words in (("theme", THEMES), ("language", tuple(LANGUAGES))):
        if name in query and query[name] not in words:
            found.append(_("%(setting)s must be one of: %(words)s.", setting=name, words=", ".join(words)))
    unknown = next((name for name in query if name not in SETTINGS), "")
    if unknown:
        every = ", ".join(SETTINGS)
        found.append(_("There's no setting called %(setting)s. Choose from: %(all)s.", setting=unknown[:40], all=every))
    return found
