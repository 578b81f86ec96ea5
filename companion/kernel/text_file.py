"""Text that people may have edited, read in one way: records, plans, worlds, scripts, calibrations, bench records.

Editors add a byte order mark and ends of lines of their own, which is fine, and some save as UTF-16, which is said.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.shown import shows

LARGEST = 8 << 20
"""Bytes of a file that is read whole: an evening's record has less than a tenth."""
_MARK = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
"""How UTF-16 and UTF-32 begin, as some editors save them."""


def read_text(path: Path, most: int = LARGEST) -> str:
    """Return the text of the file at *path*, its lines ended by line feeds.

    Raises `OSError` where it can't be read, and `Malformed` where it is no text, with line and byte.
    """
    with path.open("rb") as file:
        return text_from(file.read(most + 1), most)


def text_from(raw: bytes, most: int = LARGEST) -> str:
    """Return what *raw*, all of a file, says, or raise `Malformed` with line and byte where it is no text.

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
    """Return the bytes of a file without the mark that some editors put before them; raise `Malformed` for UTF-16."""
    if raw.startswith(_WIDE) or (len(raw) > 1 and 0 in raw[:2] and any(raw[:2])):
        raise Malformed(said("it's UTF-16 text; save it as UTF-8"))
    return raw.removeprefix(_MARK)


@shows("_begun")
class WithoutMark:
    """A stream of lines of a file, read as `without_mark` reads it whole."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._begun = stream, False

    def readline(self, most: int) -> bytes:
        """Return the next line, or as many as *most* bytes of it."""
        if self._begun:
            return self._stream.readline(most)
        self._begun = True
        return without_mark(self._stream.readline(most + len(_MARK)))
