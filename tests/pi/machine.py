"""One machine that boots a real kernel: its card, its power switch, and the line on which it is told what to do."""

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

# Where much else runs a machine gets a tenth of a processor, and all that it does takes ten times as long.
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
    """The machine does not answer on its line: it has ended, or hangs."""


class Otherwise(Exception):
    """A scene came to something else than its sentence says; the text is what was seen."""


@dataclass(frozen=True)
class Done:
    """What has become of a command: its status, and all that it said."""

    status: int
    out: str


@dataclass(frozen=True)
class Answer:
    """What a page or an address answered; status 0: nobody did."""

    status: int
    headers: list[tuple[str, str]]
    body: str

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body)


Lines = tuple[socket.socket, socket.socket]


class Hardware(Protocol):
    """What starts a machine: user-mode Linux, or QEMU."""

    name: str
    slower: float
    """How many times more patience it takes than user-mode Linux does."""
    lacks: tuple[str, ...]
    """The evenings for which it has not the parts."""

    def start(self, folder: Path, card: Path, lines: Lines, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
        """Start it with *card*, its serial lines ttyS1 and ttyS2 on *lines*, and more *words* for its kernel."""

    def processes(self, folder: Path) -> list[int]:
        """Return the processes of the machine that lives in *folder*."""


class Machine:
    """A machine in *folder*; its card outlives its boots, and is a copy of *card*; after *lasts_s* it is gone."""

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
        self.pull()  # one that was left behind by a run that was cut short would still have the card
        (folder / "console.log").unlink(missing_ok=True)
        subprocess.run(["cp", "--sparse=always", str(card), str(self.card)], check=True)

    def boot(self, *words: str) -> str:
        """Switch it on and return its boot's name, once it answers on its line."""
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
        """Run *command* in a shell of *user* and return what became of it."""
        timeout *= self._hardware.slower
        answer = self._ask({"run": command, "user": user, "timeout": timeout}, timeout + MORE_S)
        return Done(answer["status"], answer["out"])

    def do(self, command: str, user: str = "root", timeout: float = COMMAND_S) -> str:
        """Run *command* and return what it said; `Otherwise` when it fails."""
        done = self.run(command, user, timeout)
        if done.status:
            raise Otherwise(f"`{command}` ended with {done.status}: {done.out.strip()[-600:]}")
        return done.out

    def ask(
        self, method: str, path: str, body: str = "", headers: Mapping[str, str] | None = None, host: str = "127.0.0.1"
    ) -> Answer:
        """Ask the service on the machine, from the machine."""
        told = {"method": method, "path": path, "body": body, "headers": dict(headers or {}), "host": host}
        timeout = ANSWER_S * self._hardware.slower
        answer = self._ask({**told, "port": 8000, "timeout": timeout}, timeout + MORE_S)
        return Answer(answer["status"], [(name, value) for name, value in answer["headers"]], answer["body"])

    @property
    def second_line(self) -> socket.socket:
        """The other end of its serial line ttyS2, which is for whoever wants it."""
        if self._second is None:
            raise Gone("the machine is off")
        return self._second

    def pull(self) -> None:
        """Pull its plug; from any thread, while another may be waiting for an answer."""
        kernel = None if self._process is None else self._process.pid
        # Stopped first and killed last: a kernel that sees its processes go tells of it, and processes whose kernel has
        # gone before them go on as ones of this machine, with whatever files they have.
        if kernel is not None:
            _stopped(kernel)
        for number in sorted(self._hardware.processes(self.folder), key=lambda number: number == kernel):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def cut(self) -> None:
        """Take its power away: what its kernel has not written to the card is lost."""
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
        """Return the last words on its console."""
        text = (self.folder / "console.log").read_text(encoding="utf-8", errors="replace")
        lines = (PAINT.sub("", line).strip() for line in text.splitlines())
        return "\n".join([line for line in lines if line][-LAST_WORDS:])

    def symptoms(self) -> str:
        """Return whether it works or sleeps, as its processor's time tells."""
        before = self._used_s()
        if not before:
            return "it is off"
        time.sleep(WATCHED_S)
        share = (sum(self._used_s().values()) - sum(before.values())) / WATCHED_S
        return f"it takes {share:.0%} of a processor"

    def _used_s(self) -> dict[int, float]:
        """Return what its processes have used of a processor."""
        used = {}
        for number in self._hardware.processes(self.folder):
            with suppress(OSError):
                texts = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
                used[number] = (int(texts[11]) + int(texts[12])) / os.sysconf("SC_CLK_TCK")
        return used

    def _over(self) -> None:
        # The last of them to go lets go of the card, and the next boot needs it.
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
    """Look until *seen* says nothing any more is missing (empty); `Otherwise` with what it said last."""
    over = time.monotonic() + patience_s
    while missing := seen():
        if time.monotonic() > over:
            raise Otherwise(f"after {patience_s:g} s not {what}: {missing}")
        time.sleep(LOOKS_S)
    return what


def _stopped(number: int) -> None:
    """Stop a process and wait until it stands, or is no more."""
    with suppress(ProcessLookupError, FileNotFoundError):
        os.kill(number, signal.SIGSTOP)
        while Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "TtZX":
            time.sleep(ENDS_S)


def let_go(card: Path) -> bool:
    """Return whether nobody has *card* locked: a process that ends loses its name before it lets go of its files."""
    with card.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def copied(card: Path, to: Path) -> Path:
    """Keep a copy of *card* at *to*."""
    fresh = to.with_suffix(".new")
    subprocess.run(["cp", "--sparse=always", str(card), str(fresh)], check=True)
    fresh.rename(to)
    return to
