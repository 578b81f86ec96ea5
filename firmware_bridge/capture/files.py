"""The files of a capture.

They are written one after another, and the oldest is deleted, so their total size is bounded.
"""

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
PASSAGE = 4_000  # how far a file may exceed its size, so that a passage is not split over two files
_PART = re.compile(r" < \$(frame|edge|pass) ")


def captures(folder: Path) -> list[Path]:
    """Return the captures in *folder*, oldest first, or an empty list if there is no such folder."""
    found = folder.glob("ring-*.log") if folder.is_dir() else ()
    return sorted(path for path in found if path.stem.removeprefix("ring-").isdigit())


@shows("_open", "_filled", "_folder")
class Files:
    """The files of one capture in *folder*: at most *files* files of *size* bytes, each starting with the lines of
    *begin*.

    A file may be longer than *size*, so that a passage is not split. All methods may raise OSError; lines written
    before that remain.
    """

    def __init__(self, folder: Path, begin: Callable[[], Sequence[str]], size: int = SIZE, files: int = FILES) -> None:
        self._folder = folder
        self._begin = begin
        self._size = size
        self._files = max(files, 1)
        self._open: TextIO | None = None
        self._filled = 0

    def write(self, lines: Iterable[str]) -> None:
        """Append *lines*, and flush them to the operating system."""
        for line in lines:
            file = self._open or self._continued()
            if self._filled + len(line) >= self._size + (PASSAGE if _PART.search(line) else 0):
                file = self._fresh()
            self._put(file, line)
        if self._open:
            # Flushed but not synced: a crash of this program loses nothing, and nothing waits for a slow SD card.
            self._open.flush()

    def close(self) -> None:
        """Close the present file. The next line continues it."""
        file, self._open = self._open, None
        if file:
            file.close()

    def _continued(self) -> TextIO:
        """Continue the newest file (with the highest number). Its last line may have been torn by a power cut."""
        known = captures(self._folder)
        if not known or known[-1].stat().st_size >= self._size:
            return self._fresh()
        file = _private(known[-1])
        self._open = file
        self._filled = file.tell()
        if not _whole(known[-1]):
            file.write("\\\n")  # a lone backslash, so that no reader takes the torn line for a whole one
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
    """Open *path* for appending. Only its owner can read it, and symlinks are not followed."""
    return open(path, "a", encoding="ascii", opener=private)


def _whole(path: Path) -> bool:
    """Return True if the file is empty or ends with a newline."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(end - 1, 0))
        return file.read(1) in (b"", b"\n")
