"""Small private files. They are read again after a change by another process, and written atomically."""

from __future__ import annotations

from pathlib import Path

from companion.kernel.private_file import (
    MODES,
    Modes,
    distrusted,
    make_private_folder,
    through_no_link,
    write_private,
)
from companion.kernel.shown import shows


@shows("distrusted")
class PrivateFile:
    """A small private file. It is read again after a change. If it can't be written, the new text stays in memory only.

    *distrusted* is the reason why the file wasn't read, empty if it was. A file that other users can write or read
    isn't trusted.
    """

    def __init__(self, path: Path, modes: Modes = MODES) -> None:
        self.distrusted = ""
        self._path = path
        self._modes = modes
        self._seen: tuple[int, int, int] | None = None
        self._text = ""

    def text(self) -> str:
        """Return the file's text, or an empty text if there is no trusted file."""
        try:
            stat = self._path.lstat()
            # Compare the inode too: the file of a new PIN has the same size and maybe the same time stamp.
            seen = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
            if seen != self._seen:
                self._text, self._seen = self._read(), seen
        except (OSError, UnicodeDecodeError):
            # If the memory card fails, the last text stays valid, so nobody loses their access.
            return self._text
        return self._text

    def replace(self, text: str) -> None:
        """Replace the text; raise OSError if it can't be written."""
        make_private_folder(self._path.parent)
        write_private(self._path, text)
        self._seen = None

    def remember(self, text: str) -> None:
        """Replace the text. If it can't be written, it is valid in memory until the end of this process."""
        try:
            self.replace(text)
        except OSError:
            # Read-only storage: use the text until the end of this process.
            self._text = text

    def _read(self) -> str:
        self.distrusted = distrusted(self._path, self._modes)
        if self.distrusted:
            return self._text
        with open(self._path, encoding="utf-8", opener=through_no_link) as file:
            return file.read()
