"""`companion firmware install` on an emulated chip that has MicroPython alone, by the wall's clock."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.flashing.find import greeted_now
from firmware_bridge.kernel.errors import WireLost

COMPANION = str(Path(sys.executable).with_name("companion"))
PATIENCE_S = 240.0  # a busy machine's chip lives many times slower than the installer's own patience
READY = "is at"


@pytest.fixture
def port(request, tmp_path) -> Iterator[str]:
    """A chip with MicroPython alone behind a pseudo-terminal."""
    uf2 = request.config.rootpath / request.config.getoption("chip")
    command = [COMPANION, "ring", "emulate", "--pty", str(tmp_path / "ring"), "--chip", str(uf2), "--bare"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as chip:
        try:
            assert chip.stdout
            assert READY in chip.stdout.readline()
            yield str(tmp_path / "ring")
        finally:
            chip.terminate()


def hello(port: str):
    """Return what the ring at *port* says, as soon as it does."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return greeted_now(port)
        except (FirmwareFault, WireLost):
            assert time.monotonic() < until, f"no ring has answered within {PATIENCE_S:g} s"


def test_a_bare_chip_becomes_a_ring(port, tmp_path):
    """The installer looks at it, copies our firmware, checks it there and starts it: a ring that is not simulated."""
    command = [COMPANION, "firmware", "install", "--port", port, "--data", str(tmp_path / "data")]
    done = subprocess.run(command, capture_output=True, text=True)

    said = done.stdout + done.stderr
    assert "on it: no program." in said
    assert "Starting it." in said, said
    assert done.returncode == 0 or "No ring answers" in said, said  # too slow a machine: it starts all the same
    found = hello(port)
    assert not found.simulated
    assert found.sensor == "tcs34725"
