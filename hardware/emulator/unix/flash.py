"""The flash of a board as a folder, with the emulator's modules on top of it, for MicroPython's unix port.

The unix port's own mount of a folder mixes up the two names of a rename, so this class does the renaming.
"""

from vfs import VfsPosix

RING = "/ring"


class Flash:
    """The files of *flash*, except that modules of the package `ring` come from *over*."""

    def __init__(self, flash, over):
        self._files = VfsPosix()
        self._files.mount(False, False)
        self._flash = flash
        self._over = over
        self._folder = ""

    def mount(self, readonly, mkfs):
        """Do nothing; MicroPython requires the method."""

    def umount(self):
        """Do nothing; MicroPython requires the method."""

    def chdir(self, path):
        """Change the working directory to *path*."""
        self._folder = path.rstrip("/")

    def getcwd(self):
        """Return the working directory."""
        return self._folder or "/"

    def open(self, path, mode):
        """Open a file."""
        return self._files.open(self._place(path), mode)

    def stat(self, path):
        """Return the status of a file, as `os.stat` does."""
        return self._files.stat(self._place(path))

    def rename(self, old, new):
        """Rename a file."""
        self._files.rename(self._place(old), self._place(new))

    def remove(self, path):
        """Delete a file."""
        self._files.remove(self._place(path))

    def _place(self, path):
        path = path if path.startswith("/") else f"{self._folder}/{path}"
        if path.startswith(RING) and path.endswith(".py"):
            return self._over + path
        return self._flash + path
