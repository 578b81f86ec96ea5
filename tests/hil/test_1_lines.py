"""PROTOCOL 1: lines with checksums, which are found in any stream of bytes."""

from __future__ import annotations

import re
import zlib

import pytest

from firmware_bridge.device.codec import parse
from firmware_bridge.device.framing import LONGEST_BODY, seal

pytestmark = pytest.mark.promise("hardware/PROTOCOL.md#1")

LINE = re.compile(rb"\$[a-z]+( [a-z]+=[!-#%-)+-~]+)*\*[0-9a-f]{8}\n")


def whole(host):
    """Return the bytes from the first `$` on, because a ring that ran before may have been cut off within a line."""
    heard = host.rung.heard
    return heard[heard.index(b"$") :]


def test_every_line_is_sealed_and_of_its_form(host):
    """A line consists of `$`, word, fields, `*`, eight lower-case hex digits and LF; nothing is between lines."""
    host.happens()

    lines = whole(host).splitlines(keepends=True)[:-1]
    assert len(lines) > 5
    assert [line for line in lines if not LINE.fullmatch(line)] == []


def test_the_checksum_is_the_crc_32_of_the_body(host):
    """The eight digits are the CRC-32 of zlib over the bytes between `$` and `*`."""
    host.happens()

    lines = whole(host).splitlines()[:-1]
    assert len(lines) > 5
    for line in lines:
        body, _, digits = line.removeprefix(b"$").rpartition(b"*")
        assert f"{zlib.crc32(body):08x}".encode() == digits


def test_a_key_stands_once_in_a_line(host):
    """No line contains the same key twice."""
    host.happens()

    for line in host.talk.lines:
        keys = [field.partition("=")[0] for field in line.body.split(" ")[1:]]
        assert len(keys) == len(set(keys)), line.body


def test_a_lost_newline_costs_nothing(host):
    """`$` ends the bytes before it: a line that directly follows an unfinished one is understood."""
    number, ping = host.talk.ping_line()

    host.talk.put(b"$ping h=" + ping)

    assert host.talk.pong(number)


def test_a_lost_dollar_costs_nothing(host):
    """LF ends the bytes before it: a line without its `$` is understood."""
    number, ping = host.talk.ping_line()

    host.talk.put(b"\n" + ping.removeprefix(b"$"))

    assert host.talk.pong(number)


def test_a_line_may_end_in_cr_lf(host):
    """CR LF is accepted as a newline, too."""
    number, ping = host.talk.ping_line()

    host.talk.put(ping.replace(b"\n", b"\r\n"))

    assert host.talk.pong(number)


def test_a_second_carriage_return_damages_a_line(host):
    """Only one CR at the end is removed: a line that ends in CR CR LF is dropped and counted."""
    before = host.status()[1].bad
    number, ping = host.talk.ping_line()

    host.talk.put(ping.replace(b"\n", b"\r\r\n"))

    assert not host.talk.pong(number, 0.2)
    assert host.status()[1].bad == before + 1


def test_the_longest_line_may_end_in_cr_lf(host):
    """The CR is removed before the length is checked, so a line with a body of 109 bytes may end in CR LF."""
    number, _ = host.talk.ping_line()
    body = f"ping h={host.talk.session} id={number} more="

    host.talk.put(seal(body + "x" * (LONGEST_BODY - len(body))).replace(b"\n", b"\r\n"))

    assert host.talk.pong(number)


def test_a_dollar_ends_a_piece_that_is_too_long(host):
    """A piece of more than 120 bytes is dropped up to the next `$`; the line that begins there is understood."""
    before = host.status()[1].bad
    number, ping = host.talk.ping_line()

    host.talk.put(b"$" + b"x" * 130 + ping)

    assert host.talk.pong(number)
    assert host.status()[1].bad == before + 1


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda ping: ping.replace(b"ping", b"pinG"), id="one bit"),
        pytest.param(lambda ping: ping[:9] + ping[10:], id="a byte lost"),
        pytest.param(lambda ping: ping[:9] + ping[9:10] + ping[9:], id="a byte doubled"),
        pytest.param(lambda ping: ping.replace(b"*", b"*0"), id="a digit too many"),
        pytest.param(lambda ping: ping.replace(b" ", b" \x80"), id="no ASCII"),
        pytest.param(lambda ping: b"$" + b"x" * 130 + ping.removeprefix(b"$"), id="too long"),
    ],
)
def test_a_piece_that_is_not_whole_is_dropped_and_counted(host, spoil):
    """A piece that has a wrong checksum, is too long or is not printable ASCII is not answered, and is counted once."""
    _, before = host.status()
    number, ping = host.talk.ping_line()

    host.talk.put(spoil(ping))

    assert not host.talk.pong(number, 0.2)
    assert host.status()[1].bad == before.bad + 1


def test_a_line_longer_than_any_is_dropped_and_counted(host):
    """A line has at most 120 bytes: a line of 121 bytes is dropped and counted, even if its checksum is right."""
    _, before = host.status()
    number, ping = host.talk.ping_line()
    body = ping[1:-10].decode()
    body += " more=" + "x" * (LONGEST_BODY + 1 - len(body) - len(" more="))

    host.talk.put(f"${body}*{zlib.crc32(body.encode()):08x}\n".encode())

    assert not host.talk.pong(number, 0.2)
    assert host.status()[1].bad == before.bad + 1


@pytest.mark.parametrize("byte", [0x00, 0x1F, 0x7F, 0x80, 0xE9, 0xFF])
def test_a_byte_outside_printable_ascii_spoils_a_line(host, byte):
    """A line with a byte outside printable ASCII is dropped and counted, even if its checksum is right."""
    _, before = host.status()
    number, ping = host.talk.ping_line()
    body = ping[1:-10] + b" more=x" + bytes([byte])

    host.talk.put(b"$" + body + b"*" + f"{zlib.crc32(body):08x}".encode() + b"\n")

    assert not host.talk.pong(number, 0.2)
    assert host.status()[1].bad == before.bad + 1


def test_an_upper_case_checksum_is_none(host):
    """The checksum's digits are lower case: a line with upper-case digits is dropped as if they were wrong."""
    number, ping = host.talk.ping_line()
    while ping.split(b"*")[1].isdigit() or ping.split(b"*")[1].upper() == ping.split(b"*")[1]:
        number, ping = host.talk.ping_line()
    body, _, digits = ping.rpartition(b"*")

    host.talk.put(body + b"*" + digits.upper())

    assert not host.talk.pong(number, 0.2)


def test_unknown_keys_are_ignored(host):
    """A key that a receiver does not know changes nothing."""
    number, _ = host.talk.ping_line()

    host.talk.put(host.talk.line("ping", ("id", number), ("colour", "red")))

    assert host.talk.pong(number)


def test_unknown_words_are_ignored(host):
    """A line with an unknown word and no order number gets no answer and does no harm."""
    assert host.answers(host.talk.line("sing", ("song", "long")), "sorry") == []

    assert host.talk.lives()


def test_the_order_of_keys_means_nothing(host):
    """`ping id=… h=…` is the same as `ping h=… id=…`."""
    number, _ = host.talk.ping_line()

    host.talk.put(seal(f"ping id={number} h={host.talk.session}"))

    assert host.talk.pong(number)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("ping h={h} id=7 id=7", id="a key twice"),
        pytest.param("ping h={h}", id="no id"),
        pytest.param("ping h={h} id=-1", id="a sign"),
        pytest.param("ping h={h} id=1234567890123456", id="sixteen digits"),
    ],
)
def test_a_line_with_a_missing_or_senseless_field_is_dropped(host, body):
    """A line with a repeated key, a missing field, a sign or a number of 16 digits is dropped like a damaged line."""
    assert host.answers(seal(body.format(h=host.talk.session)), "pong", 0.2) == []

    assert host.talk.lives()


def test_bytes_may_come_in_any_portions(host):
    """A line is understood when its last byte has arrived, however its bytes are divided into chunks."""
    number, ping = host.talk.ping_line()

    for byte in ping:
        host.talk.put(bytes([byte]))
        host.talk.listen(0.001)

    assert host.talk.pong(number, since=0)


def test_several_lines_may_come_in_one_portion(host):
    """If several lines arrive in one chunk, each of them is understood."""
    pings = [host.talk.ping_line() for _ in range(5)]

    host.talk.put(b"".join(line for _, line in pings))

    assert all(host.talk.pong(number, since=0) for number, _ in pings)


@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(bytes(range(256)) * 8, id="every byte"),
        pytest.param(b"$" * 2000, id="dollars"),
        pytest.param(b"a" * 5000, id="no end"),
        pytest.param(b"\x03\x03\x04\x01", id="Ctrl-C"),
    ],
)
def test_no_bytes_whatever_end_the_session(host, noise):
    """Bytes that are not a line, such as Ctrl-C, stop neither the program nor the session."""
    host.talk.put(noise)
    host.talk.listen(0.05)
    host.talk.put(b"\n")

    assert host.talk.lives()
    assert host.status()[0].boot == host.talk.boot


def test_numbers_are_written_without_leading_zeros(host):
    """The device writes numbers without leading zeros."""
    host.happens()
    host.talk.ping()

    for line in host.talk.lines:
        _, fields = parse(line.body)
        numbers = [
            value for key, value in fields.items() if key in ("v", "from", "n", "t", "last", "tok", "id", "first")
        ]
        assert not [value for value in numbers if value.isdigit() and value != str(int(value))], line.body


@pytest.mark.parametrize("text", ["0007", "010", "08", "000000000000012"])
def test_a_number_may_have_leading_zeros(host, text):
    """A receiver accepts leading zeros, and the number is decimal: `id=010` is 10."""
    pongs = host.answers(seal(f"ping h={host.talk.session} id={text}"), "pong")

    assert [line.message.id for line in pongs] == [int(text)]


def test_a_value_may_contain_an_equals_sign(host):
    """A value may contain `=`: only the first `=` of a field ends its key."""
    number, _ = host.talk.ping_line()

    host.talk.put(host.talk.line("ping", ("id", number), ("more", "a=b=c")))

    assert host.talk.pong(number)


@pytest.mark.parametrize("piece", [b"\n", b"$$$", b"\r\n\r\n", b"$\r$"])
def test_an_empty_piece_is_not_counted(host, piece):
    """An empty piece, or a CR alone, between two marks is ignored and not counted."""
    before = host.status()[1].bad

    host.talk.put(piece)

    assert host.status()[1].bad == before


@pytest.mark.parametrize("length", [121, 1_000, 10_000])
def test_a_piece_without_an_end_counts_once(host, length):
    """A piece without an end counts as one damaged line, however long it is, and the next mark ends it."""
    before = host.status()[1].bad

    host.talk.put(b"$" + b"x" * length)

    assert host.talk.lives()
    assert host.status()[1].bad == before + 1


@pytest.mark.parametrize(
    "body", ["ping h={h} id=7 id=7", "pinG h={h} id=7", "ping h={h} id=", "h={h} id=7", "ping  h={h}"]
)
def test_what_is_no_message_at_all_is_not_counted(host, body):
    """A line with a repeated key, a capital letter in its word, an empty value or no word is dropped, not counted."""
    before = host.status()[1].bad

    assert host.answers(seal(body.format(h=host.talk.session)), "pong") == []
    assert host.status()[1].bad == before


@pytest.mark.parametrize(
    ("body", "counted"),
    [
        ("ping h={h}", 1),
        ("ping h={h} id=-1", 1),
        ("ping id=7", 1),
        ("sing h={h} song=long", 1),
        ("ping h=nobody", 0),
        ("sing h=nobody song=long", 0),
    ],
)
def test_a_senseless_line_of_this_session_is_counted(host, body, counted):
    """A line with a missing or senseless field or an unknown word counts in `bad`, unless it is of another session."""
    before = host.status()[1].bad

    host.talk.put(seal(body.format(h=host.talk.session)))

    assert host.status()[1].bad == before + counted
