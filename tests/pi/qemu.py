"""QEMU: an emulated computer with Debian's own kernel: the alternative, for scenes without parts of a Pi."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.pi.kernel import installed, said
from tests.pi.machine import Lines
from tests.pi.uml import MEMORY

PROGRAM = "qemu-system-x86_64"
KERNEL = "linux-image-amd64"
MODULES = ("virtio_pci", "virtio_blk", "ext4", "9p", "9pnet_virtio", "dummy")
INIT = """#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
for module in $(/bin/busybox cat /modules); do /bin/busybox insmod /$module; done
/bin/busybox mount -o rw,noatime /dev/vda /root
exec /bin/busybox switch_root /root /sbin/init
"""


@dataclass(frozen=True)
class Computer:
    """Debian's kernel, and the initrd that mounts its card."""

    folder: Path

    @property
    def kernel(self) -> Path:
        """The kernel."""
        return self.folder / "vmlinuz"

    @property
    def first(self) -> Path:
        """The initrd."""
        return self.folder / "initrd"


class Qemu:
    """Starts machines of *computer*."""

    name = "QEMU without KVM, Debian's own kernel"
    # its processor is emulated, too
    slower = 3.0
    # It has no pins, no USB plug, no radio, and not the device tree of a Pi.
    lacks = ("cable", "off", "pins", "radio")

    def __init__(self, computer: Computer, share: Path) -> None:
        self._computer = computer
        self._share = share
        if shutil.which(PROGRAM) is None:
            installed("qemu-system-x86")

    def start(self, folder: Path, card: Path, lines: Lines, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
        """Start a machine with *folder* among its arguments, by which its process is found."""
        texts = [PROGRAM, "-name", str(folder), "-accel", "tcg", "-m", MEMORY, "-display", "none", "-no-reboot"]
        texts += ["-kernel", str(self._computer.kernel), "-initrd", str(self._computer.first)]
        texts += ["-append", " ".join(("console=ttyS0", "no_timer_check", "panic=1", *words))]
        texts += ["-drive", f"file={card},if=virtio,format=raw", "-nic", "none"]
        texts += ["-virtfs", f"local,path={self._share},mount_tag=share,security_model=none,readonly=on"]
        texts += ["-chardev", f"file,id=console,path={folder / 'console.log'},append=on", "-serial", "chardev:console"]
        for number, line in enumerate(lines, 1):
            texts += ["-chardev", f"socket,id=line{number},fd={line.fileno()}", "-serial", f"chardev:line{number}"]
        return subprocess.Popen(
            texts,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[line.fileno() for line in lines],
            start_new_session=True,
        )

    def processes(self, folder: Path) -> list[int]:
        """Return the process of the machine in *folder*."""
        return [int(each.name) for each in Path("/proc").glob("[0-9]*") if _is_of(each, folder)]


def computer(cache: Path) -> Computer:
    """Return Debian's kernel and its initrd, made unless they are cached."""
    asked = said("apt-cache", "depends", "--important", KERNEL)
    package = next(word for word in asked.split() if word.startswith("linux-image-") and word != KERNEL)
    key = hashlib.sha256(repr((package, MODULES, INIT)).encode()).hexdigest()[:12]
    kept = Computer(cache / f"qemu-{key}")
    if not kept.first.exists():
        fresh = cache / "qemu.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        with TemporaryDirectory(prefix="qemu-") as work:
            _gather(package, Path(work), fresh)
        fresh.rename(kept.folder)
    return kept


def _gather(package: str, work: Path, fresh: Path) -> None:
    if any(shutil.which(tool) is None for tool in ("cpio", "depmod")):
        installed("cpio", "kmod")
    for name in (package, "busybox-static"):
        subprocess.run(["apt-get", "download", "-q", name], cwd=work, check=True, capture_output=True)
        (archive,) = work.glob(f"{name}_*.deb")
        subprocess.run(["dpkg-deb", "--extract", archive, work / "root"], check=True)
    root = work / "root"
    (kernel,) = (root / "boot").glob("vmlinuz-*")
    shutil.copy(kernel, fresh / "vmlinuz")
    first = work / "first"
    for folder in ("bin", "proc", "dev", "root"):
        (first / folder).mkdir(parents=True)
    shutil.copy(next(root.glob("**/bin/busybox")), first / "bin")
    names = [_put(module, first) for module in _needed(root, kernel.name.removeprefix("vmlinuz-"))]
    (first / "modules").write_text("\n".join(names))
    (first / "init").write_text(INIT)
    (first / "init").chmod(0o755)
    packed = f"find . | cpio --quiet -o -H newc | gzip > {fresh.resolve() / 'initrd'}"
    subprocess.run(["sh", "-c", packed], cwd=first, check=True)


def _needed(root: Path, version: str) -> Iterator[Path]:
    """Yield the modules in MODULES and their dependencies, each after its own dependencies."""
    subprocess.run(["depmod", "-b", root, version], check=True)
    gone = set()
    for name in MODULES:
        for line in said("modprobe", "-d", str(root), "-S", version, "--show-depends", name).splitlines():
            path = Path(line.split()[1])
            if line.startswith("insmod") and path not in gone:
                gone.add(path)
                yield path


def _put(module: Path, first: Path) -> str:
    shutil.copy(module, first)
    return module.name


def _is_of(process: Path, folder: Path) -> bool:
    try:
        words = (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return words[0].endswith(PROGRAM.encode()) and str(folder).encode() in words
