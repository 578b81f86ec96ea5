"""The machines' kernel: user-mode Linux from Debian's sources, built once per configuration and cached."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCE = "linux-source-6.1"
NEEDED = ("bc", "bison", "flex", "gcc", "make", "xz-utils")
MODULES = ("drivers/i2c/i2c-stub.ko", "drivers/net/wireless/mac80211_hwsim.ko")
# a large part of the sources, of which nothing is compiled here
ROOM_BYTES = 3_000_000_000
LEFT_OUT = ("drivers/gpu/drm/amd/include", "tools/testing", "arch/arm/boot/dts", "arch/arm64/boot/dts")


@dataclass(frozen=True)
class Kernel:
    """A compiled kernel: the paths of its program, its modules, and the board's description."""

    folder: Path

    @property
    def program(self) -> Path:
        """The kernel, which is a program."""
        return self.folder / "linux"

    @property
    def modules(self) -> list[Path]:
        """Return the modules that can be loaded."""
        return [self.folder / Path(name).name for name in MODULES]

    @property
    def board(self) -> Path:
        """The board's description, compiled."""
        return self.folder / "board.dtb"


def kernel(cache: Path) -> Kernel:
    """Return the kernel of the current configuration, built unless it is cached (9 to 17 minutes of processor time)."""
    kept = Kernel(cache / f"kernel-{_key()}")
    if not kept.program.exists():
        fresh = cache / "kernel.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        with TemporaryDirectory(prefix="kernel-", dir=scratch()) as work:
            _build(Path(work), fresh)
        fresh.rename(kept.folder)
    return kept


def scratch() -> Path:
    """Return a folder for large temporary files: in memory, if there is enough."""
    shared = Path("/dev/shm")  # noqa: S108
    roomy = shared.is_dir() and shutil.disk_usage(shared).free > ROOM_BYTES
    return shared if roomy else Path("/var/tmp")  # noqa: S108


def installed(*packages: str) -> None:
    """Install Debian's *packages* on this machine, if we have permission."""
    script = f'. "{ROOT}/.ci/debian.sh"; install_debian {" ".join(packages)}'
    subprocess.run(["sh", "-c", script], check=True)


def said(*command: str) -> str:
    """Return the output of *command*."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _key() -> str:
    version = next((line for line in said("apt-cache", "policy", SOURCE).splitlines() if "Candidate" in line), "")
    parts = [version.encode(), *((HERE / name).read_bytes() for name in ("kernel.config", "board.dts"))]
    return hashlib.sha256(b"\0".join((*parts, *(name.encode() for name in MODULES)))).hexdigest()[:12]


def _build(work: Path, fresh: Path) -> None:
    if any(shutil.which(tool) is None for tool in ("bc", "bison", "flex", "gcc", "make", "xz")):
        installed(*NEEDED)
    tree = _unpacked(work)
    _told(tree, "make", "-s", "ARCH=um", "defconfig")
    with (tree / ".config").open("a", encoding="utf-8") as config:
        config.write((HERE / "kernel.config").read_text(encoding="utf-8"))
    _told(tree, "make", "-s", "ARCH=um", "olddefconfig")
    _told(tree, "make", "-s", "ARCH=um", f"-j{os.cpu_count()}", "linux", *MODULES)
    _told(tree, "scripts/dtc/dtc", "-q", "-o", str(fresh / "board.dtb"), str(HERE / "board.dts"))
    _told(tree, "strip", "linux")
    for name in ("linux", ".config", *MODULES):
        shutil.copy(tree / name, fresh)


def _unpacked(work: Path) -> Path:
    """Return the sources, fetched by this machine's own apt."""
    _told(work, "apt-get", "download", "-q", SOURCE)
    (package,) = work.glob(f"{SOURCE}_*.deb")
    _told(work, "sh", "-c", f"dpkg-deb --fsys-tarfile '{package.name}' | tar -x ./usr/src/{SOURCE}.tar.xz")
    skipped = [f"--exclude={SOURCE}/{each}" for each in LEFT_OUT]
    _told(work, "tar", "-xf", f"usr/src/{SOURCE}.tar.xz", *skipped)
    shutil.rmtree(work / "usr")
    package.unlink()
    return work / SOURCE


def _told(folder: Path, *command: str) -> None:
    """Run *command* with its output in build.log; if it fails, exit with the end of the log."""
    log = folder / "build.log"
    with log.open("ab") as out:
        done = subprocess.run(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} has failed:\n{log.read_text(errors='replace')[-3000:]}")
