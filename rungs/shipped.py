"""The rungs that come with the kit: a serial port, a process behind a pty, a recording, and a hand at the bench."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from types import MappingProxyType

from rungs.capture import BadCapture, ReplayWire, read_capture
from rungs.load import waited_s
from rungs.person import Person
from rungs.rung import Missing, Rung, Spec, Unable
from rungs.wire import BAUD, FileWire, Terminal, Wire, WireLost, open_wire

ENDS_S = 5.0
STARTS_S = 20.0
LOOKS_S = 0.002
RESTORED_S = 1.0  # how long the answer to the line that restores a device may take
QUIET_S = 0.02
FAULT_ARGUMENT = "RUNGS_FAULT_ARGUMENT"
"""The environment variable with the words that `--rungs-faults` adds to the command of a process."""


class SerialRung(Rung):
    """A device at a serial port: a path, or any pyserial URL (`socket://127.0.0.1:4000`, `rfc2217://…`).

    The suite can define how to restore the device: the text of `restore = "reset\\n"` in
    `[tool.pytest-rungs]` is written to the port after each test.
    """

    name = "serial"
    alone = True
    cannot: Mapping[str, str] = MappingProxyType(
        {
            "power": "Nothing on this bench switches the power of a device at a serial port.",
        }
    )

    def __init__(self, url: str, restore: bytes = b"", baud: int = BAUD) -> None:
        self._url = url
        self._restore = restore
        self._baud = baud
        self.wire().close()

    def __repr__(self) -> str:
        return f"<SerialRung url={self._url!r}>"

    def wire(self) -> Wire:
        """Return a wire to the port, without the bytes that the device has sent earlier."""
        wire = open_wire(self._url, baud=self._baud)
        with suppress(WireLost):
            while wire.read(0.0):
                pass
        return wire

    def restore(self) -> None:
        """Write the line that restores the device, if the suite has one."""
        if self._restore:
            send_and_hear(self.wire(), self._restore)

    def facts(self) -> Mapping[str, object]:
        """Return the port."""
        return {"port": self._url}


class ProcessRung(Rung):
    """A device that is a separate process, started by *command*.

    `{pty}` in the command stands for the path of the pseudo-terminal that the process opens.

    `restore` ends the process and starts it again, so each test has a device that has just been
    switched on.
    """

    name = "process"

    def __init__(self, command: str, folder: Path) -> None:
        self._command = f"{command} {os.environ.get(FAULT_ARGUMENT, '')}".strip()
        self._folder = folder
        self._own = TemporaryDirectory(prefix="rungs-")
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = 0
        try:
            self._start()
        except Missing:
            self.close()
            raise

    def __repr__(self) -> str:
        return f"<ProcessRung command={self._command!r} starts={self._starts}>"

    def wire(self) -> Wire:
        """Return a wire to the process. Raise `WireLost` if the process has ended."""
        self.check()
        return _ProcessWire(self._command, os.dup(self._terminal.wire.fileno()), self)

    def check(self, within_s: float = 0.0) -> None:
        """Raise `WireLost` if the process has ended, or ends within *within_s* seconds."""
        if self._process is not None and within_s:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(within_s)
        if self._process is None or self._process.poll() is not None:
            raise WireLost(f"The process `{self._command}` has ended{self._complaint()}.")

    def do(self, deed: str, **more: object) -> None:
        """Do `power-cycle`: end the process, and start it again."""
        if deed != "power-cycle":
            raise Unable(f"A process has nobody who can {deed}.")
        self._stop()
        self._start()

    def restore(self) -> None:
        """Start the process again."""
        self.do("power-cycle")

    def waited_s(self) -> float:
        """Return how long the process has waited for a processor."""
        return waited_s(self._process.pid) if self._process is not None else 0.0

    def facts(self) -> Mapping[str, object]:
        """Return the command."""
        return {"command": self._command}

    def close(self) -> None:
        """End the process."""
        self._stop()
        self._own.cleanup()

    def _start(self) -> None:
        self._starts += 1
        self._terminal = Terminal()
        self._errors = Path(self._own.name) / "stderr"
        words = [word.replace("{pty}", self._terminal.path) for word in shlex.split(self._command)]
        try:
            with self._errors.open("wb") as errors:
                self._process = subprocess.Popen(
                    words, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
                )
        except OSError as fault:
            self._terminal.close()
            raise Missing(f"`{self._command}` can't be started: {fault.strerror or fault}.") from None
        self._opened()

    def _opened(self) -> None:
        """Wait until the process has opened its terminal, so that no answer's time includes the start."""
        self._terminal.release()
        until = time.monotonic() + STARTS_S
        pause = Event()
        while not self._terminal.opened:
            if self._process is None or self._process.poll() is not None:
                raise Missing(f"`{self._command}` has ended{self._complaint()}.")
            if time.monotonic() > until:
                raise Missing(f"`{self._command}` does not open {{pty}} within {STARTS_S:g} s.")
            pause.wait(LOOKS_S)

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(ENDS_S)
            self._terminal.close()
        self._process = None

    def _complaint(self) -> str:
        lines = self._errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f": {lines[-1].rstrip('.')}" if lines else ""


class _ProcessWire(FileWire):
    """A wire to a process. If the process has ended, `WireLost` gives its last output as the reason."""

    def __init__(self, name: str, fd: int, process: ProcessRung) -> None:
        super().__init__(name, fd)
        self._process = process

    def read(self, timeout_s: float) -> bytes:
        try:
            return super().read(timeout_s)
        except WireLost:
            self._process.check(ENDS_S)
            raise

    def write(self, data: bytes) -> None:
        self._process.check()
        super().write(data)


class ReplayRung(Rung):
    """A recording: `replay:FILE`, or `replay:FILE?loose` if the host may leave lines out.

    A strict recording continues from test to test, so the recording of a whole run, such as the proxy
    makes, can replay that run; after each test it continues after the next *restore*. A loose recording
    starts again with each wire.
    """

    name = "replay"
    live = False
    cannot: Mapping[str, str] = MappingProxyType(
        {
            "power": "A recording can't be switched off.",
            "button": "A recording has no button.",
        }
    )

    def __init__(self, argument: str, folder: Path, restore: bytes = b"") -> None:
        file, _, how = argument.partition("?")
        if how not in ("", "loose", "strict"):
            raise Missing(f"A recording is replayed `strict` or `loose`, not {how!r}.")
        try:
            self._capture = read_capture(folder / file)
        except BadCapture as fault:
            raise Missing(f"{fault}.") from None
        self._strict = how != "loose"
        self._restore = restore
        self._wire = ReplayWire(self._capture, self._strict)

    def __repr__(self) -> str:
        return f"<ReplayRung capture={self._capture.path!r}>"

    def wire(self) -> Wire:
        """Return a wire to the recording, at its present position if it is strict, otherwise at its beginning."""
        if not self._strict:
            before = self._wire.now()
            self._wire = ReplayWire(self._capture, self._strict)
            self._wire.wait(before)
        return self._wire

    def now(self) -> float:
        """Return the time in the recording."""
        return self._wire.now()

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._wire.wait(seconds)

    def restore(self) -> None:
        """Continue after the next line that restored the device, if the recording is strict and has one."""
        if self._strict and self._restore and self._wire.skip_to(self._restore):
            send_and_hear(self._wire, self._restore)


def send_and_hear(wire: Wire, line: bytes) -> None:
    """Send the line that restores a device, wait until it has answered and is quiet, and close *wire*."""
    wire.write(line)
    wait_s = RESTORED_S
    while wire.read(wait_s):
        wait_s = QUIET_S
    wire.close()


def serial(spec: Spec) -> Rung:
    """Return the rung `serial:URL`."""
    if not spec.argument:
        raise Missing("`serial:` needs a port, as in serial:/dev/ttyACM0, or any URL of pyserial's.")
    return _at_port(SerialRung, spec)


def _at_port(kind: type[SerialRung], spec: Spec) -> Rung:
    baud = spec.config.get("baud", BAUD)
    try:
        return kind(spec.argument, restoring(spec), baud if isinstance(baud, int) else BAUD)
    except WireLost as fault:
        raise Missing(str(fault)) from None


def restoring(spec: Spec) -> bytes:
    """Return the line that restores a device, if the suite has one."""
    return str(spec.config.get("restore", "")).encode()


def process(spec: Spec) -> Rung:
    """Return the rung `process:COMMAND`."""
    if "{pty}" not in spec.argument:
        raise Missing('`process:` needs a command with {pty} in it, as in "process:./device {pty}".')
    return ProcessRung(spec.argument, spec.folder)


def replay(spec: Spec) -> Rung:
    """Return the rung `replay:FILE`."""
    return ReplayRung(spec.argument, spec.folder, restoring(spec))


class HandRung(SerialRung):
    """A device that a person operates: `hand:URL` if it has a serial port, otherwise `hand`. The plugin asks them."""

    name = "hand"
    by_hand = True
    cannot: Mapping[str, str] = MappingProxyType({})
    person: Person | None = None

    def __init__(self, url: str, restore: bytes = b"", baud: int = BAUD) -> None:
        if url:
            super().__init__(url, restore, baud)
        self._url = url
        self._restore = restore if url else b""

    def wire(self) -> Wire:
        """Return a wire to the port. Without a port, only what a person can do and see is tested."""
        if not self._url:
            raise Unable("Nothing is sent to a device without a port, as in hand:/dev/ttyACM0.")
        return super().wire()

    def do(self, deed: str, **more: object) -> None:
        """Ask the person to do *deed*. The request is *sentence*, or the deed's name if there is no sentence."""
        if self.person is None:
            raise Unable(f"Nobody is at the bench who could {deed}: run with --rungs-hand.")
        self.person.ask(str(more.get("sentence", f"{deed}, please.")))

    def facts(self) -> Mapping[str, object]:
        """Return the port, if there is one."""
        return super().facts() if self._url else {}


def hand(spec: Spec) -> Rung:
    """Return the rung `hand:URL`, or `hand`."""
    return _at_port(HandRung, spec)
