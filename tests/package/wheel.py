"""`python -m tests.package.wheel`: tests the wheel in an environment of its own.

It is built from the checkout, installed alone, and used in an empty folder: the firmware is built, installed on a
board at its prompt (MicroPython on this machine, on a pseudo-terminal) and restored. Takes about a minute.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from hardware.pi.package.site_packages import our_wheel
from tests.firmware_bridge.flashing.test_install import Plugged, lies_there, tiny_firmware

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Build, install and use the wheel; print what was seen, or the failed command."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        companion = _installed(scratch, our_wheel(ROOT, scratch))
        _compare(scratch, companion)
        _flash(scratch, companion)
    print("The wheel builds, installs and restores the firmware without a checkout.")


def _installed(scratch: Path, wheel: Path) -> Path:
    home = scratch / "venv"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    pip = (home / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "-c", ROOT / "constraints.txt")
    subprocess.run([*pip, wheel], check=True)
    return home / "bin" / "companion"


def _compare(scratch: Path, companion: Path) -> None:
    """Compare the wheel's firmware with this checkout's, byte for byte."""
    _run(scratch, companion, "firmware", "build", "--to", "theirs")
    _run(scratch, sys.executable, "-m", "companion", "firmware", "build", "--to", scratch / "ours", cwd=ROOT)
    assert lies_there(scratch / "theirs") == lies_there(scratch / "ours")
    assert all(
        (scratch / "theirs" / path).read_bytes() == (scratch / "ours" / path).read_bytes()
        for path in lies_there(scratch / "ours")
    )


def _flash(scratch: Path, companion: Path) -> None:
    """Install a firmware on a bare board, and restore the previous program."""
    flash = scratch / "flash"
    flash.mkdir()
    (flash / "main.py").write_text("print('mine')\n", encoding="utf-8")
    board = Plugged(flash)
    bundle = tiny_firmware(scratch, "0.2.0")
    _run(scratch, companion, "firmware", "install", "--from", bundle, "--port", board.port, "--keep", "kept")
    assert lies_there(bundle) <= lies_there(flash)
    board.pull()
    board = Plugged(flash)
    _run(scratch, companion, "firmware", "restore", "kept", "--port", board.port, "--keep", "kept-2")
    assert (flash / "main.py").read_text(encoding="utf-8") == "print('mine')\n"
    board.pull()


def _run(scratch: Path, *command: object, cwd: Path | None = None) -> None:
    done = subprocess.run([*map(str, command)], cwd=cwd or scratch, check=False)
    assert done.returncode == 0, command


if __name__ == "__main__":
    main()
