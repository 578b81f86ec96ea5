"""How a command ends: its status, and the one line that says why.

The status is 2 where the person at the keyboard must change something: a word of the command, the name of a file, or
what is in a file. It is 1 where the command was right and the machine, the disk, the ring or the service refused.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

FINE, FAILED, BAD_USE, INTERRUPTED = 0, 1, 2, 130
_OF_THE_MACHINE = {
    *(errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG, errno.ENOMEM),
    *(errno.EMFILE, errno.ENFILE, errno.EBUSY, errno.ESTALE, errno.ETIMEDOUT),
}
"""Errors of a file that no other name or content of that file would have avoided."""


class BadUse(Exception):
    """Bad usage or bad input: one clear line for standard error, status 2."""


class Failed(Exception):
    """Something failed that was asked for rightly: one clear line for standard error, status 1."""


def unreadable(path: str | Path, fault: OSError) -> BadUse | Failed:
    """Return what ends a command that cannot read *path*: bad use for a wrong name, a failure for a broken disk."""
    return _ending(fault, f"{path} can't be read: {_why(fault)}")


def unwritable(path: str | Path, fault: OSError) -> BadUse | Failed:
    """Return what ends a command that cannot write *path*: bad use for a wrong name, a failure for a full disk.

    >>> unwritable("/proc/x", OSError(errno.ENOENT, "")).args
    ("/proc/x can't be written: No such file or directory",)
    """
    return _ending(fault, f"{path} can't be written: {_why(fault)}")


def _ending(fault: OSError, sentence: str) -> BadUse | Failed:
    return Failed(sentence) if fault.errno in _OF_THE_MACHINE else BadUse(sentence)


def _why(fault: OSError) -> str:
    return os.strerror(fault.errno) if fault.errno else str(fault)
