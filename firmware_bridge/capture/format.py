"""The text format of a capture: the lines on a wire, readable by people, and byte for byte by programs.

A capture starts with a header such as

    # ring capture 1, companion 0.1.0, started 2026-01-31T19:30:00Z, port /dev/ttyACM0

and every start of the program adds another header. All other lines are

    milliseconds, a blank, a mark, a blank, text

The time is counted from the start in the last header. The mark `<` means a line from the ring, `>`
a line to it, both without the newline. `<+` and `>+` are pieces whose newline did not arrive. `=`
is a note by the companion: `opened PORT`, `closed`, `lost: why`, or `judged BOOT NUMBER COLOUR` for
the judgement of the passage with that number. Bytes other than printable ASCII, and the backslash,
are written `\\xNN`.

Readers ignore a last line that a power cut has torn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.kernel.shown import shows
from companion.kernel.values import dataclass

VERSION = 1
RECEIVED, SENT, NOTE = "<", ">", "="
PIECE = "+"
OPENED, CLOSED, LOST, JUDGED = "opened", "closed", "lost", "judged"  # first words of notes
BREAKS = (OPENED, CLOSED, LOST)  # no line continues after these
LONGEST_PIECE = 240  # bytes, twice the longest line; anything longer is split here
HEADER = re.compile(r"# ring capture (\d{1,9}), (.*), started (\S+), port (.*)")
_LINE = re.compile(r" *(\d{1,12}\.\d{3}) ([<>]\+?|=) (.*)")
_ODD = re.compile(r"[^ -\[\]-~]")
_ESCAPED = re.compile(r"\\x([0-9a-f]{2})")


@dataclass(frozen=True)
class CaptureEntry:
    """One line of a capture: milliseconds since the start of the program, mark, and bytes."""

    at_ms: float
    mark: str
    data: bytes

    @property
    def sent(self) -> bytes:
        """The bytes as they were on the wire."""
        return self.data if self.mark.endswith(PIECE) else self.data + b"\n"


def header(program: str, started: str, port: str) -> str:
    """Return the header line of a capture."""
    return f"# ring capture {VERSION}, {escaped(program.encode())}, started {started}, port {escaped(port.encode())}"


def written(entry: CaptureEntry) -> str:
    """Return the line of *entry*.

    >>> written(CaptureEntry(1500.25, RECEIVED, b"$beat"))
    '    1500.250 < $beat'
    """
    return f"{entry.at_ms:12.3f} {entry.mark} {escaped(entry.data)}"


def entry_of(line: str) -> CaptureEntry | None:
    """Return the entry that *line* contains, or None if it is malformed."""
    found = _LINE.fullmatch(line)
    if found is None or _ODD.search(_ESCAPED.sub("", found[3])):
        return None
    return CaptureEntry(float(found[1]), found[2], unescaped(found[3]))


def escaped(data: bytes) -> str:
    """Return *data* as printable ASCII.

    >>> print(escaped(bytes([65, 0, 66])))
    A\\x00B
    """
    return _ODD.sub(lambda odd: f"\\x{ord(odd[0]):02x}", data.decode("latin-1"))


def unescaped(text: str) -> bytes:
    """Return the bytes of an `escaped` text."""
    return _ESCAPED.sub(lambda code: chr(int(code[1], 16)), text).encode("latin-1")


@shows("_rest")
class Pieces:
    """Splits the bytes of one direction into lines. Buffers fewer than `LONGEST_PIECE` bytes."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._rest = b""

    def feed(self, at_ms: float, data: bytes) -> Iterator[CaptureEntry]:
        """Yield the lines that *data* completes, and pieces that are too long."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            yield from self._cut(at_ms, line, self._mark)
        while len(self._rest) > LONGEST_PIECE:
            yield CaptureEntry(at_ms, self._mark + PIECE, self._rest[:LONGEST_PIECE])
            self._rest = self._rest[LONGEST_PIECE:]

    def end(self, at_ms: float) -> Iterator[CaptureEntry]:
        """Yield the rest, which has no newline."""
        if self._rest:
            yield CaptureEntry(at_ms, self._mark + PIECE, self._rest)
        self._rest = b""

    def _cut(self, at_ms: float, line: bytes, mark: str) -> Iterator[CaptureEntry]:
        while len(line) > LONGEST_PIECE:
            yield CaptureEntry(at_ms, mark + PIECE, line[:LONGEST_PIECE])
            line = line[LONGEST_PIECE:]
        yield CaptureEntry(at_ms, mark, line)
