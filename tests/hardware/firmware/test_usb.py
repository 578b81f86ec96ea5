"""USB: the board's own bytes (ring/usb.py), on MicroPython's unix port behind a pseudo-terminal."""

from __future__ import annotations

import builtins
import os
import pty
import subprocess
import tty
from collections.abc import Callable, Iterator
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
usb = Usb(lambda: 0)
usb.write(b"ready;")
while True:
    usb.rest(1_000_000, lambda: False)
    heard = usb.read()
    usb.write(heard)
"""
EVERY_BYTE = bytes(range(256))
FRAMES = 0x5011_0048


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

    def usb(self, ticks: Callable[[], int] = lambda: 0, frame: Callable[[], int] = lambda: 0) -> Any:
        """The firmware's own `Usb`, with this as what its bytes go to; *frame* is the number of the host's last one."""
        waiting = SimpleNamespace(register=lambda *how: None, ipoll=lambda ms: [1])
        modules = {
            "sys": SimpleNamespace(stdin=None, stdout=self),
            "select": SimpleNamespace(POLLIN=1, POLLOUT=4, poll=lambda: waiting),
            "time": SimpleNamespace(ticks_diff=int.__sub__, ticks_us=ticks),
            "machine": SimpleNamespace(idle=lambda: None, mem32={FRAMES: 0}),
            "ring.chip": SimpleNamespace(FRAMES=FRAMES),
            "micropython": SimpleNamespace(kbd_intr=lambda key: None),
        }
        here = {**vars(builtins), "__import__": lambda name, *more: modules[name]}
        names: dict[str, Any] = {"__builtins__": here, "__name__": "ring.usb"}
        source = FIRMWARE / "ring" / "usb.py"
        exec(compile(source.read_text(), str(source), "exec"), names)  # noqa: S102  # our own file
        return names["Usb"](frame)


@pytest.mark.parametrize("takes", [0, 40, 64, 200])
def test_a_host_that_takes_nothing_more_is_left_alone(takes):
    """What was not taken is left for later, though the wire says that there is room: no watchdog has to end it."""
    assert Deaf(takes).usb().write(bytes(300)) == takes


class Host:
    """A host that sends a frame each millisecond while it is awake, on a clock of microseconds."""

    def __init__(self) -> None:
        self.awake = True
        self._us = self._frames = 0

    def ticks(self) -> int:
        """Return the clock, which each look takes on a little."""
        self.pass_by(10)
        return self._us

    def frame(self) -> int:
        """Return the number of its last frame."""
        return self._frames // 1000 & 0x7FF

    def pass_by(self, us: int) -> None:
        """Let time pass."""
        self._us += us
        self._frames += us if self.awake else 0


def test_nothing_is_written_to_a_host_that_sleeps():
    """MicroPython would try for ever: once the host's frames have ended it is asked for nothing, however long."""
    host, port = Host(), Deaf(10_000)
    usb = port.usb(host.ticks, host.frame)
    host.pass_by(1_000_000)
    assert usb.write(b"hello") == 5
    host.pass_by(1_000_000)
    assert usb.write(b"hello") == 5

    host.awake = False
    for _ in range(3_000):  # more than the counter's eighteen minutes
        host.pass_by(1_000_000)
        assert usb.write(b"hello") == 0

    host.awake = True
    assert usb.write(b"hello") == 5


def test_a_board_that_never_had_a_host_writes_as_ever():
    """On a power bank there are no frames: MicroPython keeps the newest bytes, and nothing waits."""
    host, port = Host(), Deaf(10_000)
    host.awake = False
    usb = port.usb(host.ticks, host.frame)

    host.pass_by(1_000_000)

    assert usb.write(bytes(300)) == 300
