"""Small private files: read again when somebody replaced them, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from companion.kernel.atomic_file import write_whole

OWNERS_ONLY = 0o600


def write_private(path: Path, text: str) -> None:
    """Replace *path* by *text*, readable by its owner only, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text, OWNERS_ONLY)


class Kept:
    """A small private file, read again when somebody has replaced it; remembered where it cannot be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int, int] | None = None
        self._text = ""

    def text(self) -> str:
        """Return what the file holds, empty where there is none."""
        try:
            stat = self._path.stat()
            # The inode too: a PIN renewed has the same size, and maybe the same tick of the clock.
            seen = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
            if seen != self._seen:
                self._text, self._seen = self._path.read_text(encoding="utf-8"), seen
        except (OSError, UnicodeDecodeError):
            # A card that went away takes nobody's rights: what was read last still holds.
            return self._text
        return self._text

    def replace(self, text: str) -> None:
        """Put *text* in its place; OSError when it cannot be kept."""
        write_private(self._path, text)
        self._seen = None

    def remember(self, text: str) -> None:
        """Put *text* in its place, at least for as long as this process lasts."""
        try:
            self.replace(text)
        except OSError:
            # Read-only storage: the evening goes on with what lasts as long as the process.
            self._text = text
