"""Files that only their owner opens: made so whatever the umask, never through a link, and trusted only while so."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from companion.kernel.atomic_file import lasting_folder, write_whole

FILE, FOLDER = 0o600, 0o700
OTHERS, OTHERS_WRITE = 0o077, 0o022
"""All that others could be allowed, and what lets them put something else there."""


class Modes:
    """Whose a file is, and who may open it; tests hand in a file system that knows no such thing."""

    def mode(self, path: Path) -> int:
        """Return the mode of *path* itself, and not of what a link points to."""
        return stat.S_IMODE(path.lstat().st_mode)

    def ours(self, path: Path) -> bool:
        """Tell whether *path* is this user's; for root, what belongs to its folder's owner is."""
        owner = path.lstat().st_uid
        return owner == os.geteuid() or (os.geteuid() == 0 and owner == path.parent.stat().st_uid)

    def give(self, path: Path, mode: int) -> None:
        """Give *path* that mode, or raise OSError."""
        path.chmod(mode)


MODES = Modes()


def through_no_link(path: str | Path, flags: int) -> int:
    """Open *path* as an `opener` does, but never what a link points to."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, FILE)


def private(path: str | Path, flags: int) -> int:
    """Open *path* to write, as an `opener` does: its owner's alone from its first byte on, and never through a link."""
    descriptor = through_no_link(path, flags)
    _own(descriptor, Path(path), FILE)
    return descriptor


def make_private(path: Path) -> None:
    """Make *path* an empty file where there is nothing yet; what is there is not even opened."""
    with suppress(FileExistsError):
        os.close(private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))


def make_private_folder(path: Path) -> None:
    """Make *path* its owner's own folder where there is none, and the folders that it lies in."""
    if path.is_dir():
        return
    lasting_folder(path, FOLDER)
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        _own(descriptor, path, FOLDER)
    finally:
        os.close(descriptor)


def write_private(path: Path, text: str) -> None:
    """Put *text* at *path*, for its owner alone: all of it is on the disk before the old one goes."""
    write_whole(path, text, private)


def modes_are_kept(folder: Path, modes: Modes = MODES) -> bool:
    """Tell whether a file in *folder* can be its owner's alone: on FAT and its like none can."""
    trial = folder / f".modes.{os.urandom(4).hex()}"
    try:
        make_private(trial)
        return modes.mode(trial) == FILE and modes.ours(trial)
    except OSError:
        return True  # where nothing can be written, modes are taken at their word
    finally:
        with suppress(OSError):
            trial.unlink(missing_ok=True)


def distrusted(path: Path, modes: Modes = MODES, unwanted: int = OTHERS) -> str:
    """Return why nobody may rely on what *path* holds, empty where there is no reason; OSError where it is not.

    *unwanted* is what others may not be allowed.
    """
    if path.is_symlink():
        return f"{path} is a link"
    if not modes.ours(path):
        why = f"{path} belongs to another user"
    elif modes.mode(path) & unwanted:
        why = f"{path} was open to others (mode {modes.mode(path):04o})"
    else:
        return ""
    return why if modes_are_kept(path.parent, modes) else ""


def _own(descriptor: int, path: Path, mode: int) -> None:
    """Have what was just opened keep *mode*; what root makes in a folder of somebody else becomes that one's."""
    found, folder = os.fstat(descriptor), path.parent.stat()
    with suppress(OSError):  # a file system that knows no modes: that is said once, at the start
        if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) != mode:
            os.fchmod(descriptor, mode)
        if found.st_uid == os.geteuid() == 0 != folder.st_uid:
            os.fchown(descriptor, folder.st_uid, folder.st_gid)
