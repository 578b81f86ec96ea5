"""Finds the MicroPython on which an emulated board runs, and returns the command that starts it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from firmware_bridge.kernel.errors import InputError

EMULATOR = Path(__file__).resolve().parents[3] / "hardware" / "emulator"
BOARD = EMULATOR / "board"
HEAP = "heapsize=320k"  # larger than a Pico's heap, because its words are twice as long
PACKAGE = Path("node_modules") / "@micropython" / "micropython-webassembly-pyscript"


def command(port: str, flash: Path, ports: Path | None = None) -> list[str]:
    """Return the command that starts a board with the folder *flash* on *port*. Raise InputError if no port is there.

    *ports* is the folder with the ports, if it is not the default folder.
    """
    if not EMULATOR.is_dir():
        raise InputError(f"The emulator is missing: {EMULATOR} is missing. It comes with the project's source.")
    if port not in PORTS:
        raise InputError(f"No port `{port}` of MicroPython here: choose one of {', '.join(PORTS)}.")
    return PORTS[port](ports or home(), flash)


def home() -> Path:
    """Return the ports' folder: COMPANION_MICROPYTHON if set, otherwise `micropython` in the Python environment."""
    return Path(os.environ.get("COMPANION_MICROPYTHON") or Path(sys.prefix) / "micropython")


def demand(port: str) -> None:
    """Raise InputError with instructions if *port* is missing."""
    command(port, Path())


def installed(port: str) -> bool:
    """Return whether *port* is installed on this machine."""
    try:
        demand(port)
    except InputError:
        return False
    return True


def usual_port() -> str:
    """Return the default port: `unix` if installed, otherwise `wasm`.

    A start takes 40 ms of processor time on `unix` and 400 ms on `wasm`, most of it for starting Node.
    """
    return "unix" if installed("unix") else "wasm"


def _wasm(ports: Path, flash: Path) -> list[str]:
    node, package = shutil.which("node"), ports / PACKAGE
    if node is None or not (package / "micropython.wasm").is_file():
        missing = "node" if node is None else str(package)
        raise InputError(
            f"MicroPython for the emulated board is missing ({missing}): run `{_getter('get.sh', ports)}`."
        )
    return [node, str(EMULATOR / "run.mjs"), str(package), str(flash), str(BOARD)]


def _unix(ports: Path, flash: Path) -> list[str]:
    return [*unix(ports), "-X", HEAP, str(EMULATOR / "unix" / "run.py"), str(flash), str(BOARD)]


def unix(ports: Path) -> list[str]:
    """Return the command that starts MicroPython's unix port. Raise InputError if it is missing."""
    if (own := shutil.which("micropython")) is not None:
        return [own]
    debian = ports / "unix"
    loader = next(iter(sorted(debian.glob("usr/lib/*/ld-linux*.so*"))), None)
    if loader is None:
        raise InputError(f"MicroPython's unix port is missing: run `{_getter('get-unix.sh', ports)}`.")
    return [str(loader), "--library-path", str(loader.parent), str(debian / "usr/bin/micropython")]


def _getter(script: str, ports: Path) -> str:
    return f"sh {EMULATOR / script} {ports}"


PORTS: Mapping[str, Callable[[Path, Path], list[str]]] = {"wasm": _wasm, "unix": _unix}
