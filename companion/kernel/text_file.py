"""Read text files that people may have edited, such as records, calibrations and scripts.

A byte order mark and any line endings are accepted. UTF-16 is reported as an error.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from companion.kernel.errors import Malformed
from companion.kernel.said import said
from companion.kernel.shown import shows

LARGEST = 8 << 20
"""The largest file, in bytes, that is read as a whole. The record of an evening has less than a tenth of this size."""
_MARK = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
"""The first bytes of UTF-16 and UTF-32 files."""


def read_text(path: Path, most: int = LARGEST) -> str:
    """Return the text of the file at *path*, with line feeds as line endings.

    Raises `OSError` if it cannot be read. Raises `Malformed`, with the line and the byte, if it is not text.
    """
    with path.open("rb") as file:
        return text_from(file.read(most + 1), most)


def text_from(raw: bytes, most: int = LARGEST) -> str:
    """Decode *raw*, the contents of a file, or raise `Malformed` with the line and the byte if it is not text.

    >>> text_from(b"\\xef\\xbb\\xbfa\\r\\nb")
    'a\\nb'
    """
    if len(raw) > most:
        raise Malformed(said("it's longer than %(most)s bytes", most=most))
    raw = without_mark(raw)
    try:
        return raw.decode().replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as fault:
        line, before = raw.count(b"\n", 0, fault.start) + 1, raw.rfind(b"\n", 0, fault.start) + 1
        raise Malformed(
            said("line %(line)s isn't UTF-8 text (byte %(at)s)", line=line, at=fault.start - before + 1)
        ) from None


def without_mark(raw: bytes) -> bytes:
    """Return *raw*, the bytes of a file, without the byte order mark; raise `Malformed` for UTF-16."""
    if raw.startswith(_WIDE) or (len(raw) > 1 and 0 in raw[:2] and any(raw[:2])):
        raise Malformed(said("it's UTF-16 text; save it as UTF-8"))
    return raw.removeprefix(_MARK)


@shows("_begun")
class WithoutMark:
    """A stream of lines without the byte order mark. It rejects UTF-16, as `without_mark` does."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._begun = stream, False

    def readline(self, most: int) -> bytes:
        """Return the next line, or its first *most* bytes."""
        if self._begun:
            return self._stream.readline(most)
        self._begun = True
        return without_mark(self._stream.readline(most + len(_MARK)))
