"""User-mode Linux: a kernel that runs as a program of this machine, without root or a special processor."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.pi.kernel import Kernel, scratch
from tests.pi.machine import Lines

MEMORY = "512M"  # as much as a Pi Zero 2 W has


class UserMode:
    """Starts machines of *kernel*."""

    name = "user-mode Linux"
    slower = 1.0
    lacks = ()

    def __init__(self, kernel: Kernel, share: Path) -> None:
        self._kernel = kernel
        self._share = share

    def start(self, folder: Path, card: Path, lines: Lines, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
        """Start a machine; its program has its own name in *folder*, by which its processes are found."""
        program = folder / "linux"
        program.unlink(missing_ok=True)  # a leftover from an earlier run may be another kernel
        os.link(self._kernel.program, program)
        texts = [f"ubd0={card}", "root=/dev/ubda", "rw", f"mem={MEMORY}", f"dtb={self._kernel.board}"]
        texts += ["con=null", "con0=null,fd:1", "ssl=null", f"hostfs={self._share}"]
        texts += [f"ssl{number}=fd:{line.fileno()}" for number, line in enumerate(lines, 1)]
        texts += [f"uml_dir={folder}", "umid=uml", "panic=1", *words]
        with (folder / "console.log").open("ab") as console:
            return subprocess.Popen(
                [str(program), *texts],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                pass_fds=[line.fileno() for line in lines],
                env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(scratch())},
                start_new_session=True,
            )

    def processes(self, folder: Path) -> list[int]:
        """Return the processes of the machine in *folder*: those with its own name of the kernel."""
        program = str(folder / "linux")
        return [int(each.name) for each in Path("/proc").glob("[0-9]*") if _program(each) == program]


def _program(process: Path) -> str:
    try:
        return str((process / "exe").readlink())
    except OSError:
        return ""
