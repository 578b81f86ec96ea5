"""The flash of a board as a folder, with the emulator's modules laid over it, for MicroPython's unix port.

A folder that is mounted as it is mixes up the two names of a rename.
"""

from vfs import VfsPosix

RING = "/ring"


class Flash:
    """The files of *flash*, but those that *over* has of the package `ring` instead of the board's own."""

    def __init__(self, flash, over):
        self._files = VfsPosix()
        self._files.mount(False, False)
        self._flash = flash
        self._over = over
        self._folder = ""

    def mount(self, readonly, mkfs):
        """Nothing to do."""

    def umount(self):
        """Nothing to do."""

    def chdir(self, path):
        """Go to *path*."""
        self._folder = path.rstrip("/")

    def getcwd(self):
        """Return where we are."""
        return self._folder or "/"

    def open(self, path, mode):
        """Open a file."""
        return self._files.open(self._place(path), mode)

    def stat(self, path):
        """Return what is known of a file."""
        return self._files.stat(self._place(path))

    def rename(self, old, new):
        """Give a file another name."""
        self._files.rename(self._place(old), self._place(new))

    def remove(self, path):
        """Take a file away."""
        self._files.remove(self._place(path))

    def _place(self, path):
        path = path if path.startswith("/") else f"{self._folder}/{path}"
        if path.startswith(RING) and path.endswith(".py"):
            return self._over + path
        return self._flash + path
