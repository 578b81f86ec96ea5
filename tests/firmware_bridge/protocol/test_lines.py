"""PROTOCOL 1: lines, and bytes that are not lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.device.codec import compose, parse, whole
from firmware_bridge.device.framing import LONGEST, LONGEST_BODY, LineFraming, checksum, opened, seal

PAGE = Path(__file__).resolve().parents[3] / "hardware" / "PROTOCOL.md"
EXAMPLES = re.findall(r"\$[^$\n`|]+\*[0-9a-f]{8}", PAGE.read_text())
BODIES = st.text(st.sampled_from("abc xyz=0123456789:,.+-"), min_size=1, max_size=LONGEST_BODY)


def test_the_page_has_examples_of_every_word():
    """Every word of the protocol has an example on the page."""
    events = {"boot", "gate", "lift", "fault", "look", "ref", "frame", "edge", "pass"}
    told = {"hello", "beat", "state", "tally", "sift", "pong", "done", "sorry"}
    asked = {"hi", "ack", "replay", "dump", "ping"}
    orders = {"arm", "disarm", "under", "slide", "set", "look", "lamp", "beep", "prompt"}

    assert {line[1:].split()[0] for line in EXAMPLES} == events | told | asked | orders


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_on_the_page_is_right(line):
    """Every example on the page can be opened, sealed again and parsed by the codec."""
    body = opened(line[1:].encode())

    assert body is not None
    assert seal(body) == line.encode() + b"\n"
    assert parse(body) is not None


def test_the_checksum_is_the_common_crc_32():
    """The checksum of the nine digits is the one that the page gives (CRC-32)."""
    assert checksum(b"123456789") == "cbf43926"


def test_a_line_has_at_most_120_bytes():
    """The longest body makes a line of 120 bytes, and a longer body is refused."""
    assert len(seal("x" * LONGEST_BODY)) == LONGEST

    with pytest.raises(ValueError, match="no line"):
        seal("x" * (LONGEST_BODY + 1))


@pytest.mark.parametrize("body", ["", "a$b", "a*b", "a\nb", "é", "a\x00"])
def test_a_body_that_would_break_the_line_is_not_sealed(body):
    """A body with `$`, `*`, control characters or bytes outside of ASCII is refused."""
    with pytest.raises(ValueError, match="no line"):
        seal(body)


@given(st.lists(BODIES, max_size=5), st.lists(st.integers(1, 40), min_size=1))
def test_bytes_may_arrive_in_any_portions(bodies, portions):
    """All bodies are found in order, in whatever portions the bytes arrive."""
    stream = b"".join(map(seal, bodies))
    lines, found = LineFraming(), []
    while stream:
        for size in portions:
            found += lines.feed(stream[:size])
            stream = stream[size:]

    assert found == bodies
    assert lines.damaged == 0


@given(st.binary(max_size=2000), BODIES)
def test_any_bytes_are_survived(noise, body):
    """After any noise, the next complete line is found."""
    lines = LineFraming()
    lines.feed(noise)

    assert lines.feed(b"\n" + seal(body))[-1] == body


@given(BODIES, st.data())
def test_a_line_with_one_wrong_byte_is_not_heard_as_another(body, data):
    """A line with one changed byte is never read as another message."""
    line = bytearray(seal(body))
    at = data.draw(st.integers(0, len(line) - 1))
    line[at] = data.draw(st.integers(0, 255))

    assert set(LineFraming().feed(bytes(line) + b"\n")) <= {body}


@pytest.mark.parametrize("cut", [b"\n", b"$"])
def test_a_lost_mark_costs_no_line(cut):
    """A line without its newline or its dollar is still found."""
    stream = seal("one") + seal("two")
    first = stream.index(cut, 1)

    assert LineFraming().feed(stream[:first] + stream[first + 1 :]) == ["one", "two"]


def test_a_carriage_return_before_the_newline_is_fine():
    """A carriage return before the newline is accepted, as a terminal sends it."""
    assert LineFraming().feed(seal("one")[:-1] + b"\r\n") == ["one"]


def test_what_is_longer_than_any_line_is_counted_once_and_not_kept():
    """A million bytes without a mark count as one damaged piece, and are not stored."""
    lines = LineFraming()
    for _ in range(1000):
        lines.feed(b"x" * 1000)

    assert lines.feed(b"\n" + seal("one")) == ["one"]
    assert lines.damaged == 1


@pytest.mark.parametrize("body", ["", " ", "Word", "a b", "a =1", "a b=", "a b=1 b=2", "a  b=1", "1"])
def test_a_body_that_is_no_message_is_none(body):
    """A body needs a word and fields with a key and a value, with each key once; anything else is not a message."""
    assert parse(body) is None


def test_what_is_composed_is_parsed():
    """A composed message is parsed to the same fields."""
    assert parse(compose("gate", [("b", "ab12"), ("n", 3)])) == ("gate", {"b": "ab12", "n": "3"})


@pytest.mark.parametrize("text", ["", "-1", "+1", "1_0", " 1", "1.0", "x", "1" * 16])
def test_a_whole_number_is_digits_and_nothing_else(text):
    """A whole number has only digits: signs, spaces, underscores and 16 digits are refused."""
    with pytest.raises(ValueError, match="whole number"):
        whole(text)
