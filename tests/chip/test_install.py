"""`companion firmware install` on an emulated chip that only has MicroPython, in real time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

COMPANION = str(Path(sys.executable).with_name("companion"))
READY = "is at"
PATIENCE_S = 600.0


@pytest.fixture
def port(request, tmp_path) -> Iterator[str]:
    """A chip with only MicroPython, on a pseudo-terminal."""
    uf2 = request.config.rootpath / request.config.getoption("chip")
    command = [COMPANION, "ring", "emulate", "--pty", str(tmp_path / "ring"), "--chip", str(uf2), "--bare"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as chip:
        try:
            assert chip.stdout
            assert READY in chip.stdout.readline()
            yield str(tmp_path / "ring")
        finally:
            chip.terminate()


def test_a_bare_chip_becomes_a_ring(port, tmp_path):
    """The installer recognises the chip, copies and verifies our firmware, and starts it as a ring."""
    command = [COMPANION, "firmware", "install", "--port", port, "--data", str(tmp_path / "data")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)

    said = done.stdout + done.stderr
    assert "on it: no program." in said
    assert "Starting it." in said, said
    assert done.returncode == 0, said
    assert "The ring says: " in said
    assert "sensor tcs34725" in said
    assert "simulated" not in said
