"""Files that only their owner may open.

The umask does not matter, and they are never opened through a symbolic link. A `PrivateFile` is
read again after a change by another process, and written atomically.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from companion.kernel.atomic_file import lasting_folder, write_whole
from companion.kernel.shown import shows

FILE, FOLDER = 0o600, 0o700
OTHERS, OTHERS_WRITE = 0o077, 0o022
"""Permission bits: everything that other users may do, and only writing (`OTHERS_WRITE`)."""


class Modes:
    """Reads and sets owner and permissions of files. Tests replace it to imitate a file system without permissions."""

    def mode(self, path: Path) -> int:
        """Return the permission bits of *path* itself; a symbolic link is not followed."""
        return stat.S_IMODE(path.lstat().st_mode)

    def ours(self, path: Path) -> bool:
        """Return whether *path* belongs to this user, or, for root, to the owner of its folder."""
        owner = path.lstat().st_uid
        return owner == os.geteuid() or (os.geteuid() == 0 and owner == path.parent.stat().st_uid)

    def give(self, path: Path, mode: int) -> None:
        """Set the permission bits of *path*, or raise OSError."""
        path.chmod(mode)


MODES = Modes()


def through_no_link(path: str | Path, flags: int) -> int:
    """Open *path* (an `opener` for `open`), but fail if it is a link."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, FILE)


def private(path: str | Path, flags: int) -> int:
    """Open *path* for writing (an `opener` for `open`), with permissions for its owner only and not through a link."""
    descriptor = through_no_link(path, flags)
    _own(descriptor, Path(path), FILE)
    return descriptor


def make_private(path: Path) -> None:
    """Create an empty file at *path* unless something exists there."""
    with suppress(FileExistsError):
        os.close(private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))


def make_private_folder(path: Path) -> None:
    """Create the folder *path* for its owner only, and its parents, if they are missing."""
    if path.is_dir():
        return
    lasting_folder(path, FOLDER)
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        _own(descriptor, path, FOLDER)
    finally:
        os.close(descriptor)


def write_private(path: Path, text: str) -> None:
    """Write *text* to a new file for its owner only, sync it, and then replace *path* by it."""
    write_whole(path, text, private)


def has_permissions(folder: Path, modes: Modes = MODES) -> bool:
    """Return whether the file system of *folder* stores permissions; FAT, for example, does not."""
    trial = folder / f".modes.{os.urandom(4).hex()}"
    try:
        make_private(trial)
        return modes.mode(trial) == FILE and modes.ours(trial)
    except OSError:
        return True  # if nothing can be written, assume that permissions work
    finally:
        with suppress(OSError):
            trial.unlink(missing_ok=True)


def distrusted(path: Path, modes: Modes = MODES, unwanted: int = OTHERS) -> str:
    """Return why the contents of *path* must not be trusted, or "". Raises OSError if it does not exist.

    *unwanted* are the permissions that others must not have.
    """
    if path.is_symlink():
        return f"{path} is a link"
    if not modes.ours(path):
        why = f"{path} belongs to another user"
    elif modes.mode(path) & unwanted:
        why = f"{path} was open to others (mode {modes.mode(path):04o})"
    else:
        return ""
    return why if has_permissions(path.parent, modes) else ""


def _own(descriptor: int, path: Path, mode: int) -> None:
    """Set *mode* on the file just opened. If root opened it, give it to the owner of its folder."""
    found, folder = os.fstat(descriptor), path.parent.stat()
    with suppress(OSError):  # a file system without permissions: the program reports it once, when it starts
        if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) != mode:
            os.fchmod(descriptor, mode)
        if found.st_uid == os.geteuid() == 0 != folder.st_uid:
            os.fchown(descriptor, folder.st_uid, folder.st_gid)


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
