"""Fuzzed records: replaying one gives either a single error or a valid game."""

from __future__ import annotations

import json
from functools import cache
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from companion.games.andromeda import GAME
from companion.games.andromeda.random_policy import broken
from companion.model.game import Viewer
from companion.records import RecordError
from tests.companion.games.andromeda.stories import tell
from tests.companion.records.run_record import replayed
from tests.effort import examples


@cache
def story(seed):
    """Return the record of a random game, played at its first use so that other test workers need not play it."""
    return tell(seed, 120).record


STORIES = st.integers(0, 5).map(story)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 13),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(["red", "blue", "p1", "p7", "p8", "gold", "earth", "p1/0", "pass", "to_earth", "undo", "draw"]),
    st.lists(st.sampled_from(["red", "gold", "p1", 1]), max_size=3),
    st.dictionaries(st.sampled_from(["p1", "gold", "from", "to", "count"]), st.integers(-1, 8), max_size=3),
)
OF_SETS = ("player", "planet", "cards", "jokers", "stations", "bonus")
OF_OTHERS = ("do", "card", "with", "colour", "colours", "out", "move", "reason", "hand", "at", "via", "note", "x")
FIELDS = st.sampled_from((*OF_SETS, *OF_OTHERS))


def sound_or_faulty(raw):
    """Assert that replaying *raw* gives a valid state or one printable error."""
    try:
        played = replayed(raw)
    except RecordError as fault:
        assert fault.line >= 1
        assert fault.reason
        assert fault.reason.isprintable()
        json.dumps(fault.do)
    else:
        assert broken(played.state) == ()
        assert json.dumps(GAME.view(played.state, Viewer(owner=True)))


def as_bytes(record):
    """Return a record's lines as the bytes of a file."""
    return b"".join(json.dumps(line).encode() + b"\n" for line in record)


@given(STORIES, st.data())
@examples(40)
def test_changed_fields(record, data):
    """Fuzz: records whose fields are changed, added or removed give one error or a valid game."""
    lines = [dict(line) for line in record]
    for _ in range(data.draw(st.integers(1, 3))):
        line = lines[data.draw(st.integers(0, len(lines) - 1))]
        name = data.draw(st.sampled_from(sorted(line)) | FIELDS) if line else data.draw(FIELDS)
        if data.draw(st.booleans()):
            line[name] = data.draw(VALUES)
        else:
            line.pop(name, None)

    sound_or_faulty(as_bytes(lines))


@given(STORIES, st.integers(0, 10**6))
@examples(40)
def test_lines_in_another_order(record, seed):
    """Fuzz: records whose lines are removed, repeated or moved give one error or a valid game."""
    lots, lines = Random(seed), list(record)
    for _ in range(lots.randint(1, 3)):
        here, there = lots.randrange(len(lines)), lots.randrange(len(lines))
        kept = lots.choice(([], [lines[here]], [lines[here], lines[here]]))
        lines[here : here + 1] = []
        lines[there:there] = kept

    sound_or_faulty(as_bytes(lines))


@given(STORIES, st.integers(0, 10**6))
@examples(40)
def test_damaged_bytes(record, seed):
    """Fuzz: records whose bytes are changed, removed or added give one error or a valid game."""
    lots, raw = Random(seed), bytearray(as_bytes(record))
    for _ in range(lots.randint(1, 4)):
        at = lots.randrange(len(raw))
        raw[at : at + lots.randint(0, 2)] = lots.randbytes(lots.randint(0, 2))

    sound_or_faulty(bytes(raw))


@given(st.binary(max_size=300))
@examples(40)
def test_any_bytes(raw):
    """Fuzz: random bytes give one error or a valid game."""
    sound_or_faulty(raw)


@given(
    st.recursive(
        VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    )
)
@examples(40)
def test_any_json(value):
    """Fuzz: random JSON as header or as line gives one error or a valid game."""
    header = story(0)[0]

    sound_or_faulty(as_bytes([value]))
    sound_or_faulty(as_bytes([header, value]))
