"""The text of a capture: what goes over a wire, one line each, readable by a person and byte for byte by a program.

A capture begins with a line such as

    # ring capture 1, companion 0.1.0, started 2026-01-31T19:30:00Z, port /dev/ttyACM0

and every start of the program adds another one. All other lines are

    milliseconds, a blank, a mark, a blank, text

counted from the start that the line before names. The mark `<` is a line that
the ring said, `>` one that was said to it, both without the newline; `<+` and
`>+` are pieces whose newline did not come. `=` is a note of the companion's
own: `opened PORT`, `closed`, `lost: why`, and `judged BOOT NUMBER COLOUR` for
what the passage with that number was taken for when it came. Bytes that are
no printable ASCII, and the backslash, are written `\\xNN`.

A last line that a power cut has torn is left out by readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.kernel.shown import shows
from companion.kernel.values import dataclass

VERSION = 1
HEARD, SAID, NOTE = "<", ">", "="
PIECE = "+"
OPENED, CLOSED, LOST, JUDGED = "opened", "closed", "lost", "judged"  # first words of notes
BREAKS = (OPENED, CLOSED, LOST)  # no line goes on beyond these
LONGEST_PIECE = 240  # twice the longest line: what never ends is cut here
HEADER = re.compile(r"# ring capture (\d{1,9}), (.*), started (\S+), port (.*)")
_LINE = re.compile(r" *(\d{1,12}\.\d{3}) ([<>]\+?|=) (.*)")
_ODD = re.compile(r"[^ -\[\]-~]")
_ESCAPED = re.compile(r"\\x([0-9a-f]{2})")


@dataclass(frozen=True)
class CaptureEntry:
    """One thing on a capture's record: milliseconds since the start of the program, its mark, its bytes."""

    at_ms: float
    mark: str
    data: bytes

    @property
    def sent(self) -> bytes:
        """The bytes as they went over the wire."""
        return self.data if self.mark.endswith(PIECE) else self.data + b"\n"


def header(program: str, started: str, port: str) -> str:
    """Return the line that begins a capture."""
    return f"# ring capture {VERSION}, {escaped(program.encode())}, started {started}, port {escaped(port.encode())}"


def written(entry: CaptureEntry) -> str:
    """Return the line that keeps *entry*."""
    return f"{entry.at_ms:12.3f} {entry.mark} {escaped(entry.data)}"


def entry_of(line: str) -> CaptureEntry | None:
    """Return the entry that *line* keeps, None when it keeps none."""
    found = _LINE.fullmatch(line)
    if found is None or _ODD.search(_ESCAPED.sub("", found[3])):
        return None
    return CaptureEntry(float(found[1]), found[2], unescaped(found[3]))


def escaped(data: bytes) -> str:
    """Return *data* as printable ASCII."""
    return _ODD.sub(lambda odd: f"\\x{ord(odd[0]):02x}", data.decode("latin-1"))


def unescaped(text: str) -> bytes:
    """Return the bytes that `escaped` wrote as *text*."""
    return _ESCAPED.sub(lambda code: chr(int(code[1], 16)), text).encode("latin-1")


@shows("_rest")
class Pieces:
    """Cuts what goes one way over a wire into lines; holds less than `LONGEST_PIECE` bytes."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._rest = b""

    def feed(self, at_ms: float, data: bytes) -> Iterator[CaptureEntry]:
        """Yield the lines that *data* completes, and pieces that have become too long."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            yield from self._cut(at_ms, line, self._mark)
        while len(self._rest) > LONGEST_PIECE:
            yield CaptureEntry(at_ms, self._mark + PIECE, self._rest[:LONGEST_PIECE])
            self._rest = self._rest[LONGEST_PIECE:]

    def end(self, at_ms: float) -> Iterator[CaptureEntry]:
        """Yield what never became a line."""
        if self._rest:
            yield CaptureEntry(at_ms, self._mark + PIECE, self._rest)
        self._rest = b""

    def _cut(self, at_ms: float, line: bytes, mark: str) -> Iterator[CaptureEntry]:
        while len(line) > LONGEST_PIECE:
            yield CaptureEntry(at_ms, mark + PIECE, line[:LONGEST_PIECE])
            line = line[LONGEST_PIECE:]
        yield CaptureEntry(at_ms, mark, line)
