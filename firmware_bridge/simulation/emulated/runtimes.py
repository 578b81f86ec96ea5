"""The MicroPython that an emulated board runs on: where it lies on this machine, and how it is started."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from firmware_bridge.kernel.errors import BadInput

EMULATOR = Path(__file__).resolve().parents[3] / "hardware" / "emulator"
BOARD = EMULATOR / "board"
HEAP = "heapsize=320k"  # its words are twice as long as a Pico's
PACKAGE = Path("node_modules") / "@micropython" / "micropython-webassembly-pyscript"


def command(port: str, flash: Path, ports: Path | None = None) -> list[str]:
    """Return what starts a board with that *flash* on *port*; BadInput with what to do when it cannot be had.

    *ports* is the folder in which the ports lie, if not in their usual one.
    """
    if not EMULATOR.is_dir():
        raise BadInput(f"The emulator is missing: {EMULATOR} is missing. It comes with the project's source.")
    if port not in PORTS:
        raise BadInput(f"No port `{port}` of MicroPython here: choose one of {', '.join(PORTS)}.")
    return PORTS[port](ports or home(), flash)


def home() -> Path:
    """Return where the ports lie: in the environment's own folder, or where COMPANION_MICROPYTHON says."""
    return Path(os.environ.get("COMPANION_MICROPYTHON") or Path(sys.prefix) / "micropython")


def demand(port: str) -> None:
    """Raise BadInput with what to do when *port* cannot be had."""
    command(port, Path())


def installed(port: str) -> bool:
    """Tell whether *port* can be had on this machine."""
    try:
        demand(port)
    except BadInput:
        return False
    return True


def usual_port() -> str:
    """Return the port that a board runs on where none is named: the quicker one if this machine has it.

    A start on `unix` takes 40 ms of processor, on `wasm` 400 ms, most of them Node's.
    """
    return "unix" if installed("unix") else "wasm"


def _wasm(ports: Path, flash: Path) -> list[str]:
    node, package = shutil.which("node"), ports / PACKAGE
    if node is None or not (package / "micropython.wasm").is_file():
        missing = "node" if node is None else str(package)
        raise BadInput(f"MicroPython for the emulated board is missing ({missing}): run `{_getter('get.sh', ports)}`.")
    return [node, str(EMULATOR / "run.mjs"), str(package), str(flash), str(BOARD)]


def _unix(ports: Path, flash: Path) -> list[str]:
    return [*unix(ports), "-X", HEAP, str(EMULATOR / "unix" / "run.py"), str(flash), str(BOARD)]


def unix(ports: Path) -> list[str]:
    """Return what starts MicroPython's unix port; BadInput with what to do when it cannot be had."""
    if (own := shutil.which("micropython")) is not None:
        return [own]
    debian = ports / "unix"
    loader = next(iter(sorted(debian.glob("usr/lib/*/ld-linux*.so*"))), None)
    if loader is None:
        raise BadInput(f"MicroPython's unix port is missing: run `{_getter('get-unix.sh', ports)}`.")
    return [str(loader), "--library-path", str(loader.parent), str(debian / "usr/bin/micropython")]


def _getter(script: str, ports: Path) -> str:
    return f"sh {EMULATOR / script} {ports}"


PORTS: Mapping[str, Callable[[Path, Path], list[str]]] = {"wasm": _wasm, "unix": _unix}
