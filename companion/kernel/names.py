"""Validate and compare names: of people, copies, calibrations, places, colours and cards.

A name is text that fits on one line. Joined emoji and the joiners of Persian or Devanagari are allowed. Control
characters, marks that change the direction of writing, lone surrogates and private-use characters are not.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from companion.kernel.errors import Malformed
from companion.kernel.said import Said, said

LONGEST_NAME = 60
"""The maximum number of letters in any name."""
LONGEST_TYPED = 18
"""The maximum number of letters in a player's name. Longer names would not fit on a page."""
TYPED_UNITS = 2 * LONGEST_TYPED
"""The `maxlength` of the input field for a player's name.

Browsers count an emoji as two or more; the server counts letters.
"""
_POINTS_PER_LETTER = 8
"""The maximum number of code points per letter.

The emoji of a family of four has seven; only stacked accents have more than eight.
"""

_JOINERS = "\u200c\u200d"
_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_TAGS = frozenset(map(chr, range(0xE0020, 0xE0080)))
_BLACK_FLAG = "\U0001f3f4"
_SKINS = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_REGIONS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
_BLANK_LETTERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f")
"""Invisible characters that Unicode does not class as controls or blanks."""
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that control the direction of writing. They also affect the text after the name."""
_VISIBLE_FORMATS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
_TO_COME = ((0x1F000, 0x1FFFE), (0x20000, 0x3FFFE))
"""Ranges in which newer versions of Unicode add emoji and ideographs that this Python may not know yet."""


def name_fault(text: str, most: int = LONGEST_NAME) -> Said | None:
    """Return a sentence that says why *text* is not a valid name of up to *most* letters, or None if it is valid.

    >>> name_fault("Zoë") is None
    True
    >>> print(name_fault("Ana\\u202e"))
    A name can't have the character U+202E.
    """
    if (odd := odd_character(text)) is not None:
        return said("A name can't have the character %(character)s.", character=odd)
    if not any(_is_seen(character) for character in text):
        return said("A name needs a letter.")
    if letters(text) > most or len(text) > most * _POINTS_PER_LETTER:
        return said("A name has up to %(most)s letters.", most=most)
    return None


def odd_character(text: str) -> str | None:
    """Return the first character of *text* that is not allowed at its position in a name, or None.

    >>> odd_character("Ana\\u202e")
    'U+202E'
    """
    if text.isascii() and text.isprintable():
        return None
    return next((f"U+{ord(text[at]):04X}" for at in range(len(text)) if not _fits(text, at)), None)


def name_from(text: str, most: int = LONGEST_NAME) -> str:
    """Return *text* as a normalised name (NFC, single blanks), or raise `Malformed` if it is not a valid name.

    >>> name_from("  Ju\\u0308rgen ")
    'Jürgen'
    """
    name = unicodedata.normalize("NFC", " ".join(part for part in text.split(" ") if part))
    fault = name_fault(name, most)
    if fault is not None:
        raise Malformed(fault)
    return name


def trimmed(text: str, most: int) -> str:
    """Return *text* without forbidden characters, cut to *most* letters; the result may be empty."""
    fits = "".join(character for at, character in enumerate(text) if _fits(text, at)).strip()
    while name_fault(fits, most) is not None and fits:
        fits = fits[:-1].rstrip()
    return fits


def letters(text: str) -> int:
    """Return the number of letters that a reader sees in *text*.

    An accented letter, a joined emoji or a flag counts as one.

    >>> letters("\\U0001f468\\u200d\\U0001f469\\u200d\\U0001f467")
    1
    """
    if text.isascii():
        return len(text)
    count, regions = 0, 0
    for at, character in enumerate(text):
        regions = regions + 1 if character in _REGIONS else 0
        joined = at > 0 and text[at - 1] == "\u200d" and unicodedata.category(character) in ("So", "Cn", "Sk")
        count += not (_adds_none(character) or joined or (regions and regions % 2 == 0))
    return count


@lru_cache(maxsize=4096)
def same_person(name: str) -> str:
    """Return a key that all spellings of a name share: `Ana` and `ana `, `Jürgen` composed and decomposed.

    The key is used to compare names of every kind. A stored name with unprintable characters has the same key as its
    `readable` form.
    """
    seen = "".join(character for character in readable(name) if not _is_ignored(character))
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", seen).casefold())
    return " ".join(folded.split())


def spellings(name: str) -> frozenset[str]:
    """Return the three forms of *name* that a file may contain: unchanged, composed (NFC) and decomposed (NFD)."""
    return frozenset((name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)))


def readable(text: str) -> str:
    """Return a stored *text* with every character that would break a page replaced by its escape sequence.

    >>> print(readable("Ana\\ud800"))
    Ana\\ud800
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) if _breaks(character) else character for character in text)


def one_line(text: str) -> str:
    """Return *text* for a terminal: on one line, with `?` for each character that `readable` escapes."""
    return "".join("?" if _breaks(character) else character for character in text)


def is_text(text: str) -> bool:
    """Return whether *text* can be encoded as UTF-8: it has no lone surrogates."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _fits(text: str, at: int) -> bool:
    """Return whether the character at index *at* of *text* is allowed there in a name."""
    character = text[at]
    if character in _JOINERS:
        return 0 < at < len(text) - 1 and text[at - 1] not in _JOINERS
    if character in _SELECTORS:
        return at > 0 and text[at - 1] not in _SELECTORS
    if character in _TAGS:
        return text[:at].rstrip("".join(_TAGS)).endswith(_BLACK_FLAG)
    category = unicodedata.category(character)
    if category == "Cn":
        return any(first <= ord(character) < last for first, last in _TO_COME)
    if category == "Cf":
        return character in _VISIBLE_FORMATS
    return category not in ("Cc", "Cs", "Co", "Zl", "Zp")


def _is_seen(character: str) -> bool:
    return not (_adds_none(character) or character.isspace() or character in _BLANK_LETTERS)


def _adds_none(character: str) -> bool:
    if character.isascii():
        return False
    within = character in _JOINERS or character in _SELECTORS or character in _TAGS or character in _SKINS
    return within or unicodedata.category(character) in ("Mn", "Me", "Cf")


def _is_ignored(character: str) -> bool:
    """Return whether *character* is ignored when names are compared, because it is invisible."""
    if character.isascii():
        return False
    shows_nothing = character in _SELECTORS or character in _BLANK_LETTERS
    return shows_nothing or (unicodedata.category(character) == "Cf" and character not in _VISIBLE_FORMATS)


def _breaks(character: str) -> bool:
    if character in _TURNING:
        return True
    point, category = ord(character), unicodedata.category(character)
    return category in ("Cc", "Cs", "Zl", "Zp") or point & 0xFFFE == 0xFFFE or 0xFDD0 <= point < 0xFDF0


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
