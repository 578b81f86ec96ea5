"""Mounts a FUSE file system: with the system call as root, otherwise with fusermount3."""

from __future__ import annotations

import ctypes
import os
import shutil
import socket
import subprocess
from pathlib import Path

_DEVICE = "/dev/fuse"
_NOSUID, _NODEV, _DETACH = 2, 4, 2
_LIBC = ctypes.CDLL(None, use_errno=True)


def why_not() -> str:
    """Return the reason why nothing can be mounted here, or an empty string."""
    if not os.access(_DEVICE, os.R_OK | os.W_OK):
        return f"{_DEVICE} is missing here or may not be opened: no file system can be made that forgets."
    if os.geteuid() != 0 and shutil.which("fusermount3") is None:
        return "Nothing can be mounted here: that takes root, or fusermount3 (Debian: fuse3)."
    return ""


def mounted(place: Path) -> int:
    """Mount at *place* and return the descriptor of the kernel's requests; raise OSError if this fails."""
    return _mounted_as_root(place) if os.geteuid() == 0 else _mounted_with_help(place)


def unmount(place: Path) -> None:
    """Unmount *place* when it is not used any more."""
    if os.geteuid() == 0:
        _refused_if(_LIBC.umount2(os.fsencode(place), _DETACH), place)
    else:
        subprocess.run(["fusermount3", "-u", "-z", place], check=True)


def _mounted_as_root(place: Path) -> int:
    kernel = os.open(_DEVICE, os.O_RDWR | os.O_CLOEXEC)
    how = f"fd={kernel},rootmode=40000,user_id=0,group_id=0".encode()
    _refused_if(_LIBC.mount(b"powercut", os.fsencode(place), b"fuse", _NOSUID | _NODEV, how), place)
    return kernel


def _mounted_with_help(place: Path) -> int:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        surroundings = {**os.environ, "_FUSE_COMMFD": str(theirs.fileno())}
        command = ["fusermount3", "-o", "fsname=powercut", "--", str(place)]
        subprocess.run(command, env=surroundings, pass_fds=[theirs.fileno()], check=True)
        _, (kernel,), *_ = socket.recv_fds(ours, 1, 1)
    return kernel


def _refused_if(status: int, place: Path) -> None:
    if status:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(place))
