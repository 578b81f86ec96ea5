"""The table of the program's languages; docs/languages.md explains how to add one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """A language of the program.

    *code* is its ISO 639 code, which is also the name of its catalogue's folder in `web/translations`. *name* is its
    name in the language itself. *decimal* and *thousands* are the separators in its numbers. *dates* is the BCP 47 tag
    by which browsers format dates and times. *voice* is its voice in espeak-ng, empty if there is none.
    """

    code: str
    name: str
    decimal: str
    thousands: str
    dates: str
    voice: str


_TABLE = (
    Language("en", "English", decimal=".", thousands=",", dates="en-GB", voice="en"),
    Language("nl", "Nederlands", decimal=",", thousands=".", dates="nl", voice="nl"),
    Language("de", "Deutsch", decimal=",", thousands=".", dates="de", voice="de"),
)
LANGUAGES: Mapping[str, Language] = {each.code: each for each in _TABLE}
"""The languages of the program, by code. This is the only list of them."""
DEFAULT = _TABLE[0].code
"""The language of the patterns (English). It needs no catalogue."""
SPOKEN = tuple(each.code for each in _TABLE if each.voice)
"""The languages that espeak-ng can speak."""
