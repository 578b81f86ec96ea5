"""The child process that runs a board's MicroPython. It asks questions over a socket, one question per line."""

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

LINE = 3  # the file descriptor that the child uses for its questions
PORTION = 65_536
LAST_WORDS = 4_000  # characters of the child's output
STARTS_S = 60.0  # the longest wait for the first question, on a busy machine
MOST_SILENCES = 20  # after this many timeouts a child is killed even if it got hardly any processor time


class Crashed(Exception):
    """The program on the emulated board has ended unexpectedly."""


class Hung(Exception):
    """The board has computed for too long without a question, probably in an endless loop."""


@dataclass(frozen=True)
class BoardQuestion:
    """One question of the board.

    This question comes *spent_us* after the previous one. The watchdog was fed *fed_us* after the previous one (-1: not
    fed).
    """

    verb: str
    spent_us: int
    fed_us: int
    one: int
    two: int
    data: bytes


@shows("_rest", "_worked_s", "_silences")
class Child:
    """One run of MicroPython. It ends when this process ends, even if this process is killed.

    *patience_s* is how long it may compute between two questions, in seconds of processor time. On a busy machine that
    may be a much longer time by the clock. If the processor time is unknown, wall-clock time is used.
    """

    def __init__(self, command: Sequence[str], patience_s: float) -> None:
        self._ours, theirs = socket.socketpair()
        self._ours.settimeout(STARTS_S)
        self._patience_s = patience_s
        self._said = TemporaryFile()  # noqa: SIM115  # deleted with the child
        # Nothing is ever written to this pipe. It closes when this process ends in any way, and then the kernel kills
        # the child.
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
        """Return the next question. Raise `Crashed` if the child has ended, or `Hung` if no question comes in time."""
        verb, spent, fed, one, two, data = self.line().split(" ")
        return BoardQuestion(verb, int(spent), int(fed), int(one), int(two), bytes.fromhex(data))

    def line(self) -> str:
        """Return the next line that the child writes. Raises like `question`."""
        while b"\n" not in self._rest:
            try:
                portion = self._ours.recv(PORTION)
            except TimeoutError:
                if self._still_starts_or_waits():
                    continue
                raise Hung from None
            except ConnectionResetError:  # the child died before it had read our last answer
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
        """Return whether the child cannot be called hung, because it has had too little processor time since its last
        question.
        """
        self._silences += 1
        worked = processor_s(self.pid) - self._worked_s
        return 0 < worked < self._patience_s and self._silences < MOST_SILENCES

    def answer(self, text: str) -> None:
        """Answer the last question."""
        with suppress(BrokenPipeError, ConnectionResetError):  # the next question reports that the child has died
            self._ours.sendall(text.encode() + b"\n")

    def last_words(self) -> str:
        """Return the end of the child's output."""
        self._said.seek(0)
        text = self._said.read().decode(errors="replace").strip()
        return text[-LAST_WORDS:] or f"it stopped by itself (status {self._process.returncode}) and said nothing"

    def end(self) -> None:
        """Kill the child at once, like a power cut."""
        self._process.kill()
        self._process.wait()
        self._ours.close()
        self._said.close()
        os.close(self._life)


def processor_s(pid: int) -> float:
    """Return the processor time of a process in seconds, or 0 if this machine does not report it."""
    try:
        figures = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return 0.0
    user, system = figures.rpartition(b")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _started(command: Sequence[str], line: socket.socket, lives: int, said: int) -> subprocess.Popen[bytes]:
    """Start *command* with *line* as file descriptor 3.

    The kernel kills the child (SIGIO) when the writing end of the pipe *lives* closes.

    Without this, the child would notice our end only at its next question, and a program that hangs asks no questions.
    """
    # The shell gets the pipe as its standard input, because some shells cannot parse descriptors with two digits.
    shell = ["/bin/sh", "-c", f'exec "$@" {LINE}<&0 0</dev/null', "sh", *command]
    process = subprocess.Popen(shell, pass_fds=[lives], stdin=line.fileno(), stdout=said, stderr=said)  # noqa: S603
    fcntl.fcntl(lives, fcntl.F_SETOWN, process.pid)
    fcntl.fcntl(lives, fcntl.F_SETFL, fcntl.fcntl(lives, fcntl.F_GETFL) | os.O_ASYNC)
    return process
