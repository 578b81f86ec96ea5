"""The child process in which a board's MicroPython runs: its questions come out of it, one after another."""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from companion.kernel.shown import shows

LINE = 3  # the descriptor that the child asks by
PORTION = 65_536
LAST_WORDS = 4_000  # characters
STARTS_S = 60.0  # until the first question, on a machine that has much else to do
MOST_SILENCES = 20  # times its patience, after which a child is given up that hardly works


class Crashed(Exception):
    """What runs on the emulated board has come to an end that nobody planned."""


class Hung(Exception):
    """The board has worked for too long without a question: on something that never ends."""


@dataclass(frozen=True)
class BoardQuestion:
    """One question: *spent_us* after the one before, the watchdog fed *fed_us* after it (-1: not), and what it is."""

    verb: str
    spent_us: int
    fed_us: int
    one: int
    two: int
    data: bytes


@shows("_rest", "_worked_s", "_silences")
class Child:
    """One run of MicroPython; ends with us, however we end.

    *patience_s* is what it may work between two questions, in seconds of processor time: on a busy machine it may take
    much longer by the clock. Where a machine doesn't tell how much a process has worked, the clock counts.
    """

    def __init__(self, command: Sequence[str], patience_s: float) -> None:
        self._ours, theirs = socket.socketpair()
        self._ours.settimeout(STARTS_S)
        self._patience_s = patience_s
        self._said = TemporaryFile()  # noqa: SIM115  # it ends with the child
        # Nothing is ever written: it closes when we end, however that is, and the kernel kills the child.
        lives, self._life = os.pipe()
        try:
            self._process = _started(command, theirs, lives, self._said.fileno())
        finally:
            theirs.close()
            os.close(lives)
        self.pid = self._process.pid
        self._rest = b""
        self._worked_s, self._silences = 0.0, 0

    def question(self) -> BoardQuestion:
        """Return the next question; `Crashed` when there will be none, `Hung` when it does not come in time."""
        verb, spent, fed, one, two, data = self.line().split(" ")
        return BoardQuestion(verb, int(spent), int(fed), int(one), int(two), bytes.fromhex(data))

    def line(self) -> str:
        """Return the next line that it asks; faults as with `question`."""
        while b"\n" not in self._rest:
            try:
                portion = self._ours.recv(PORTION)
            except TimeoutError:
                if self._still_starts_or_waits():
                    continue
                raise Hung from None
            except ConnectionResetError:  # it died before it had read our last answer
                portion = b""
            if not portion:
                self._process.wait()
                raise Crashed(self.last_words())
            self._rest += portion
        self._ours.settimeout(self._patience_s)
        self._worked_s, self._silences = processor_s(self.pid), 0
        line, self._rest = self._rest.split(b"\n", 1)
        return line.decode()

    def _still_starts_or_waits(self) -> bool:
        """Say whether it had too little of the processor since its last question to be at work without an end."""
        self._silences += 1
        worked = processor_s(self.pid) - self._worked_s
        return 0 < worked < self._patience_s and self._silences < MOST_SILENCES

    def answer(self, text: str) -> None:
        """Answer the last question."""
        with suppress(BrokenPipeError, ConnectionResetError):  # the next question tells that it has died
            self._ours.sendall(text.encode() + b"\n")

    def last_words(self) -> str:
        """Return the end of what it has printed."""
        self._said.seek(0)
        text = self._said.read().decode(errors="replace").strip()
        return text[-LAST_WORDS:] or f"it stopped by itself (status {self._process.returncode}) and said nothing"

    def end(self) -> None:
        """End it at once, as a power cut would."""
        self._process.kill()
        self._process.wait()
        self._ours.close()
        self._said.close()
        os.close(self._life)


def processor_s(pid: int) -> float:
    """Return how many seconds of processor time a process has taken, 0 where the machine doesn't tell."""
    try:
        figures = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return 0.0
    user, system = figures.rpartition(b")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _started(command: Sequence[str], line: socket.socket, lives: int, said: int) -> subprocess.Popen[bytes]:
    """Start *command* with *line* as descriptor 3; the kernel kills it (SIGIO) when the pipe *lives* loses its writer.

    It would notice at its next question, but a program that hangs has none.
    """
    # Through the shell's own input, as not every shell knows descriptors of two digits.
    shell = ["/bin/sh", "-c", f'exec "$@" {LINE}<&0 0</dev/null', "sh", *command]
    process = subprocess.Popen(shell, pass_fds=[lives], stdin=line.fileno(), stdout=said, stderr=said)  # noqa: S603
    fcntl.fcntl(lives, fcntl.F_SETOWN, process.pid)
    fcntl.fcntl(lives, fcntl.F_SETFL, fcntl.fcntl(lives, fcntl.F_GETFL) | os.O_ASYNC)
    return process
