"""Processes forked from a Python that has already imported the program: a start costs milliseconds."""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from io import TextIOBase
from pathlib import Path
from typing import Self, TextIO

from tests.forkserver.server import NUMBER

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0


@cache
def server() -> socket.socket:
    """Start the server, once in each process that calls this; it ends with that process."""
    # Packets keep each request together with its own descriptors.
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, "-m", "tests.forkserver.server", str(theirs.fileno())]
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
    # atexit runs these in reverse order: closing the socket ends the server, which is then waited for.
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


class Forked:
    """Runs `python -m module argument...` as `subprocess.Popen` would, with text pipes as standard files.

    Its standard error is ours if *aloud* is true, or the file *complaints* if one is given.
    """

    def __init__(
        self,
        module: str,
        *arguments: object,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        aloud: bool = False,
        complaints: TextIO | None = None,
    ) -> None:
        (stdin, given), (told, stdout), (complained, stderr) = os.pipe(), os.pipe(), os.pipe()
        if aloud or complaints is not None:
            os.dup2(2 if complaints is None else complaints.fileno(), stderr)
        self._fate, fate = socket.socketpair()
        argv = ["-m", module, *map(str, arguments)]
        asked = {"argv": argv, "cwd": str(cwd or Path.cwd()), "env": dict(os.environ if env is None else env)}
        theirs = [stdin, stdout, stderr, fate.detach()]
        socket.send_fds(server(), [json.dumps(asked).encode()], theirs)
        for file in theirs:
            os.close(file)
        self.args = argv
        self.stdin = os.fdopen(given, "w", encoding="utf-8")
        self.stdout = os.fdopen(told, encoding="utf-8")
        self.stderr = os.fdopen(complained, encoding="utf-8")
        self.returncode: int | None = None
        self.pid = self._number(PATIENCE_S)

    def _number(self, timeout: float | None) -> int:
        self._fate.settimeout(timeout)
        try:
            (number,) = NUMBER.unpack(self._fate.recv(NUMBER.size, socket.MSG_WAITALL))
        except TimeoutError:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0) from None
        return int(number)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status; raise TimeoutExpired if the process doesn't end in time."""
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(self._number(timeout))
            self._fate.close()
        return self.returncode

    def poll(self) -> int | None:
        """Return the exit status, or None while the process is running."""
        with suppress(subprocess.TimeoutExpired, BlockingIOError):
            return self.wait(0.0)
        return None

    def send_signal(self, number: signal.Signals) -> None:
        """Send the process a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has just ended, but that is not reported yet
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process immediately, as in a power cut."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, given: bytes = b"", timeout: float | None = None) -> tuple[str, str]:
        """Write *given* to standard input, and return all of standard output and standard error."""
        # Both pipes are read at the same time: a full one that nobody reads would stop the process.
        with ThreadPoolExecutor(2) as pool:
            said, complained = (pool.submit(rest, file) for file in (self.stdout, self.stderr))
            with suppress(BrokenPipeError):  # the process ended before it had read everything
                if not self.stdin.closed:
                    self.stdin.buffer.write(given)
                    self.stdin.close()
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            return said.result(), complained.result()

    def close(self) -> None:
        """End the process if necessary, and close its files."""
        self.kill()
        self.wait(PATIENCE_S)
        self._fate.close()
        for file in (self.stdin, self.stdout, self.stderr):
            with suppress(BrokenPipeError):
                file.close()

    def __enter__(self) -> Self:
        """Return the process, which is closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the process."""
        self.close()


def rest(file: TextIOBase) -> str:
    """Return the rest of *file*."""
    return "" if file.closed else file.read()


def finished(
    module: str, *arguments: object, given: bytes = b"", cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a module to its end, and return its status and output."""
    with Forked(module, *arguments, cwd=cwd, env=env) as process:
        said, complained = process.communicate(given, PATIENCE_S)
        return subprocess.CompletedProcess(process.args, process.wait(), said, complained)
