"""PROTOCOL 7, last row: whole lines that make no sense break neither end."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ringport import Judgement, Kind
from firmware_bridge import Nominal
from firmware_bridge.messages import Event, read
from firmware_bridge.passages import Passages
from firmware_bridge.wire.grammar import bits
from firmware_bridge.wire.line import LONGEST_BODY, seal

WORDS = [
    "hi",
    "hello",
    "ack",
    "replay",
    "dump",
    "ping",
    "beat",
    "state",
    "tally",
    "pong",
    "done",
    "sorry",
    "gate",
    "lift",
    "fault",
    "ref",
    "frame",
    "edge",
    "pass",
    "arm",
    "set",
]
KEYS = [
    "h",
    "b",
    "n",
    "t",
    "v",
    "to",
    "fw",
    "id",
    "sensor",
    "sim",
    "can",
    "from",
    "last",
    "tok",
    "gate",
    "lift",
    "first",
    "lost",
    "bad",
    "again",
    "c",
    "why",
    "k",
    "parts",
    "e",
    "f",
    "u",
    "got",
]
VALUES = st.one_of(
    st.integers(0, 300).map(str), st.sampled_from(["s2", "s3", "00000001", "x", "out", "-1", "a:b", "ff"])
)
NONSENSE = st.builds(
    lambda word, fields: " ".join([word, *(f"{key}={value}" for key, value in fields.items())])[:LONGEST_BODY].strip(),
    st.sampled_from(WORDS),
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=12),
)


@given(st.lists(NONSENSE, max_size=20))
def test_a_host_survives_any_whole_lines(conversation, bodies):
    """Whatever a faulty device says, the host goes on, and hears the next real event of a real device."""
    talk = conversation().pass_time(0.01)
    talk.host.receive(b"".join(map(seal, bodies)), talk.now)
    talk.host.outgoing(talk.now)

    assert talk.host.due(talk.now) < talk.now + 10


@given(st.lists(NONSENSE, max_size=20))
def test_a_device_survives_any_whole_lines(conversation, bodies):
    """Whatever a faulty host says, the device goes on."""
    talk = conversation().pass_time(0.01)
    for _, fields in talk.device.receive(b"".join(map(seal, bodies)), talk.now_us):
        talk.device.answer(int(fields["c"]))

    assert talk.device.outgoing(talk.now_us + 2_000_000)


def told(word: str, number: int, **fields: str) -> Event:
    """An event as it came."""
    return Event(word, "00000001", number, 0, fields, f"${word}")


def take(*events: Event, under: Mapping[str, int] | None = None):
    """What a line of events makes."""
    passages = Passages("d")
    return [made for event in events if (made := passages.take(event, Nominal(), under or {}))]


def test_a_passage_without_readable_parts_still_counts():
    """The beams count: a colour that cannot be read is unknown, not a fault."""
    (made,) = take(told("edge", 1, e="nonsense"), told("frame", 2), told("pass", 3, k="out", tok="5", parts="2"))

    assert (made.kind, made.token, made.judgement) == (Kind.OUT, 5, Judgement(None, why="unread"))


@pytest.mark.parametrize(
    "fields", [{}, {"k": "dance", "tok": "1", "parts": "0"}, {"k": "out", "tok": "x", "parts": "0"}]
)
def test_a_passage_without_a_verdict_is_on_record_as_a_fault(fields):
    """It is kept raw, and not guessed at."""
    (made,) = take(told("pass", 1, **fields))

    assert (made.kind, made.detail["fault"], made.raw) == (Kind.FAULT, "unreadable-passage", ("$pass",))


def test_parts_of_another_passage_are_not_mixed_in():
    """Only the numbers just before a passage belong to it."""
    (made,) = take(
        told("edge", 1, e="A+0"), told("edge", 7, e="A+0,A-5000"), told("pass", 8, k="poke", tok="0", parts="1")
    )

    assert made.raw == ("$edge", "$pass")


def test_an_event_of_an_unknown_word_is_on_record_as_a_fault():
    """A number must not be left open because of a word that came later."""
    (made,) = take(told("weather", 1))

    assert (made.kind, made.detail) == (Kind.FAULT, {"fault": "unknown-event", "word": "weather"})


@pytest.mark.parametrize(
    "body", ["", "gate", "gate n=1", "gate b=1 n=x t=1", "beat b=1 t=1 last=1 tok=0 gate=2 lift=0"]
)
def test_a_line_that_is_no_message_is_none(body):
    """What lacks a field, or has a senseless one, says nothing."""
    assert read(body, spoken=1) is None


@pytest.mark.parametrize("text", ["-1", "g", "0x1", "1" * 49])
def test_bits_are_hexadecimal_digits_and_nothing_else(text):
    """At most 48 of them, for 192 events."""
    with pytest.raises(ValueError, match="no bits"):
        bits(text)
