"""Names: which strings are valid, when two are the same, and that only one module decides this."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kernel.errors import Malformed
from companion.kernel.names import letters, name_fault, name_from, readable, same_person, trimmed
from tests.product_source import files

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
ALIREZA = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
NAMES = {
    "Ana": 3,
    "Ju\u0308rgen": 6,
    ALIREZA: 6,
    FAMILY: 1,
    SCOTLAND: 1,
    "\U0001f1e9\U0001f1ea\U0001f1f3\U0001f1f1": 2,
    "\U0001f44b\U0001f3fd": 1,
    "\u2764\ufe0f": 1,
    "\u0915\u094d\u200d\u0937": 2,
    "\U0001fae8": 1,
    "O'Neill-Ünal 2": 14,
}
ODD = {
    "Ana\u202e": "U+202E",
    "\u2066Ana": "U+2066",
    "A\x00": "U+0000",
    "A\nB": "U+000A",
    "\ud800": "U+D800",
    "A\u200bB": "U+200B",
    "\u200dA": "U+200D",
    "A\u200d": "U+200D",
    "A\u200c\u200cB": "U+200C",
    "\ue000": "U+E000",
    "A\uffff": "U+FFFF",
    "\ufeffA": "U+FEFF",
    "A\U000e0067": "U+E0067",
}


@pytest.mark.parametrize(("name", "count"), NAMES.items())
def test_a_name_is_whatever_people_write(name: str, count: int) -> None:
    """Name: joined emoji, flags, and joiners in Persian and Devanagari are valid, and count as visible letters."""
    assert (name_fault(name), letters(unicodedata.normalize("NFC", name))) == (None, count)


@pytest.mark.parametrize(("name", "character"), ODD.items())
def test_a_character_that_is_none_of_a_name_is_named(name: str, character: str) -> None:
    """Name: control characters, bidirectional marks, surrogates and private characters are refused by their number."""
    assert name_fault(name) == f"A name can't have the character {character}."


@pytest.mark.parametrize("name", ["", " ", "\u3164", "\u2800\u2800", "\u00a0", "\u0301"])
def test_a_name_can_be_seen(name: str) -> None:
    """Name: a text of only blanks and invisible characters is refused."""
    assert name_fault(name) == "A name needs a letter."


@pytest.mark.parametrize("name", ["x" * 19, "\U0001f600" * 19, "a" + "\u0301" * 200])
def test_a_name_has_so_many_letters(name: str) -> None:
    """Name: the limit counts visible letters, and the number of stacked accents is limited too."""
    assert name_fault(name, 18) == "A name has up to 18 letters."
    with pytest.raises(Malformed, match="up to 18"):
        name_from(name, 18)


def test_a_name_is_kept_composed_with_single_blanks() -> None:
    """A name is stored in composed form with single blanks, however it was typed."""
    assert name_from("  Ju\u0308rgen   von  B ") == "J\u00fcrgen von B"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", " ana "),
        ("J\u00fcrgen", "Ju\u0308rgen"),
        ("STRASSE", "straße"),
        ("Ana Maria", "Ana \u00a0Maria"),
        (ALIREZA, ALIREZA.replace("\u200c", "")),
        ("\u2764", "\u2764\ufe0f"),
        ("Ana\ud800", "Ana\\ud800"),
        ("\u212b", "\u00e5"),
    ],
)
def test_spellings_of_one_name_are_one_name(one: str, other: str) -> None:
    """Same name: composition, upper or lower case, invisible characters and escapes make no difference."""
    assert same_person(one) == same_person(other)


@given(st.text())
def test_a_name_is_the_same_as_its_own_spellings(name: str) -> None:
    """Same name: any text equals its composed, decomposed and readable forms."""
    forms = [unicodedata.normalize(form, name) for form in ("NFC", "NFD")]

    assert {same_person(each) for each in (*forms, readable(name), same_person(name))} == {same_person(name)}


@given(st.text(st.characters()))
def test_whatever_is_stored_can_be_shown(text: str) -> None:
    """Readable: the text is UTF-8 on one line, converting it again changes nothing, and trimmed it is a valid name."""
    shown = readable(text)

    assert shown.encode().decode() == shown == readable(shown)
    assert shown.splitlines() in ([], [shown])
    assert not (part := trimmed(text, 10)) or name_fault(part, 10) is None


PLACES = {
    "companion/kernel/names.py",
    "companion/kernel/fields.py",  # quotes an invalid value
    "companion/model/people.py",
    "firmware_bridge/firmware_image/manifest.py",  # paths of files
    "web/request/context.py",  # an address
}
"""Modules that look at single characters; only the first one decides about names."""


DECIDING = {"isprintable", "casefold", "normalize"}


def deciders() -> Iterator[str]:
    """Yield the modules that test the characters of a text, or compare texts without regard to case."""
    for path, text in files(*DECIDING):
        if DECIDING & {node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}:
            yield path


def test_names_are_decided_on_in_one_place() -> None:
    """Names: only one module decides what is printable and how case is folded."""
    sorts = {"web/games/wreck/play/missions.py", "web/games/wreck/new_game.py"}  # sort a list by letters

    assert set(deciders()) <= PLACES | sorts | {"companion/ledger/renaming.py"}  # reads hashes of older programs
