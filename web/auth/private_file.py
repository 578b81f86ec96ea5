"""Small private files: read again when somebody replaced them, written whole or not at all."""

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
    """A small private file, read again when somebody has replaced it; remembered where it cannot be written.

    *distrusted* says why what lies there was not read, empty when it was: whoever can lay a file for all to read there
    may know what is in it.
    """

    def __init__(self, path: Path, modes: Modes = MODES) -> None:
        self.distrusted = ""
        self._path = path
        self._modes = modes
        self._seen: tuple[int, int, int] | None = None
        self._text = ""

    def text(self) -> str:
        """Return what the file holds, empty where there is none that can be trusted."""
        try:
            stat = self._path.lstat()
            # The inode too: a PIN renewed has the same size, and maybe the same tick of the clock.
            seen = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
            if seen != self._seen:
                self._text, self._seen = self._read(), seen
        except (OSError, UnicodeDecodeError):
            # A card that went away takes nobody's rights: what was read last still holds.
            return self._text
        return self._text

    def replace(self, text: str) -> None:
        """Put *text* in its place; OSError when it cannot be kept."""
        make_private_folder(self._path.parent)
        write_private(self._path, text)
        self._seen = None

    def remember(self, text: str) -> None:
        """Put *text* in its place, at least for as long as this process lasts."""
        try:
            self.replace(text)
        except OSError:
            # Read-only storage: the evening goes on with what lasts as long as the process.
            self._text = text

    def _read(self) -> str:
        self.distrusted = distrusted(self._path, self._modes)
        if self.distrusted:
            return self._text
        with open(self._path, encoding="utf-8", opener=through_no_link) as file:
            return file.read()
