"""Processes of their own, forked from a Python that has imported the house: a start costs milliseconds."""

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
    """Start the server, once in each process that asks; it ends when this process does."""
    # Packets keep each request together with its own descriptors.
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, "-m", "tests.forkserver.server", str(theirs.fileno())]
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
    # Run the other way round: the socket is closed, which ends the server, then that is waited for.
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


class Forked:
    """`python -m module argument...` as `subprocess.Popen` would run it, standard files pipes of text.

    With *aloud*, what it complains of goes where ours goes; with a file of *complaints*, there.
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
        """Return the exit status; TimeoutExpired when there is none so soon."""
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(self._number(timeout))
            self._fate.close()
        return self.returncode

    def poll(self) -> int | None:
        """Return the exit status if there is one."""
        with suppress(subprocess.TimeoutExpired, BlockingIOError):
            return self.wait(0.0)
        return None

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has this moment, and nobody has told us yet
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a pulled plug would."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, given: bytes = b"", timeout: float | None = None) -> tuple[str, str]:
        """Give it something to read, and return what it said and complained of until its end."""
        # Both pipes at once: a full one that nobody reads would stop it.
        with ThreadPoolExecutor(2) as pool:
            said, complained = (pool.submit(rest, file) for file in (self.stdout, self.stderr))
            with suppress(BrokenPipeError):  # it ended before it had read all
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
        """End it if need be, and let go of its files."""
        self.kill()
        self.wait(PATIENCE_S)
        self._fate.close()
        for file in (self.stdin, self.stdout, self.stderr):
            with suppress(BrokenPipeError):
                file.close()

    def __enter__(self) -> Self:
        """Be closed in the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()


def rest(file: TextIOBase) -> str:
    """Return what can still be read of *file*."""
    return "" if file.closed else file.read()


def finished(
    module: str, *arguments: object, given: bytes = b"", cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a module to its end and return what it said."""
    with Forked(module, *arguments, cwd=cwd, env=env) as process:
        said, complained = process.communicate(given, PATIENCE_S)
        return subprocess.CompletedProcess(process.args, process.wait(), said, complained)
