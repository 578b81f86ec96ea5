"""This computer, asked and changed by Debian's own tools and systemd."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from companion.app.debian.package import FIELDS, NAME, Package, package_from
from companion.app.debian.repack import repack
from companion.app.exit_codes import BadUse, Failed

UNIT = f"{NAME}.service"
LOG = "/var/log/apt/term.log"
SYSTEMD = Path("/run/systemd/system")
# After an update all of it is compiled anew: on a slow card, or beside much else, that takes more than a minute.
PATIENCE_S, PAUSE_S = 180.0, 0.5


class DebianComputer:
    """The `System` of a computer with dpkg, apt and systemd; root is asked for."""

    def __init__(self, heard: Callable[[], bool]) -> None:
        """Ask *heard* whether the service answers."""
        self._heard = heard

    def read(self, file: Path) -> Package:
        """Return what *file* says of itself, or raise `BadUse` where it is no package or not whole."""
        if not file.is_file():
            raise BadUse(f"{file} isn't a file")
        told = _run("dpkg-deb", "--field", str(file), *FIELDS)
        # To unpack all of it is to check the sums of what is packed.
        unpacked = _run("dpkg-deb", "--fsys-tarfile", str(file), into=subprocess.DEVNULL)
        if told.returncode or unpacked.returncode:
            raise BadUse(f"{file} isn't a complete Debian package")
        return package_from(file, told.stdout)

    def here(self) -> Package:
        """Return what a package for this computer would say, its version that of the installed one; or `BadUse`."""
        asked = _run("dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}", NAME)
        status, _, version = asked.stdout.partition(" ")
        if asked.returncode or status != "installed":
            raise BadUse("the companion isn't installed as a package here: sudo apt install ./FILE.deb")
        architecture = _run("dpkg", "--print-architecture").stdout.strip()
        return Package(NAME, version, architecture, f"{sys.version_info.major}.{sys.version_info.minor}", 0)

    def newer(self, one: str, other: str) -> bool:
        """Say whether version *one* is newer than *other*."""
        return _run("dpkg", "--compare-versions", one, "gt", other).returncode == 0

    def keep_installed(self, folder: Path) -> Path:
        """Make a package of what is installed, in *folder*, or raise `Failed`."""
        here = self.here()
        try:
            folder.mkdir(exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                return repack(Path(scratch), folder / f"{NAME}_{here.version}_{here.architecture}.deb", _asked)
        except OSError as fault:
            raise Failed(f"The installed package can't be saved in {folder}: {fault.strerror}.") from None

    def install(self, file: Path) -> None:
        """Put the package *file* in place, whichever is there now, or raise `Failed`."""
        options = ("--yes", "--quiet", "--allow-downgrades", "--no-install-recommends")
        done = _run("apt-get", "install", *options, str(file.absolute()))
        if done.returncode:
            raise Failed(
                f"{file.name} couldn't be installed: {_reason(done.stdout + done.stderr)} ({LOG} has all of it)"
            )

    def stop(self) -> None:
        """Stop the service."""
        self._tell("stop")

    def start(self) -> None:
        """Start the service, if it starts with this computer."""
        self._tell("start")

    def restore(self, copy: Path) -> Path | None:
        """Have *copy* be the ledger and return where the one before is kept, or raise `Failed`."""
        done = _run("companion", "restore", "--yes", str(copy))
        if done.returncode:
            raise Failed(done.stderr.strip().removeprefix("companion: "))
        kept = (line.partition(" is kept as ") for line in done.stdout.splitlines())
        return next((Path(where.removesuffix(".")) for _, found, where in kept if found), None)

    def answers(self) -> bool | None:
        """Say whether the service answers, in a while; None where it does not start with this computer."""
        if not SYSTEMD.is_dir() or _run("systemctl", "is-enabled", UNIT).stdout.strip() != "enabled":
            return None
        deadline = time.monotonic() + PATIENCE_S
        while not self._heard():
            if time.monotonic() > deadline:
                return False
            time.sleep(PAUSE_S)
        return True

    def _tell(self, word: str) -> None:
        if SYSTEMD.is_dir():
            _run("systemctl", word, UNIT)


def _reason(said: str) -> str:
    """Return the sentence among what apt and our scripts said that tells a person most."""
    lines = said.splitlines()
    ours = [line.removeprefix(f"{NAME}: ") for line in lines if line.startswith(f"{NAME}: ")]
    theirs = [line.removeprefix("E: ") for line in lines if line.startswith("E: ")]
    return (ours or theirs or ["apt-get says no more"])[-1].rstrip(".")


def _asked(*command: str) -> str:
    """Return what *command* says, or raise `Failed` with its complaint."""
    done = _run(*command)
    if done.returncode:
        raise Failed(f"{command[0]} failed: {done.stderr.strip() or done.stdout.strip()}.")
    return done.stdout


def _run(*command: str, into: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    # Its own words, whatever language the computer speaks; nobody is asked anything by a script.
    words = {"LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    try:
        return subprocess.run(command, stdout=into, stderr=subprocess.PIPE, text=True, errors="replace", env=words)
    except FileNotFoundError:
        raise Failed(f"{command[0]} is missing: this computer has no Debian packages") from None
