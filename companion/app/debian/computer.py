"""Query and change this computer with Debian's own tools and systemd. Changes require root."""

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
from companion.app.ledger_aside import old_ledger_in

Asked = Callable[..., str]
OF_THE_STATUS = ("Status:", "Config-Version:", "Conffiles:")
DOCUMENTS = ("/usr/share/doc/", "/usr/share/lintian/")

UNIT = f"{NAME}.service"
LOG = "/var/log/apt/term.log"
SYSTEMD = Path("/run/systemd/system")
# This is long because Python compiles all modules after an update: over a minute on a slow card or a busy computer.
PATIENCE_S, PAUSE_S = 180.0, 0.5


class DebianComputer:
    """A `System` for a computer with dpkg, apt and systemd."""

    def __init__(self, answers: Callable[[], bool]) -> None:
        """*answers* is called to find out whether the service answers."""
        self._answers = answers

    def read(self, file: Path) -> Package:
        """Return the control fields of *file*, or raise `BadUse` if it is not a complete package."""
        if not file.is_file():
            raise BadUse(f"{file} isn't a file")
        fields = _run("dpkg-deb", "--field", str(file), *FIELDS)
        # Unpacking the whole package checks its checksums.
        unpacked = _run("dpkg-deb", "--fsys-tarfile", str(file), into=subprocess.DEVNULL)
        if fields.returncode or unpacked.returncode:
            raise BadUse(f"{file} isn't a complete Debian package")
        return package_from(file, fields.stdout)

    def here(self) -> Package:
        """Return the installed package with this computer's architecture and Python version, or raise `BadUse`."""
        asked = _run("dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}", NAME)
        status, _, version = asked.stdout.partition(" ")
        if asked.returncode or status != "installed":
            raise BadUse("the companion isn't installed as a package here: sudo apt install ./FILE.deb")
        architecture = _run("dpkg", "--print-architecture").stdout.strip()
        return Package(NAME, version, architecture, f"{sys.version_info.major}.{sys.version_info.minor}", 0)

    def newer(self, one: str, other: str) -> bool:
        """Return whether version *one* is newer than *other*."""
        return _run("dpkg", "--compare-versions", one, "gt", other).returncode == 0

    def keep_installed(self, folder: Path) -> Path:
        """Build a package in *folder* from the installed files, or raise `Failed`."""
        here = self.here()
        try:
            folder.mkdir(exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                return repack(Path(scratch), folder / f"{NAME}_{here.version}_{here.architecture}.deb", _asked)
        except OSError as fault:
            raise Failed(f"The installed package can't be saved in {folder}: {fault.strerror}.") from None

    def install(self, file: Path) -> None:
        """Install the package *file*, which replaces any other version, or raise `Failed`."""
        options = ("--yes", "--quiet", "--allow-downgrades", "--no-install-recommends")
        done = _run("apt-get", "install", *options, str(file.absolute()))
        if done.returncode:
            raise Failed(
                f"{file.name} couldn't be installed: {_reason(done.stdout + done.stderr)} ({LOG} has all of it)"
            )

    def stop(self) -> None:
        """Stop the service."""
        self._systemctl("stop")

    def start(self) -> None:
        """Start the service, if it is enabled."""
        self._systemctl("start")

    def restore(self, copy: Path) -> Path | None:
        """Replace the ledger by *copy* and return the path of the old ledger, or raise `Failed`."""
        done = _run("companion", "restore", "--yes", str(copy))
        if done.returncode:
            raise Failed(done.stderr.strip().removeprefix("companion: "))
        return old_ledger_in(done.stdout)

    def answers(self) -> bool | None:
        """Wait until the service answers. Return whether it does, or None if it is not enabled."""
        if not SYSTEMD.is_dir() or _run("systemctl", "is-enabled", UNIT).stdout.strip() != "enabled":
            return None
        deadline = time.monotonic() + PATIENCE_S
        while not self._answers():
            if time.monotonic() > deadline:
                return False
            time.sleep(PAUSE_S)
        return True

    def _systemctl(self, word: str) -> None:
        if SYSTEMD.is_dir():
            _run("systemctl", word, UNIT)


def _reason(said: str) -> str:
    """Return the most helpful line in the output of apt and of the package's scripts."""
    lines = said.splitlines()
    ours = [line.removeprefix(f"{NAME}: ") for line in lines if line.startswith(f"{NAME}: ")]
    theirs = [line.removeprefix("E: ") for line in lines if line.startswith("E: ")]
    return (ours or theirs or ["apt-get says no more"])[-1].rstrip(".")


def _asked(*command: str) -> str:
    """Return the output of *command*, or raise `Failed` with its error message."""
    done = _run(*command)
    if done.returncode:
        raise Failed(f"{command[0]} failed: {done.stderr.strip() or done.stdout.strip()}.")
    return done.stdout


def _run(*command: str, into: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    # This makes the output English in any locale, and prevents questions, which nobody could answer.
    words = {"LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    try:
        return subprocess.run(command, stdout=into, stderr=subprocess.PIPE, text=True, errors="replace", env=words)
    except FileNotFoundError:
        raise Failed(f"{command[0]} is missing: this computer has no Debian packages") from None


def repack(scratch: Path, target: Path, asked: Asked) -> Path:
    """Build the package *target* from the installed files, or raise `Failed`. *asked* runs a command of Debian."""
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
    """Return the changed files in the output of `dpkg --verify`. Documentation may be missing on a small system."""
    files = [line.split()[-1] for line in text.splitlines()]
    return [file for file in files if not file.startswith(DOCUMENTS)]


def control(status: str) -> str:
    """Return the control file of a package, made from the output of `dpkg-query --status`."""
    return "".join(f"{line}\n" for line in status.splitlines() if not line.startswith(OF_THE_STATUS) and line)


def _take(path: Path, tree: Path) -> None:
    """Copy *path* of this computer into *tree*, if it exists."""
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
