"""The files of a capture: filled one after another, the oldest dropped, so that they never outgrow their bound."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TextIO

from companion.kernel.private_file import make_private_folder, private
from companion.kernel.shown import shows

SIZE = 1_000_000
FILES = 8
NAME = "ring-{:06}.log"
PASSAGE = 4_000  # a file may grow beyond its size by so much, to keep a passage in one piece
_PART = re.compile(r" < \$(frame|edge|pass) ")


def captures(folder: Path) -> list[Path]:
    """Return the captures in *folder*, oldest first; none when there is no such folder."""
    found = folder.glob("ring-*.log") if folder.is_dir() else ()
    return sorted(path for path in found if path.stem.removeprefix("ring-").isdigit())


@shows("_open", "_filled", "_folder")
class Files:
    """At most *files* files of *size* bytes (and the rest of a passage) in *folder*, each begun with *begin*.

    All methods may raise OSError; what was written before then stays.
    """

    def __init__(self, folder: Path, begin: Callable[[], Sequence[str]], size: int = SIZE, files: int = FILES) -> None:
        self._folder = folder
        self._begin = begin
        self._size = size
        self._files = max(files, 1)
        self._open: TextIO | None = None
        self._filled = 0

    def write(self, lines: Iterable[str]) -> None:
        """Add *lines*, and have the operating system hold them."""
        for line in lines:
            file = self._open or self._continued()
            if self._filled + len(line) >= self._size + (PASSAGE if _PART.search(line) else 0):
                file = self._fresh()
            self._put(file, line)
        if self._open:
            # Not synced: a crash of this program loses nothing, and no card is waited for.
            self._open.flush()

    def close(self) -> None:
        """Let go of the file that is being filled; the next line continues it."""
        file, self._open = self._open, None
        if file:
            file.close()

    def _continued(self) -> TextIO:
        """Go on in the newest file, after what a power cut may have torn; its number tells age, no clock does."""
        known = captures(self._folder)
        if not known or known[-1].stat().st_size >= self._size:
            return self._fresh()
        file = _private(known[-1])
        self._open = file
        self._filled = file.tell()
        if not _whole(known[-1]):
            file.write("\\\n")  # a lone backslash: no reader takes the torn line for a whole one
        return self._begun(file)

    def _fresh(self) -> TextIO:
        self.close()
        make_private_folder(self._folder)
        known = captures(self._folder)
        number = int(known[-1].stem.removeprefix("ring-")) + 1 if known else 1
        for old in known[: len(known) + 1 - self._files]:
            old.unlink(missing_ok=True)
        file = _private(self._folder / NAME.format(number))
        self._open = file
        self._filled = 0
        return self._begun(file)

    def _begun(self, file: TextIO) -> TextIO:
        for line in self._begin():
            self._put(file, line)
        return file

    def _put(self, file: TextIO, line: str) -> None:
        self._filled += len(line) + 1
        file.write(line + "\n")


def _private(path: Path) -> TextIO:
    """Go on with *path*, or begin it: what the ring told at a table is nobody else's, and lands in no other file."""
    return open(path, "a", encoding="ascii", opener=private)


def _whole(path: Path) -> bool:
    """Tell whether the file ends with a line's end, or is empty."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(end - 1, 0))
        return file.read(1) in (b"", b"\n")
