"""USB: input and output of bytes (ring/usb.py), on MicroPython's unix port with a pseudo-terminal."""

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
    """Yield the host's end of a line on which the board returns all it receives."""
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
    """Return *count* bytes, or those that came before a timeout."""
    found = b""
    while len(found) < count and select([fd], [], [], PATIENCE_S)[0]:
        found += os.read(fd, count - len(found))
    return found


def test_every_byte_passes_as_it_is(far_end):
    """Every byte is passed unchanged, including Ctrl-C, Ctrl-D and Ctrl-A."""
    assert heard(far_end, 6) == b"ready;"

    os.write(far_end, EVERY_BYTE)

    assert heard(far_end, 256) == EVERY_BYTE


def test_what_comes_while_it_rests_wakes_it(far_end):
    """A byte that arrives during a rest ends it at once."""
    assert heard(far_end, 6) == b"ready;"

    for _ in range(20):
        os.write(far_end, b"\x03")
        assert heard(far_end, 1) == b"\x03"


class Deaf:
    """A host that stopped reading, as MicroPython 1.23 presents it: it seems ready, but accepts few bytes."""

    def __init__(self, takes: int) -> None:
        self.room = takes
        self.asked = 0
        self.buffer = self

    def write(self, data: bytes) -> int:
        """Accept the bytes that fit; fail if it is called without end."""
        self.asked += 1
        assert self.asked < 100, "asked again and again"
        taken = min(len(data), self.room)
        self.room -= taken
        return taken

    def usb(self, ticks: Callable[[], int] = lambda: 0, frame: Callable[[], int] = lambda: 0) -> Any:
        """Return the firmware's `Usb` with this as its output; *frame* returns the host's last frame number."""
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
    """Bytes that the host doesn't accept are kept for later, instead of blocking until the watchdog resets."""
    assert Deaf(takes).usb().write(bytes(300)) == takes


class Host:
    """A host that sends a USB frame each millisecond while awake, with a clock in microseconds."""

    def __init__(self) -> None:
        self.awake = True
        self._us = self._frames = 0

    def ticks(self) -> int:
        """Return the clock, which advances a little with each call."""
        self.pass_by(10)
        return self._us

    def frame(self) -> int:
        """Return the number of the last frame."""
        return self._frames // 1000 & 0x7FF

    def pass_by(self, us: int) -> None:
        """Advance the clock."""
        self._us += us
        self._frames += us if self.awake else 0


def test_nothing_is_written_to_a_host_that_sleeps():
    """Nothing is written while the host sleeps (no USB frames), since MicroPython would retry for ever."""
    host, port = Host(), Deaf(10_000)
    usb = port.usb(host.ticks, host.frame)
    host.pass_by(1_000_000)
    assert usb.write(b"hello") == 5
    host.pass_by(1_000_000)
    assert usb.write(b"hello") == 5

    host.awake = False
    for _ in range(3_000):  # more than the eighteen minutes of the counter
        host.pass_by(1_000_000)
        assert usb.write(b"hello") == 0

    host.awake = True
    assert usb.write(b"hello") == 5


def test_a_board_that_never_had_a_host_writes_as_ever():
    """A board that never had a host (a power bank) writes, and MicroPython keeps the newest bytes."""
    host, port = Host(), Deaf(10_000)
    host.awake = False
    usb = port.usb(host.ticks, host.frame)

    host.pass_by(1_000_000)

    assert usb.write(bytes(300)) == 300
