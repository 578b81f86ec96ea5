"""The flash of an emulated board: a folder with the very bytecode that a Pico would get, and what the board writes."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from firmware_bridge.emulated.ports import BOARD
from firmware_bridge.faults import BadInput
from firmware_bridge.firmware.building import build
from firmware_bridge.firmware.faults import FirmwareFault

CUSTOM = "custom.py"
CRASH = "crash.txt"  # where the firmware keeps what ended it


class Flash:
    """The flash of one board in *folder*, or in one of its own that ends with it; what lies there is kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._own = None if folder else tempfile.TemporaryDirectory(prefix="emulated-board-")
        self.folder = folder or Path(self._own.name if self._own else "")
        self.fresh = not (self.folder / "main.py").exists()
        if self.fresh:
            shutil.copytree(_built(), self.folder, dirs_exist_ok=True)

    def keep(self, what: str, counts: Sequence[int]) -> None:
        """Have the board know a reference from a time before."""
        (self.folder / what).write_text(",".join(map(str, counts)), encoding="utf-8")

    def customise(self, **constants: object) -> None:
        """Let the owner's file say this of the board too, from the next start on."""
        told = "".join(f"{name} = {value!r}\n" for name, value in constants.items())
        (self.folder / CUSTOM).write_text((BOARD / CUSTOM).read_text(encoding="utf-8") + told, encoding="utf-8")

    def crash(self) -> str:
        """Return what the firmware has written down of its end, empty when it has ended well."""
        try:
            return (self.folder / CRASH).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return ""

    def close(self) -> None:
        """Let it go."""
        if self._own is not None:
            self._own.cleanup()


@cache
def _built() -> Path:
    """Build the firmware, once in a process."""
    folder = Path(_kept().name)
    try:
        build(folder, custom=(BOARD / CUSTOM).read_text(encoding="utf-8"))
    except FirmwareFault as fault:
        raise BadInput(str(fault)) from None
    return folder


@cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="firmware-")
