"""A machine that boots a real kernel: its card, its power switch, and the serial line for commands."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Protocol

# On a busy host a machine gets a tenth of a processor, so everything takes ten times as long.
PATIENCE_S = 600.0
COMMAND_S = 300.0
ANSWER_S = 180.0
MORE_S = 120.0
LOOKS_S = 0.3
ENDS_S = 0.05
WATCHED_S = 0.5
PAINT = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
LAST_WORDS = 30


class Gone(Exception):
    """The machine doesn't answer on its line: it has exited or is hanging."""


class Otherwise(Exception):
    """The result of a scene was not what its sentence says; the text is what was seen."""


@dataclass(frozen=True)
class Done:
    """The result of a command: its status and output."""

    status: int
    out: str


@dataclass(frozen=True)
class Answer:
    """The answer of an address; status 0 means none."""

    status: int
    headers: list[tuple[str, str]]
    body: str

    @property
    def json(self) -> Any:
        """Return the body as JSON."""
        return json.loads(self.body)


Lines = tuple[socket.socket, socket.socket]


class Hardware(Protocol):
    """Starts machines: user-mode Linux, or QEMU."""

    name: str
    slower: float
    """Its timeouts as a multiple of those for user-mode Linux."""
    lacks: tuple[str, ...]
    """The evenings for which it lacks parts."""

    def start(self, folder: Path, card: Path, lines: Lines, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
        """Start a machine with *card*, its serial lines ttyS1 and ttyS2 on *lines*, and more *words* for its kernel."""

    def processes(self, folder: Path) -> list[int]:
        """Return the processes of the machine in *folder*."""


class Machine:
    """A machine in *folder*; its card is a copy of *card* and survives its boots; after *lasts_s* it is ended."""

    def __init__(self, hardware: Hardware, folder: Path, card: Path, lasts_s: float = inf) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.card = folder / "card.ext4"
        self.boots = 0
        self.began = 0.0
        self._hardware = hardware
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._second: socket.socket | None = None
        self._heard = b""
        self._asked = 0
        self._lasts_s = lasts_s
        self._made = time.monotonic()
        self.heard = False
        self.pull()  # a process left by an interrupted run would still have the card
        (folder / "console.log").unlink(missing_ok=True)
        subprocess.run(["cp", "--sparse=always", str(card), str(self.card)], check=True)

    def boot(self, *words: str) -> str:
        """Switch it on, and return its boot id once it answers on its line."""
        self.began = time.monotonic()
        self.boots += 1
        self._line, its_first = socket.socketpair()
        self._second, its_second = socket.socketpair()
        with its_first, its_second:
            self._process = self._hardware.start(self.folder, self.card, (its_first, its_second), words)
        self._heard, self.heard = b"", False
        hello = self._word(PATIENCE_S * self._hardware.slower)
        self.heard = True
        return str(hello["hello"])

    def run(self, command: str, user: str = "root", timeout: float = COMMAND_S) -> Done:
        """Run *command* in a shell of *user*, and return its result."""
        timeout *= self._hardware.slower
        answer = self._ask({"run": command, "user": user, "timeout": timeout}, timeout + MORE_S)
        return Done(answer["status"], answer["out"])

    def do(self, command: str, user: str = "root", timeout: float = COMMAND_S) -> str:
        """Run *command*, and return its output; raise `Otherwise` if it fails."""
        done = self.run(command, user, timeout)
        if done.status:
            raise Otherwise(f"`{command}` ended with {done.status}: {done.out.strip()[-600:]}")
        return done.out

    def ask(
        self, method: str, path: str, body: str = "", headers: Mapping[str, str] | None = None, host: str = "127.0.0.1"
    ) -> Answer:
        """Send a request to the service, from the machine itself."""
        told = {"method": method, "path": path, "body": body, "headers": dict(headers or {}), "host": host}
        timeout = ANSWER_S * self._hardware.slower
        answer = self._ask({**told, "port": 8000, "timeout": timeout}, timeout + MORE_S)
        return Answer(answer["status"], [(name, value) for name, value in answer["headers"]], answer["body"])

    @property
    def second_line(self) -> socket.socket:
        """Return the other end of its serial line ttyS2, which scenes may use."""
        if self._second is None:
            raise Gone("the machine is off")
        return self._second

    def pull(self) -> None:
        """Kill the machine; may be called by any thread while another waits for an answer."""
        kernel = None if self._process is None else self._process.pid
        # Stopped first and killed last: a kernel reports the loss of its processes, and processes whose kernel is
        # gone before them continue as processes of this machine, with the files that they have open.
        if kernel is not None:
            _stopped(kernel)
        for number in sorted(self._hardware.processes(self.folder), key=lambda number: number == kernel):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def cut(self) -> None:
        """Cut its power: data that its kernel hasn't written to the card is lost."""
        self.pull()
        self._over()

    def off(self) -> float:
        """Wait until it has switched itself off; return how long that took."""
        began = time.monotonic()
        assert self._process is not None
        try:
            self._process.wait(PATIENCE_S * self._hardware.slower)
        except subprocess.TimeoutExpired:
            raise Otherwise(f"it is still on after {PATIENCE_S:g} s") from None
        self._over()
        return time.monotonic() - began

    def shut_down(self) -> None:
        """Switch it off as its user would."""
        self.run("systemctl --no-block poweroff")
        self.off()

    def console(self) -> str:
        """Return the last lines of its console."""
        text = (self.folder / "console.log").read_text(encoding="utf-8", errors="replace")
        lines = (PAINT.sub("", line).strip() for line in text.splitlines())
        return "\n".join([line for line in lines if line][-LAST_WORDS:])

    def symptoms(self) -> str:
        """Return whether it is busy or idle, according to its processor time."""
        before = self._used_s()
        if not before:
            return "it is off"
        time.sleep(WATCHED_S)
        share = (sum(self._used_s().values()) - sum(before.values())) / WATCHED_S
        return f"it takes {share:.0%} of a processor"

    def _used_s(self) -> dict[int, float]:
        """Return the processor time of its processes."""
        used = {}
        for number in self._hardware.processes(self.folder):
            with suppress(OSError):
                texts = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
                used[number] = (int(texts[11]) + int(texts[12])) / os.sysconf("SC_CLK_TCK")
        return used

    def _over(self) -> None:
        # The last process to end releases the card, which the next boot needs.
        while self._hardware.processes(self.folder) or not let_go(self.card):
            self.pull()
            time.sleep(ENDS_S)
        if self._process is not None:
            self._process.wait()
        for line in (self._line, self._second):
            if line is not None:
                line.close()
        self._process = self._line = self._second = None

    def _ask(self, told: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        if self._line is None:
            raise Gone("the machine is off")
        self._asked += 1
        try:
            self._line.sendall(json.dumps({"id": self._asked, **told}).encode() + b"\n")
        except OSError as fault:
            raise Gone(f"the machine is gone: {fault}") from None
        while (answer := self._word(timeout)).get("id") != self._asked:
            pass
        return answer

    def _word(self, timeout: float) -> dict[str, Any]:
        assert self._line is not None
        ends = self._made + self._lasts_s
        until = min(time.monotonic() + timeout, ends)
        while b"\n" not in self._heard:
            self._line.settimeout(max(0.01, until - time.monotonic()))
            try:
                data = self._line.recv(65536)
            except TimeoutError:
                if until == ends:
                    raise Gone(f"its evening has lasted {self._lasts_s / 60:.0f} minutes") from None
                raise Gone(f"the machine has said nothing for {timeout:g} s") from None
            except OSError as fault:
                raise Gone(f"the machine is gone: {fault}") from None
            if not data:
                raise Gone("the machine has ended")
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        try:
            told: dict[str, Any] = json.loads(line)
        except ValueError:
            raise Gone(f"the machine broke off in the middle of a line: {line[-80:]!r}") from None
        return told


def until(what: str, seen: Callable[[], str], patience_s: float = PATIENCE_S) -> str:
    """Poll *seen* until it returns ""; raise `Otherwise` with its last text on a timeout."""
    over = time.monotonic() + patience_s
    while missing := seen():
        if time.monotonic() > over:
            raise Otherwise(f"after {patience_s:g} s not {what}: {missing}")
        time.sleep(LOOKS_S)
    return what


def _stopped(number: int) -> None:
    """Stop a process, and wait until it has stopped or ended."""
    with suppress(ProcessLookupError, FileNotFoundError):
        os.kill(number, signal.SIGSTOP)
        while Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "TtZX":
            time.sleep(ENDS_S)


def let_go(card: Path) -> bool:
    """Return whether *card* is unlocked: an ending process loses its name before it closes its files."""
    with card.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def copied(card: Path, to: Path) -> Path:
    """Copy *card* to *to*."""
    fresh = to.with_suffix(".new")
    subprocess.run(["cp", "--sparse=always", str(card), str(fresh)], check=True)
    fresh.rename(to)
    return to
