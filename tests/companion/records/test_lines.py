"""Lines of a record: JSON objects in UTF-8, validated one by one."""

from __future__ import annotations

import json

import pytest

from companion.records import LIMIT
from tests.companion.records.run_record import OPENING, fault_of, replayed, written


def test_lines_end_with_a_newline_or_the_file():
    """Lines: the newline at the end of the file is optional."""
    raw = written(*OPENING)

    assert replayed(raw).state == replayed(raw.removesuffix(b"\n")).state


def test_line_ends_of_other_systems_are_space():
    """Lines: a carriage return before the newline is allowed."""
    assert replayed(written(*OPENING, end="\r\n")).state == replayed(written(*OPENING)).state


@pytest.mark.parametrize("empty", ["", " ", "\t", "\r"])
def test_no_empty_line(empty):
    """Lines: an empty line is refused anywhere, even at the end."""
    for raw in (written(*OPENING, empty), written(*OPENING[:4], empty, *OPENING[4:]), written(empty, *OPENING)):
        assert fault_of(raw).reason == "the line is empty"


def test_no_file_is_empty():
    """Lines: an empty file is refused, since it has no header."""
    fault = fault_of(b"")

    assert (fault.line, fault.do, fault.reason) == (1, None, "the record is empty")


def test_no_byte_order_mark():
    """Lines: a byte order mark is refused."""
    fault = fault_of(b"\xef\xbb\xbf" + written(*OPENING))

    assert (fault.line, fault.do) == (1, None)
    assert "BOM" in fault.reason


def padded(size):
    """Return a deal line of exactly *size* bytes."""
    bare = len(json.dumps({"do": "deal", "note": ""}))
    return json.dumps({"do": "deal", "note": "n" * (size - bare)})


@pytest.mark.parametrize("end", ["\n", ""])
def test_the_longest_line(end):
    """Lines: a line of 65,536 bytes is accepted, not counting its newline."""
    assert LIMIT == 65_536

    assert replayed(written(*OPENING[:4]) + padded(LIMIT).encode() + end.encode()).state.phase == "transport"


@pytest.mark.parametrize("end", ["\n", ""])
@pytest.mark.parametrize("size", [LIMIT + 1, LIMIT + 2, LIMIT + 3, 3 * LIMIT])
def test_lines_too_long(size, end):
    """Lines: a longer line is refused as a whole."""
    fault = fault_of(written(*OPENING[:4]) + padded(size).encode() + end.encode())

    assert (fault.line, fault.reason) == (5, "the line is longer than 65536 bytes")


def test_bytes_count_not_characters():
    """Lines: the limit counts bytes, not characters."""
    line = '{"do": "deal", "note": "' + "ö" * 32_768 + '"}'

    assert len(line) < LIMIT
    assert "longer than" in fault_of(written(*OPENING[:4], line)).reason


@pytest.mark.parametrize("value", ["[]", "3", "null", '"deal"', "true", "[{}]"])
def test_a_line_is_an_object(value):
    """Lines: a line that is not a JSON object is refused."""
    fault = fault_of(written(*OPENING[:4], value))

    assert (fault.line, fault.do, fault.reason) == (5, None, "the line isn't a JSON object")


@pytest.mark.parametrize(
    "line",
    [
        "deal",
        "{'do': 'deal'}",
        '{"do": "deal"',
        '{"do": "deal",}',
        '{"do": "deal"} {"do": "deal"}',
        '{do: "deal"}',
        '{"do": "de\tal"}',
        "\x00",
        '{"do": "deal"}\x00',
        '{"do": "\\x41"}',
        "//",
    ],
)
def test_a_line_is_json(line):
    """Lines: invalid JSON is refused, and the error names its column."""
    fault = fault_of(written(*OPENING[:4], line))

    assert (fault.line, fault.do) == (5, None)
    assert "column" in fault.reason


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_no_numbers_that_are_none(number):
    """Lines: NaN and Infinity are refused."""
    fault = fault_of(written(*OPENING[:4], '{"do": "deal", "at": %s}' % number))  # noqa: UP031  # braces are JSON's

    assert (fault.line, fault.do) == (5, None)
    assert number in fault.reason


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('{"do": "deal", "do": "deal"}', "do"),
        ('{"do": "deal", "at": 1, "note": "", "at": 1}', "at"),
        ('{"do": "setup", "player": "red", "cards": {"p1": 6, "p1": 6}}', "p1"),
        ('{"do": "deal", "note": [{"a": 1, "a": 1}]}', "a"),
        ('{"do": "deal", "": 1, "": 2}', ""),
        ('{"do": "deal", "note": [[{"": 1, "": 2}]]}', ""),
    ],
)
def test_no_field_twice(line, name):
    """Lines: a repeated field is refused, at any depth."""
    fault = fault_of(written(*OPENING[:4], line))

    assert fault.line == 5
    assert fault.do == json.loads(line)["do"]
    assert fault.reason == f"field '{name}' appears twice"


def test_a_doubled_field_of_the_header_has_no_command():
    """Lines: the error for a repeated field in the header names no command."""
    fault = fault_of(written('{"record": "table-record", "do": "deal", "do": "deal"}'))

    assert (fault.line, fault.do) == (1, None)


def test_many_fields_are_compared_quickly():
    """Lines: a repeated field among thousands is found quickly."""
    fields = ", ".join(f'"{number:x}": 1' for number in range(6000))

    assert "twice" in fault_of(written(*OPENING[:4], f'{{{fields}, "1": 1}}')).reason


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_deep_nesting_is_refused(opening):
    """Lines: deep nesting is refused without a crash."""
    depth = 65_000 // len(opening)
    fault = fault_of(written(*OPENING[:4], opening * depth))

    assert (fault.line, fault.do) == (5, None)


@pytest.mark.parametrize("depth", [100, 400, 900, 5000, 30_000])
def test_closed_nesting_is_refused_too(depth):
    """Lines: deep nesting is refused even if it is valid JSON."""
    line = '{"do": "deal", "note": ' + "[" * depth + "]" * depth + "}"

    assert fault_of(written(*OPENING[:4], line)).line == 5
    assert fault_of(written(*OPENING[:4], line.replace('"note": ', '"note": "\\u0041", "a": '))).line == 5


@pytest.mark.parametrize("half", ["\\ud800", "\\udfff", "\\udc00\\ud800"])
def test_half_a_character_is_refused(half):
    """Lines: an escaped lone surrogate is refused, since UTF-8 cannot encode it."""
    fault = fault_of(written(*OPENING[:4], f'{{"do": "deal", "note": "{half}"}}'))

    assert (fault.line, fault.do, fault.reason) == (5, "deal", "half a character (a lone surrogate)")


def test_a_pair_of_halves_is_a_character():
    """Lines: an escaped surrogate pair is accepted as one character."""
    assert replayed(written(*OPENING[:4], '{"do": "deal", "note": "\\ud83d\\ude80"}')).state.phase == "transport"


@pytest.mark.parametrize(
    "raw",
    [b"\xff\xfe\x00", b"\x80", b'{"do": "deal", "note": "\xe9"}', b"\xed\xa0\x80", b"SQLite format 3\x00\x10\x00"],
)
def test_other_bytes_are_refused(raw):
    """Lines: bytes that are not UTF-8 are refused."""
    fault = fault_of(written(*OPENING[:4], raw))

    assert (fault.line, fault.do) == (5, None)


@pytest.mark.parametrize("digits", [20, 400, 4300, 60_000])
@pytest.mark.parametrize("sign", ["", "-"])
def test_huge_numbers_are_refused(digits, sign):
    """Lines: a number that is too large is refused with its field's name, however many digits it has."""
    for field in ('"do": "exchange", "player": "red", "cards": ', '"do": "deal", "at": '):
        fault = fault_of(written(*OPENING, "{" + field + sign + "9" * digits + "}"))

        assert fault.line == 10
        assert fault.do in ("exchange", "deal")


def test_a_huge_set_is_refused():
    """Lines: a count that becomes too long to print when its joker is added is refused like any other."""
    line = {"do": "ship", "player": "red", "planet": "p1", "cards": 10**4299, "jokers": ["gold"]}
    at_actions = [*OPENING, {"do": "excuse", "player": "blue"}, {"do": "excuse", "player": "green"}]
    raw = written(*at_actions, json.dumps(line).replace("10000", "99999", 1))

    assert (fault_of(raw).line, fault_of(raw).do) == (12, "ship")


@pytest.mark.parametrize("cut", range(1, len(json.dumps(OPENING[-1]))))
def test_a_cut_file_is_named(cut):
    """Lines: a file truncated in the middle of a line is refused at that line."""
    fault = fault_of(written(*OPENING).removesuffix(b"\n")[:-cut])

    assert (fault.line, fault.do) == (9, None)


def test_the_first_fault_is_named():
    """Lines: of several errors, the first one is reported."""
    fault = fault_of(written(*OPENING[:4], {"do": "fly"}, "nonsense", {"do": "walk"}))

    assert (fault.line, fault.do) == (5, "fly")


def test_nothing_after_a_fault_is_read():
    """Lines: after an error, the rest of the file is not read."""
    assert fault_of(written(*OPENING[:2], "{", b"\xff" * 100_000)).line == 3
