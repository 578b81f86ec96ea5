r"""Captures: the traffic on a wire, in a format that people can read and that preserves every byte.

A capture is a text file. It starts with a header such as

    # rungs capture 1, rungs 0.1.0, started 2026-01-31T19:30:00Z, port /dev/ttyACM0

and every start of the program adds another header. Lines that start with `#` and are not headers are
comments. All other lines are

    milliseconds, a space, a mark, a space, text

The time is counted from the start in the last header. The mark `<` means a line from the device, `>` a line to it, both
without the newline. `<+` and `>+` mark pieces whose newline did not arrive before the other end sent something. Lines
from the device with the same time were read together. `=` marks a note: `opened PORT`, `closed`, `lost: why`, a hit of
trouble, or a note of a program's own. Bytes other than printable ASCII, and the backslash, are written `\xNN`. Readers
ignore a last line that a power cut has cut short.

>>> pieces = Pieces(RECEIVED)
>>> [written(entry) for entry in pieces.feed(1500.25, b"21.5 C\r\n22")]
['    1500.250 < 21.5 C\\x0d']

This module imports only the standard library.
"""

from __future__ import annotations

import re
import struct
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from pathlib import Path
from typing import BinaryIO, TextIO

from rungs.wire import Wire, WireLost

VERSION = 1
KIND = "rungs"
RECEIVED, SENT, NOTE = "<", ">", "="
PIECE = "+"
OPENED, CLOSED, LOST = "opened", "closed", "lost"  # first words of notes
BREAKS = (OPENED, CLOSED, LOST)  # these notes end an incomplete line
LONGEST_PIECE = 240  # bytes; anything longer is split here
LONGEST_LINE = 2_000  # the most characters that are read at once
APART_MS = 0.001  # between two reads at the same time, so that a replay can tell them apart
BETWEEN_STARTS_MS = 1_000.0  # assumed, because the time between two starts of the program is unknown
MOST_LINES = 200  # lines in a transcript
HEADER = re.compile(r"# (\w{1,20}) capture (\d{1,9}), (.*), started (\S+), port (.*)")
_LINE = re.compile(r" *(\d{1,12}\.\d{3}) ([<>]\+?|=) (.*)")
_ODD = re.compile(r"[^ -\[\]-~]")
_ESCAPED = re.compile(r"\\x([0-9a-f]{2})")


class BadCapture(Exception):
    """The file is not a capture. The message is one sentence with the line number."""


class Differs(Exception):
    """In a replay, the host sent something that it did not send in the capture. The message is one sentence."""


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


@dataclass(frozen=True)
class Capture:
    """A whole capture. *started* is from its first header; times are counted from it, also after later starts."""

    path: str
    kind: str
    started: str
    port: str
    entries: tuple[CaptureEntry, ...]
    remarks: tuple[str, ...] = ()


def header(program: str, started: str, port: str, kind: str = KIND) -> str:
    """Return the header line of a capture.

    >>> header("rungs 0.1.0", "2026-01-31T19:30:00Z", "/dev/ttyACM0")
    '# rungs capture 1, rungs 0.1.0, started 2026-01-31T19:30:00Z, port /dev/ttyACM0'
    """
    return f"# {kind} capture {VERSION}, {escaped(program.encode())}, started {started}, port {escaped(port.encode())}"


def written(entry: CaptureEntry) -> str:
    """Return the line of *entry*.

    >>> written(CaptureEntry(1500.25, RECEIVED, b"$beat"))
    '    1500.250 < $beat'
    """
    return f"{entry.at_ms:12.3f} {entry.mark} {escaped(entry.data)}"


def shown(line: str) -> str:
    r"""Return *line* of a capture as shown to people, without the carriage return before its newline.

    >>> print(shown(written(CaptureEntry(1500.25, RECEIVED, b"21.5 C\r"))))
        1500.250 < 21.5 C
    """
    found = _LINE.fullmatch(line)
    return line.removesuffix(r"\x0d") if found and found[2] in (RECEIVED, SENT) else line


def entry_of(line: str) -> CaptureEntry | None:
    """Return the entry that *line* contains, or None if it is malformed."""
    found = _LINE.fullmatch(line)
    if found is None or _ODD.search(_ESCAPED.sub("", found[3])):
        return None
    return CaptureEntry(float(found[1]), found[2], unescaped(found[3]))


def escaped(data: bytes) -> str:
    r"""Return *data* as printable ASCII.

    >>> print(escaped(bytes([65, 0, 66])))
    A\x00B
    """
    return _ODD.sub(lambda odd: f"\\x{ord(odd[0]):02x}", data.decode("latin-1"))


def unescaped(text: str) -> bytes:
    """Return the bytes of an `escaped` text."""
    return _ESCAPED.sub(lambda code: chr(int(code[1], 16)), text).encode("latin-1")


class Pieces:
    """Splits the bytes of one direction into lines. Buffers fewer than `LONGEST_PIECE` bytes."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._rest = b""

    def __repr__(self) -> str:
        return f"<Pieces mark={self._mark!r} rest={len(self._rest)}>"

    def feed(self, at_ms: float, data: bytes) -> Iterator[CaptureEntry]:
        """Yield the lines that *data* completes, and the pieces of lines that are too long."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            yield from self._cut(at_ms, line, self._mark)
        while len(self._rest) > LONGEST_PIECE:
            yield CaptureEntry(at_ms, self._mark + PIECE, self._rest[:LONGEST_PIECE])
            self._rest = self._rest[LONGEST_PIECE:]

    def end(self, at_ms: float) -> Iterator[CaptureEntry]:
        """Yield the remaining bytes, which have no newline."""
        if self._rest:
            yield CaptureEntry(at_ms, self._mark + PIECE, self._rest)
        self._rest = b""

    def _cut(self, at_ms: float, line: bytes, mark: str) -> Iterator[CaptureEntry]:
        while len(line) > LONGEST_PIECE:
            yield CaptureEntry(at_ms, mark + PIECE, line[:LONGEST_PIECE])
            line = line[LONGEST_PIECE:]
        yield CaptureEntry(at_ms, mark, line)


def read_capture(path: Path) -> Capture:
    """Return the capture at *path*. Raise `BadCapture` with the number of a malformed line."""
    try:
        with path.open(encoding="ascii", newline="\n") as file:
            return _capture(path, file)
    except OSError as fault:
        raise BadCapture(f"{path}: {fault.strerror or fault}") from None
    except UnicodeDecodeError:
        raise BadCapture(f"{path}: not a capture (wrong bytes)") from None


def _capture(path: Path, file: TextIO) -> Capture:
    first = HEADER.fullmatch(file.readline(LONGEST_LINE).rstrip("\n"))
    if first is None:
        raise BadCapture(f"{path}, line 1: not the start of a capture")
    if int(first[2]) != VERSION:
        raise BadCapture(f"{path}: a capture of version {first[2]}; this program knows version {VERSION}")
    remarks: list[str] = []
    entries = tuple(_entries(path, file, remarks))
    return Capture(str(path), first[1], first[4], first[5], entries, tuple(remarks))


def _entries(path: Path, file: TextIO, remarks: list[str]) -> Iterator[CaptureEntry]:
    """Yield the entries of the file. A torn line is only allowed at the end or before another header."""
    base = last = 0.0
    torn = 0
    number = 1
    while line := file.readline(LONGEST_LINE):
        number += 1
        begins = HEADER.fullmatch(line.rstrip("\n")) is not None
        if torn and not begins:
            raise BadCapture(f"{path}, line {torn}: not a line of a capture")
        torn = 0
        if begins:
            base = last + BETWEEN_STARTS_MS
        elif line.startswith("# "):
            remarks.append(line[2:])
        elif line.endswith("\n") and (entry := entry_of(line[:-1])):
            last = base + entry.at_ms
            yield replace(entry, at_ms=last)
        else:
            torn = number


class Transcript:
    """The last `MOST_LINES` lines of both directions as a capture. *now* is the clock of the wire, in seconds.

    If *file* is given, each line is also written to it as soon as it is complete.
    """

    def __init__(
        self, now: Callable[[], float], port: str = "", program: str = KIND, file: TextIO | None = None
    ) -> None:
        self._now = now
        self._start = now()
        self._file = file
        self._head = header(program, time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), port)
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._pieces = {mark: Pieces(mark) for mark in (RECEIVED, SENT)}
        self._newest = ""  # the mark of what went over the wire last
        self._newest_ms = 0.0
        if file is not None:
            file.write(f"{self._head}\n")

    def __repr__(self) -> str:
        return f"<Transcript lines={len(self._lines)}>"

    def passed(self, mark: str, data: bytes) -> None:
        """Add *data* that went over the wire: `RECEIVED` from the device or `SENT` to it."""
        if not data:
            return
        at_ms = self._at_ms
        if mark != self._newest:
            self._end()
        elif mark == RECEIVED and at_ms == self._newest_ms:
            at_ms += APART_MS
        self._newest, self._newest_ms = mark, at_ms
        self._add(self._pieces[mark].feed(at_ms, data))

    def note(self, text: str) -> None:
        """Add a note. A note that begins with one of `BREAKS` ends incomplete lines."""
        if text.startswith(BREAKS):
            self._end()
        self._add([CaptureEntry(self._at_ms, NOTE, text.encode("utf-8", "surrogateescape"))])

    def last(self, number: int) -> list[str]:
        """Return the last *number* lines, in the form of `shown`."""
        self._end()
        return [shown(line) for line in list(self._lines)[-number:]]

    def text(self) -> str:
        """Return the transcript as the text of a capture. Incomplete lines come last."""
        self._end()
        return "\n".join([self._head, *self._lines, ""])

    @property
    def _at_ms(self) -> float:
        return max(round((self._now() - self._start) * 1000, 3), self._newest_ms)

    def _end(self) -> None:
        for pieces in self._pieces.values():
            self._add(pieces.end(self._newest_ms))

    def _add(self, entries: Iterable[CaptureEntry]) -> None:
        for entry in entries:
            line = written(entry)
            self._lines.append(line)
            if self._file is not None:
                self._file.write(f"{line}\n")
                self._file.flush()


class CapturedWire:
    """Wraps any *wire*, and adds everything that goes over it to *transcript*."""

    def __init__(self, wire: Wire, transcript: Transcript) -> None:
        self.name = wire.name
        self._wire = wire
        self._transcript = transcript
        self.closed = False
        transcript.note(f"{OPENED} {wire.name}")

    def __repr__(self) -> str:
        return f"<CapturedWire name={self.name!r} closed={self.closed}>"

    def read(self, timeout_s: float) -> bytes:
        """Return bytes as soon as any have arrived, or empty bytes after *timeout_s*."""
        try:
            data = self._wire.read(timeout_s)
        except WireLost as fault:
            self._transcript.note(f"{LOST}: {fault}")
            raise
        self._transcript.passed(RECEIVED, data)
        return data

    def write(self, data: bytes) -> None:
        """Send *data*."""
        self._transcript.passed(SENT, data)
        self._wire.write(data)

    def close(self) -> None:
        """Close the connection. It may be called twice."""
        if not self.closed:
            self.closed = True
            self._transcript.note(CLOSED)
        self._wire.close()


class ReplayWire:
    """A wire that repeats what the device in *capture* sent, with the same delays after the host's lines.

    *strict*: the host must send the same bytes as in the capture, in the same order; anything else raises
    `Differs`. Otherwise the host may leave lines out: each complete line of the host is searched for in
    the rest of the capture, and the device's answer to it follows.

    Time passes only in reads and waits. Closing the wire changes nothing: the next host continues with it.
    """

    def __init__(self, capture: Capture, strict: bool = True) -> None:
        self.name = capture.path
        self._strict = strict
        self._rest = deque(entry for entry in capture.entries if entry.mark != NOTE)
        self._expected = b""
        self._typed = b""
        self._now = 0.0
        self._ended = 0.0  # when the host's last line ended, in the capture's time
        self._shift = 0.0  # added to times in the capture, so that a slower host is not treated as late

    def __repr__(self) -> str:
        return f"<ReplayWire name={self.name!r} left={len(self._rest)}>"

    def now(self) -> float:
        """Return the time of this replay, in seconds."""
        return self._now

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._now += seconds

    @property
    def left(self) -> int:
        """The number of lines that are not replayed yet."""
        return len(self._rest)

    @property
    def due(self) -> float:
        """The time at which the device sends the next bytes, or infinity while it is the host's turn."""
        speaks = self._rest and self._rest[0].mark.startswith(RECEIVED) and not self._expected
        return self._rest[0].at_ms / 1000 + self._shift if speaks else float("inf")

    def read(self, timeout_s: float) -> bytes:
        """Return what was read together, if it is due within *timeout_s*, otherwise empty bytes."""
        due = self.due
        if due > self._now + timeout_s:
            self._now += timeout_s
            return b""
        self._now = max(self._now, due)
        data = b""
        while self.due == due:
            data += self._rest.popleft().sent
        return data

    def skip_to(self, data: bytes) -> bool:
        """Skip to the place where the host next sends *data*. If there is none, skip nothing and return False."""
        lines = data.count(b"\n") + 1
        for at in range(len(self._rest)):
            sent = takewhile(lambda each: each.mark.startswith(SENT), islice(self._rest, at, at + lines))
            if b"".join(each.sent for each in sent).startswith(data):
                for _ in range(at):
                    self._rest.popleft()
                self._expected = self._typed = b""
                return True
        return False

    def write(self, data: bytes) -> None:
        """Accept *data* from the host."""
        if self._strict:
            self._compare(data)
        else:
            self._look_for(data)

    def close(self) -> None:
        """Do nothing: there is no connection to close."""

    def _said(self) -> bytes:
        """Take the host's next line out of the capture, and shift the capture's times as if it had ended now."""
        entry = self._rest.popleft()
        self._ended = entry.at_ms / 1000
        self._shift = self._now - self._ended
        return entry.sent

    def _compare(self, data: bytes) -> None:
        while len(self._expected) < len(data) and data.startswith(self._expected):
            if not self._rest:
                raise Differs(f"{self.name} has ended, and the host sends {escaped(data)}.")
            if self._rest[0].mark.startswith(RECEIVED):
                device = escaped(self._rest[0].data)
                raise Differs(f"In {self.name} the device sends {device} before the host sends {escaped(data)}.")
            self._expected += self._said()
        if not self._expected.startswith(data):
            raise Differs(f"In {self.name} the host sends {escaped(self._expected)}, not {escaped(data)}.")
        self._expected = self._expected[len(data) :]
        if data:
            self._shift = self._now - self._ended

    def _look_for(self, data: bytes) -> None:
        *lines, self._typed = (self._typed + data).split(b"\n")
        for line in lines:
            for _ in range(self._end_of(line)):
                self._rest.popleft()
            self._said()

    def _end_of(self, line: bytes) -> int:
        """Return where the host's next *line* ends in the rest of the capture. Raise `Differs` if there is none."""
        said = b""
        for at, entry in enumerate(self._rest):
            if entry.mark.startswith(SENT):
                said += entry.sent
                if said == line + b"\n":
                    return at
                said = b"" if said.endswith(b"\n") else said
        raise Differs(f"{self.name} has no line {escaped(line)} from the host after this one.")


PCAP_MAGIC = 0xA1B2C3D4
LINK_USER0 = 147  # in Wireshark: Preferences, Protocols, DLT_USER
PCAP_MOST = 65_535


def write_pcap(capture: Capture, file: BinaryIO, start_s: int = 0) -> None:
    """Write *capture* as a pcap file for Wireshark. Its packets start with one byte: 0 from the device, 1 to it.

    The link type is 147 (user 0). *start_s* is the start of the capture, in seconds since 1970.
    """
    file.write(struct.pack("<IHHiIII", PCAP_MAGIC, 2, 4, 0, 0, PCAP_MOST, LINK_USER0))
    for entry in capture.entries:
        if entry.mark != NOTE:
            data = bytes([entry.mark.startswith(SENT)]) + entry.sent
            second, rest = divmod(int(entry.at_ms * 1000), 1_000_000)
            file.write(struct.pack("<IIII", start_s + second, rest, len(data), len(data)) + data)
