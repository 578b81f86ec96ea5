"""This computer, asked and changed by Debian's own tools and systemd; only root may change it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from companion.app.debian.package import FIELDS, NAME, Package, package_from
from companion.app.exit_codes import BadUse, Failed

Asked = Callable[..., str]
OF_THE_STATUS = ("Status:", "Config-Version:", "Conffiles:")
DOCUMENTS = ("/usr/share/doc/", "/usr/share/lintian/")

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


def repack(scratch: Path, target: Path, asked: Asked) -> Path:
    """Make the package *target* of the installed files, or raise `Failed`; *asked* runs a command of Debian's."""
    if changed := changed_files(asked("dpkg", "--verify", NAME)):
        raise Failed(f"{changed[0]} has changed since it was installed, so the installed package can't be saved.")
    tree = scratch / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    for line in asked("dpkg-query", "--listfiles", NAME).splitlines():
        _take(Path(line), tree)
    for name in asked("dpkg-query", "--control-list", NAME).split():
        shutil.copy2(asked("dpkg-query", "--control-path", NAME, name).strip(), tree / "DEBIAN" / name)
    (tree / "DEBIAN/control").write_text(control(asked("dpkg-query", "--status", NAME)), encoding="utf-8")
    half = scratch / target.name
    asked("dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(tree), str(half))
    return half.replace(target)


def changed_files(text: str) -> list[str]:
    """Return the files that differ, of what `dpkg --verify` says; documents may be left out of a small system."""
    files = [line.split()[-1] for line in text.splitlines()]
    return [file for file in files if not file.startswith(DOCUMENTS)]


def control(status: str) -> str:
    """Return the control file of a package, of what `dpkg-query --status` says."""
    return "".join(f"{line}\n" for line in status.splitlines() if not line.startswith(OF_THE_STATUS) and line)


def _take(path: Path, tree: Path) -> None:
    """Copy *path* of this computer into *tree*, if it is there."""
    copy = tree / path.relative_to("/")
    if path.is_dir():
        copy.mkdir(parents=True, exist_ok=True)
    elif path.is_file():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)


def only_root(command: str) -> None:
    """Raise `BadUse` unless root runs *command*."""
    if os.geteuid() != 0:
        raise BadUse(f"only root can change the program: sudo companion {command}")
