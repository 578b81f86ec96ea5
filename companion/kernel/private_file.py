"""Files that only their owner may open.

The umask does not matter, and they are never opened through a symbolic link.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from companion.kernel.atomic_file import lasting_folder, write_whole

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
