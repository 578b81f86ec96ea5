"""The format of a fuzzed input: lines that get a checksum, raw bytes, and other events at an end.

Damaged bytes never get past a checksum, so an input is a script rather than a
stream. Each of its lines is one step: `~` and raw bytes as they are, `@` and
microseconds to wait, `!` and events at the end's own side; anything else is a
body, which gets a checksum.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from firmware_bridge.device.framing import LONGEST_BODY, checksum

MOST_STEPS = 40
MOST_US = 100_000_000
FIELDS = (
    b"h=s",
    b"c=1",
    b"c=2",
    b"n=1",
    b"n=2",
    b"n=0",
    b"b=00000001",
    b"b=00000002",
    b"got=0",
    b"got=ff",
    b"v=1",
    b"v=2",
)
VALUES = (
    b"",
    b"0",
    b"1",
    b"2",
    b"17",
    b"999999999999999",
    b"1000000000000000",
    b"-1",
    b"x",
    b"=",
    b"s",
    b"ff",
    b"1:2:3:4",
)
SPLICES = (b"\n", b" ", b"=", b"$", b"*", b"\r", b",", b":", b"~$", b"\x00", b"\x03", b"\xff")


def steps(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the steps of an input: kind (`raw`, `wait`, `own`) and content."""
    for line in data.split(b"\n")[:MOST_STEPS]:
        if line[:1] == b"~":
            yield "raw", line[1:]
        elif line[:1] == b"@":
            yield "wait", line[1:]
        elif line[:1] == b"!":
            yield "own", line[1:]
        else:
            yield "raw", sealed(line)


def sealed(body: bytes) -> bytes:
    """Return *body* as a line with the right checksum, even if no real end would send it."""
    body = body[: LONGEST_BODY + 1]
    return b"$" + body + b"*" + checksum(body).encode() + b"\n"


def microseconds(text: bytes) -> int:
    """Return how long a step waits; any text is a valid time."""
    return int(text) % MOST_US if text.isdigit() and len(text) < 16 else len(text) * 1000


def varied(data: bytes, seed: int, others: tuple[bytes, ...]) -> bytes:
    """Return *data* with one of its steps, fields or values changed; *others* are further steps to use."""
    lots = Random(seed)
    lines = data.split(b"\n")
    at = lots.randrange(len(lines))
    way = lots.randrange(7)
    if way == 0:
        lines.insert(at, lots.choice(others))
    elif way == 1:
        lines.insert(at, lines[lots.randrange(len(lines))])
    elif way == 2 and len(lines) > 1:
        del lines[at]
    elif way == 3:
        lines[at] = _with_field(lines[at], lots)
    elif way == 4:
        place = lots.randint(0, len(lines[at]))
        lines[at] = lines[at][:place] + lots.choice(SPLICES) + lines[at][place:]
    elif way == 5:
        lines[at] = b"~" + sealed(lines[at])[: lots.randint(0, 130)]
    else:
        lines.insert(at, b"@%d" % lots.choice((1, 1_000, 5_000, 200_000, 1_000_000, 2_600_000, 6_000_000)))
    return b"\n".join(lines[:MOST_STEPS])


def _with_field(line: bytes, lots: Random) -> bytes:
    parts = line.split(b" ")
    at = lots.randrange(len(parts))
    if at == 0 or lots.random() < 0.3:
        parts.insert(max(at, 1), lots.choice(FIELDS))
    elif lots.random() < 0.2:
        del parts[at]
    else:
        key = parts[at].partition(b"=")[0]
        parts[at] = key + b"=" + lots.choice(VALUES)
    return b" ".join(parts)
