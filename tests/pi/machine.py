"""One machine that boots a real kernel: its card, its power switch, and the line on which it is told what to do."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

PATIENCE_S = 240.0
LOOKS_S = 0.3
ENDS_S = 0.05


class Gone(Exception):
    """The machine does not answer on its line: it has ended, or hangs."""


class Hung(Gone):
    """The machine has said nothing for so long that its kernel must hang; no program on it can make it do that."""


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


class Hardware(Protocol):
    """What starts a machine: user-mode Linux, or QEMU."""

    def start(self, folder: Path, card: Path, line: socket.socket, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
        """Start it with *card*, its serial line on *line*, and more *words* for its kernel."""

    def processes(self, folder: Path) -> list[int]:
        """Return the processes of the machine that lives in *folder*."""


class Machine:
    """A machine in *folder*; its card outlives its boots, and is a copy of *card*."""

    def __init__(self, hardware: Hardware, folder: Path, card: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.card = folder / "card.ext4"
        self.boots = 0
        self.began = 0.0
        self._hardware = hardware
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._heard = b""
        self._asked = 0
        self.pull()  # one that was left behind by a run that was cut short would still have the card
        (folder / "console.log").unlink(missing_ok=True)
        subprocess.run(["cp", "--sparse=always", str(card), str(self.card)], check=True)

    def boot(self, *words: str) -> str:
        """Switch it on and return its boot's name, once it answers on its line."""
        self.began = time.monotonic()
        self.boots += 1
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = self._hardware.start(self.folder, self.card, theirs, words)
        self._line, self._heard = ours, b""
        hello = self._word(PATIENCE_S)
        return str(hello["hello"])

    def run(self, command: str, user: str = "root", timeout: float = 120.0) -> Done:
        """Run *command* in a shell of *user* and return what became of it."""
        answer = self._ask({"run": command, "user": user, "timeout": timeout}, timeout + 60)
        return Done(answer["status"], answer["out"])

    def do(self, command: str, user: str = "root", timeout: float = 120.0) -> str:
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
        answer = self._ask({**told, "port": 8000, "timeout": 60}, 120)
        return Answer(answer["status"], [(name, value) for name, value in answer["headers"]], answer["body"])

    def pull(self) -> None:
        """Pull its plug; from any thread, while another may be waiting for an answer."""
        for number in self._hardware.processes(self.folder):
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
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise Otherwise(f"it is still on after {PATIENCE_S:g} s") from None
        self._over()
        return time.monotonic() - began

    def shut_down(self) -> None:
        """Switch it off as its user would."""
        self.run("systemctl --no-block poweroff")
        self.off()

    def _over(self) -> None:
        # The last of them to go lets go of the card, and the next boot needs it.
        while self._hardware.processes(self.folder):
            self.pull()
            time.sleep(ENDS_S)
        if self._process is not None:
            self._process.wait()
        if self._line is not None:
            self._line.close()
        self._process = self._line = None

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
        until = time.monotonic() + timeout
        while b"\n" not in self._heard:
            self._line.settimeout(max(0.01, until - time.monotonic()))
            try:
                data = self._line.recv(65536)
            except TimeoutError:
                raise Hung(f"the machine has said nothing for {timeout:g} s") from None
            except OSError as fault:
                raise Gone(f"the machine is gone: {fault}") from None
            if not data:
                raise Gone("the machine has ended")
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        told: dict[str, Any] = json.loads(line)
        return told


def until(what: str, seen: Callable[[], str], patience_s: float = PATIENCE_S) -> str:
    """Look until *seen* says nothing any more is missing (empty); `Otherwise` with what it said last."""
    over = time.monotonic() + patience_s
    while missing := seen():
        if time.monotonic() > over:
            raise Otherwise(f"after {patience_s:g} s not {what}: {missing}")
        time.sleep(LOOKS_S)
    return what


def copied(card: Path, to: Path) -> Path:
    """Keep a copy of *card* at *to*."""
    fresh = to.with_suffix(".new")
    subprocess.run(["cp", "--sparse=always", str(card), str(fresh)], check=True)
    fresh.rename(to)
    return to
