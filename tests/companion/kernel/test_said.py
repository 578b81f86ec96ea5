"""Sentences for users: English text that keeps its pattern and values, so that it can be translated later."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kernel.errors import Malformed, Refused
from companion.kernel.said import Said, from_json, said, said_n


def made_of(sentence):
    """Return a sentence's pattern, values and plural, recursively; return a plain value unchanged."""
    if not isinstance(sentence, Said):
        return sentence
    fills = {name: made_of(fill) for name, fill in sentence.fills.items()}
    return sentence.pattern, fills, sentence.plural, sentence.number


HOLDS = said("%(name)s holds %(cards)s.", name="Ana", cards=said_n("%(num)s card", "%(num)s cards", 2))

NAMES = st.sampled_from(["name", "place", "many"])
PLAIN = st.text() | st.integers()


def filled(fills):
    """Build sentences whose placeholders are filled from *fills*."""
    return st.dictionaries(NAMES, fills).map(lambda gaps: said(" ".join(f"%({name})s" for name in gaps), **gaps))


SENTENCES = st.recursive(
    st.text().map(said) | st.integers(0, 99).map(lambda count: said_n("one", "%(num)s of them", count)),
    lambda inner: filled(PLAIN | inner),
)


def test_a_sentence_is_its_english_text():
    """Saying: used as a plain string, a sentence is its English text."""
    assert said("%(name)s has no station on Earth.", name="Ana") == "Ana has no station on Earth."
    assert json.dumps({"reason": HOLDS}) == '{"reason": "Ana holds 2 cards."}'


def test_a_sentence_keeps_its_pattern_and_fills():
    """Saying: a sentence keeps its pattern and its values for translation."""
    assert HOLDS.pattern == "%(name)s holds %(cards)s."
    assert HOLDS.fills["name"] == "Ana"
    assert made_of(HOLDS.fills["cards"]) == ("%(num)s card", {"num": 2}, "%(num)s cards", 2)


@pytest.mark.parametrize(("count", "text"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards")])
def test_a_count_chooses_the_word(count, text):
    """Saying: the count chooses between singular and plural."""
    assert said_n("%(num)s card", "%(num)s cards", count) == text


def test_a_sentence_without_gaps_is_taken_as_it_is():
    """Saying: in a sentence without placeholders, a percent sign is not changed."""
    assert said("100% sure") == "100% sure"


def test_a_name_with_a_percent_sign_stays_a_name():
    """Saying: a value that looks like a placeholder is not replaced."""
    assert said("Nobody plays %(colour)s.", colour="%(name)s 100%") == "Nobody plays %(name)s 100%."


@given(SENTENCES)
def test_a_sentence_survives_a_file(sentence):
    """Saying: a sentence written as JSON is read back with all its parts, including nested sentences."""
    assert made_of(from_json(json.loads(json.dumps(sentence.to_json())))) == made_of(sentence)


@given(SENTENCES)
def test_a_sentence_survives_being_copied(sentence):
    """Saying: copies and pickles keep all parts of a sentence."""
    assert made_of(deepcopy(sentence)) == made_of(sentence)
    assert made_of(pickle.loads(pickle.dumps(sentence))) == made_of(sentence)  # noqa: S301 (our own bytes)


@pytest.mark.parametrize("broken", [None, 7, "text", {}, {"pattern": 7}, {"pattern": "%(name)s", "fills": {"nam": 1}}])
def test_what_is_no_sentence_is_told(broken):
    """JSON that is not a sentence raises ValueError."""
    with pytest.raises(ValueError, match="no sentence"):
        from_json(broken)


@pytest.mark.parametrize("mistake", [Refused, Malformed])
def test_a_mistake_keeps_the_pattern_of_its_reason(mistake):
    """Saying: a refusal keeps the pattern of its reason, so that it can be translated."""
    assert mistake(HOLDS).reason is HOLDS
    assert str(mistake(HOLDS)) == "Ana holds 2 cards."
