"""The errors with which a command ends. Each has an exit status and one line with the reason.

The status is 2 if the person at the keyboard must change something: a word of the command, a file name, or the contents
of a file. The status is 1 if the command was right but the machine, the disk, the ring or the service failed.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

FINE, FAILED, BAD_USE, INTERRUPTED = 0, 1, 2, 130
NO_PAHO = "the package paho-mqtt is missing: pip install 'ring-companion[club]'"
"""Why a table can't connect with a club or a home."""
_OF_THE_MACHINE = {
    *(errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG, errno.ENOMEM),
    *(errno.EMFILE, errno.ENFILE, errno.EBUSY, errno.ESTALE, errno.ETIMEDOUT),
}
"""File errors that are failures of the machine: another name or other contents would not have avoided them."""


class BadUse(Exception):
    """Bad usage or bad input. The command prints one line on standard error and ends with status 2."""


class Failed(Exception):
    """A valid command failed. The command prints one line on standard error and ends with status 1."""


def unreadable(path: str | Path, fault: OSError) -> BadUse | Failed:
    """Return the exception for a file that cannot be read: `BadUse` for a wrong name, `Failed` for a broken disk."""
    return _ending(fault, f"{path} can't be read: {reason(fault)}")


def unwritable(path: str | Path, fault: OSError) -> BadUse | Failed:
    """Return the exception for a file that cannot be written: `BadUse` for a wrong name, `Failed` for a full disk.

    >>> unwritable("/proc/x", OSError(errno.ENOENT, "")).args
    ("/proc/x can't be written: No such file or directory",)
    """
    return _ending(fault, f"{path} can't be written: {reason(fault)}")


def _ending(fault: OSError, sentence: str) -> BadUse | Failed:
    return Failed(sentence) if fault.errno in _OF_THE_MACHINE else BadUse(sentence)


def reason(fault: OSError) -> str:
    """Return the system's sentence for *fault*, without what a library added to it."""
    return os.strerror(fault.errno) if fault.errno else str(fault)
