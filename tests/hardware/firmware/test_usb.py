"""USB: the board's own bytes (ring/usb.py), on MicroPython's unix port behind a pseudo-terminal."""

from __future__ import annotations

import builtins
import os
import pty
import subprocess
import tty
from collections.abc import Iterator
from pathlib import Path
from select import select
from types import SimpleNamespace
from typing import Any

import pytest

from firmware_bridge.simulation.emulated.runtimes import home, installed, unix

FIRMWARE = Path(__file__).resolve().parents[3] / "hardware" / "firmware"
PATIENCE_S = 60.0
ECHO = """
import sys
sys.path.insert(0, {firmware!r})
from ring.usb import Usb
usb = Usb()
usb.write(b"ready;")
while True:
    usb.rest(1_000_000, lambda: False)
    heard = usb.read()
    usb.write(heard)
"""
EVERY_BYTE = bytes(range(256))


@pytest.fixture
def far_end() -> Iterator[int]:
    """The host's end of a line on which a board says back what it hears."""
    if not installed("unix"):
        pytest.skip("MicroPython's unix port is not installed: sh hardware/emulator/get-unix.sh .venv/micropython")
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    command = [*unix(home()), "-c", ECHO.format(firmware=str(FIRMWARE))]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs)
    yield ours
    process.kill()
    process.wait()
    os.close(ours)
    os.close(theirs)


def heard(fd: int, count: int) -> bytes:
    """Return *count* bytes, or what came until nothing more did."""
    found = b""
    while len(found) < count and select([fd], [], [], PATIENCE_S)[0]:
        found += os.read(fd, count - len(found))
    return found


def test_every_byte_passes_as_it_is(far_end):
    """No byte is a key of the prompt, nor the end of the program: not even Ctrl-C, Ctrl-D or Ctrl-A."""
    assert heard(far_end, 6) == b"ready;"

    os.write(far_end, EVERY_BYTE)

    assert heard(far_end, 256) == EVERY_BYTE


def test_what_comes_while_it_rests_wakes_it(far_end):
    """A byte is heard when it comes, long before the rest would be over."""
    assert heard(far_end, 6) == b"ready;"

    for _ in range(20):
        os.write(far_end, b"\x03")
        assert heard(far_end, 1) == b"\x03"


class Deaf:
    """A host that reads no more, as MicroPython 1.23 shows it: it seems to have room, and takes only so many bytes."""

    def __init__(self, takes: int) -> None:
        self.room = takes
        self.asked = 0
        self.buffer = self

    def write(self, data: bytes) -> int:
        """Take what there is room for; whoever asks for ever would hang."""
        self.asked += 1
        assert self.asked < 100, "asked again and again"
        taken = min(len(data), self.room)
        self.room -= taken
        return taken

    def usb(self) -> Any:
        """The firmware's own `Usb`, with this as what its bytes go to."""
        waiting = SimpleNamespace(register=lambda *how: None, ipoll=lambda ms: [1])
        modules = {
            "sys": SimpleNamespace(stdin=None, stdout=self),
            "select": SimpleNamespace(POLLIN=1, POLLOUT=4, poll=lambda: waiting),
            "time": SimpleNamespace(ticks_diff=int.__sub__, ticks_us=lambda: 0),
            "machine": SimpleNamespace(idle=lambda: None),
            "micropython": SimpleNamespace(kbd_intr=lambda key: None),
        }
        here = {**vars(builtins), "__import__": lambda name, *more: modules[name]}
        names: dict[str, Any] = {"__builtins__": here, "__name__": "ring.usb"}
        source = FIRMWARE / "ring" / "usb.py"
        exec(compile(source.read_text(), str(source), "exec"), names)  # noqa: S102  # our own file
        return names["Usb"]()


@pytest.mark.parametrize("takes", [0, 40, 64, 200])
def test_a_host_that_takes_nothing_more_is_left_alone(takes):
    """What was not taken is left for later, though the wire says that there is room: no watchdog has to end it."""
    assert Deaf(takes).usb().write(bytes(300)) == takes
