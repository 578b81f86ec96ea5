"""USB: the board's own bytes (ring/usb.py), on MicroPython's unix port behind a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import tty
from collections.abc import Iterator
from pathlib import Path
from select import select

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
