"""User-mode Linux: a kernel that is a program of this machine; it takes no rights and no special processor."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

from tests.pi.kernel import Kernel, scratch

MEMORY = "512M"  # a Pi Zero 2 W has no more


class UserMode:
    """Starts machines of *kernel*."""

    name = "user-mode Linux"

    def __init__(self, kernel: Kernel, share: Path) -> None:
        self._kernel = kernel
        self._share = share

    def start(self, folder: Path, card: Path, line: socket.socket, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
        """Start a machine; its program has a name of its own in *folder*, by which its processes are known again."""
        program = folder / "linux"
        if not program.exists():
            os.link(self._kernel.program, program)
        told = [f"ubd0={card}", "root=/dev/ubda", "rw", f"mem={MEMORY}", f"dtb={self._kernel.board}"]
        told += ["con=null", "con0=null,fd:1", "ssl=null", f"ssl1=fd:{line.fileno()}", f"hostfs={self._share}"]
        told += [f"uml_dir={folder}", "umid=uml", "panic=1", *words]
        with (folder / "console.log").open("ab") as console:
            return subprocess.Popen(
                [str(program), *told],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                pass_fds=[line.fileno()],
                env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(scratch())},
                start_new_session=True,
            )

    def processes(self, folder: Path) -> list[int]:
        """Return the processes of the machine in *folder*: those that run its own name of the kernel."""
        program = str(folder / "linux")
        return [int(each.name) for each in Path("/proc").glob("[0-9]*") if _program(each) == program]


def _program(process: Path) -> str:
    try:
        return str((process / "exe").readlink())
    except OSError:
        return ""
