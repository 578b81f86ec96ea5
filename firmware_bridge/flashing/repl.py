"""A MicroPython board in its raw REPL. Runs code and accesses files, using mpremote."""

from __future__ import annotations

import errno
import os
import struct
import termios
import time
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from io import StringIO
from typing import Any, TypeVar

from companion.kernel.shown import shows
from firmware_bridge.firmware_image.errors import FirmwareFault

ENTER_S = 2.0
READ_S = 3.0  # much longer than a board needs to answer
GOING_S = 0.3  # how long a board takes to disappear
ABOUT = "import sys\nprint(repr((sys.platform, tuple(sys.implementation[1])[:3], sys.implementation[2], {mpy})))"
MPY = "getattr(sys.implementation, '_mpy', 0)"
FILES = """
import os
def walk(folder):
    for entry in list(os.ilistdir(folder)):
        if entry[1] & 0x4000:
            walk(folder + entry[0] + "/")
        else:
            print(repr(folder[1:] + entry[0]))
walk("/")
"""
DIGESTS = """
import hashlib
buffer = memoryview(bytearray(1024))
for path in {paths}:
    digest = hashlib.sha256()
    with open("/" + path, "rb") as file:
        while True:
            count = file.readinto(buffer)
            if not count:
                break
            digest.update(buffer[:count])
    print(repr((path, digest.digest())))
"""
PORTION = 1024  # bytes; mpremote's default of 256 is three times slower
ROOM = "import os\ns = os.statvfs('/')\nprint(repr((s[0], s[3])))"

GONE = (OSError, termios.error, TypeError)
"""The exceptions that a port raises if its board has disappeared. pyserial raises a TypeError for a closed port."""

T = TypeVar("T")


@dataclass(frozen=True)
class About:
    """What a board reports of itself: platform, MicroPython version, machine name and bytecode version."""

    platform: str
    version: tuple[int, ...]
    machine: str
    bytecode: int

    @property
    def words(self) -> str:
        """The machine and version as text."""
        return f"{self.machine}, MicroPython {'.'.join(map(str, self.version))}"


@shows("port", "_transport")
class BoardRepl:
    """The board at *port*, opened exclusively. Raises FirmwareFault if it disappears or refuses."""

    def __init__(self, port: str, transport: Any) -> None:
        self.port = port
        self._transport = transport

    def about(self) -> About:
        """Return the board's platform and versions."""
        platform, version, machine, bytecode = literal_eval(self.run(ABOUT.format(mpy=MPY)))
        return About(platform, tuple(version), machine, bytecode & 0xFF)

    def files(self) -> list[str]:
        """Return the paths of all files, without the leading slash."""
        return sorted(literal_eval(line) for line in self.run(FILES).splitlines())

    def room(self) -> tuple[int, int]:
        """Return the size of a flash block in bytes, and the number of free blocks."""
        size, free = literal_eval(self.run(ROOM))
        return int(size), int(free)

    def read(self, path: str) -> bytes:
        """Return the contents of the file at *path*."""
        return bytes(self._asked(lambda: self._transport.fs_readfile("/" + path, PORTION)))

    def write(self, path: str, data: bytes) -> None:
        """Write the file at *path*. Its folder must exist."""
        self._asked(lambda: self._transport.fs_writefile("/" + path, data, PORTION))

    def digests(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the SHA-256 of each file in *paths*, computed by the board."""
        entries = map(literal_eval, self.run(DIGESTS.format(paths=repr(list(paths)))).splitlines())
        return {path: digest.hex() for path, digest in entries}

    def run(self, code: str) -> str:
        """Run *code* on the board; return its output."""
        return bytes(self._asked(lambda: self._transport.exec(code))).decode().strip()

    def reset(self) -> None:
        """Restart the board and close its port."""
        with suppress(FirmwareFault):  # the board disappears before it has answered
            self._asked(self._send_away)
        self.close()

    def close(self) -> None:
        """Close the port, even if the board has gone.

        Otherwise the port would get another name when the board returns.
        """
        with suppress(*GONE):
            self._transport.close()
        with suppress(*GONE):
            self._transport.serial.close()

    def _send_away(self) -> None:
        self._transport.exec_raw_no_follow("import machine\nmachine.reset()")
        serial, until = self._transport.serial, time.monotonic() + GOING_S
        serial.timeout = GOING_S
        while time.monotonic() < until:  # do not wait for silence: on a UART our firmware starts sending at once
            serial.read(1)

    def _asked(self, deed: Callable[[], T]) -> T:
        with _plainly(self.port):
            return deed()


def at_prompt(port: str) -> BoardRepl:
    """Get the board at *port* into its REPL and return it. Raise FirmwareFault if it has no REPL."""
    from mpremote.transport_serial import SerialTransport

    with _plainly(port):
        transport = SerialTransport(os.path.realpath(port), timeout=READ_S)
    try:
        with _plainly(port):
            transport.enter_raw_repl(soft_reset=False, timeout_overall=ENTER_S)
    except FirmwareFault:
        BoardRepl(port, transport).close()
        raise FirmwareFault(f"What is at {port} is neither a ring nor MicroPython.") from None
    return BoardRepl(port, transport)


@contextmanager
def _plainly(port: str) -> Iterator[None]:
    """Suppress what mpremote prints, and turn its exceptions into FirmwareFault with one sentence."""
    from mpremote.transport import TransportError, TransportExecError

    try:
        with redirect_stdout(StringIO()):
            yield
    except TransportExecError as fault:
        raise FirmwareFault(f"The board at {port} says: {_last_line(fault.error_output)}.") from None
    except GONE as fault:
        if isinstance(fault, OSError) and fault.errno == errno.ENOSPC:
            raise FirmwareFault(f"The flash of the board at {port} is full.") from None
        raise FirmwareFault(f"The board at {port} is gone or can't be reached ({fault}).") from None
    except (TransportError, struct.error) as fault:
        raise FirmwareFault(f"The board at {port} stopped answering ({fault}).") from None


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "nothing")


def folders(paths: Iterable[str]) -> list[str]:
    """Return all folders that contain *paths*, outer folders first.

    >>> folders(["main.py", "ring/edges.mpy"])
    ['ring']
    """
    found = {path.rsplit("/", n)[0] for path in paths for n in range(1, path.count("/") + 1)}
    return sorted(found)
