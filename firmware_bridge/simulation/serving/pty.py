"""A pseudo-terminal with a link at a path of its own: what a host opens instead of a serial port."""

from __future__ import annotations

import os
import pty
import tty
from contextlib import suppress
from pathlib import Path

from companion.kernel.atomic_file import replacement
from companion.kernel.shown import shows
from firmware_bridge.kernel.errors import BadInput


@shows("_path")
class PtyTerminal:
    """A pseudo-terminal, linked at *path* until it is closed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.fd, self._far = pty.openpty()
        tty.setraw(self._far)
        self._link()

    def close(self) -> None:
        """Close it as an unplugged cable would, and take the link away."""
        with suppress(OSError):
            if self._path.is_symlink() and self._path.readlink() == Path(os.ttyname(self._far)):
                self._path.unlink()
        os.close(self.fd)
        os.close(self._far)

    def _link(self) -> None:
        """Put the link in place in one go, instead of an earlier one but never of a file."""
        if self._path.exists() and not self._path.is_symlink():
            raise BadInput(f"{self._path} exists and isn't a link")
        try:
            with replacement(self._path, lasts=False) as fresh:
                fresh.symlink_to(os.ttyname(self._far))
        except OSError as fault:
            raise BadInput(f"{self._path}: {fault.strerror or fault}") from None
