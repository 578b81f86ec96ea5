"""A small Debian in a folder, and commands in it as root."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hardware.pi.package.lgpio import mirror

WANTED = ("python3", "adduser", "systemd", "udev", "debconf", "util-linux")
LEFT_OUT = ("doc", "locale", "man", "info")
ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
    "HOME": "/root",
    "DEBIAN_FRONTEND": "noninteractive",
}


class Chroot:
    """A system below *root*; only the requested commands run in it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *command: str, status: int = 0) -> str:
        """Run *command* and return its output; raise AssertionError for another status."""
        done = subprocess.run(
            ["chroot", self.root, *command],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == status, f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def begin(self, *command: str) -> subprocess.Popen[str]:
        """Start *command* without waiting for it."""
        started = ["chroot", str(self.root), *command]
        return subprocess.Popen(started, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)

    def path(self, name: str) -> Path:
        """Return the path outside of the chroot for *name* inside."""
        return self.root / name.lstrip("/")


@contextmanager
def chroot(suite: str, architecture: str, cache: Path, scratch: Path, more: tuple[str, ...] = ()) -> Iterator[Chroot]:
    """Yield a fresh system of *suite* with *more* packages, unpacked from an archive cached in *cache*."""
    kept = cache / f"{'-'.join(('chroot', suite, architecture, *more))}.tar"
    if not kept.is_file():
        _make(suite, architecture, more, kept)
    root = scratch / "root"
    root.mkdir()
    subprocess.run(["tar", "--extract", "--file", kept, "--directory", root], check=True)
    subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
    try:
        yield Chroot(root)
    finally:
        subprocess.run(["umount", root / "proc"], check=True)
        shutil.rmtree(root)


def _make(suite: str, architecture: str, more: tuple[str, ...], kept: Path) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    half = kept.with_name(f"half-{os.getpid()}-{kept.name}")
    command = ["mmdebstrap", "--quiet", "--variant=apt", f"--architectures={architecture}"]
    command += [f"--include={','.join((*WANTED, *more))}"]
    command += [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in LEFT_OUT]
    subprocess.run([*command, suite, half, mirror()], check=True)
    half.rename(kept)
