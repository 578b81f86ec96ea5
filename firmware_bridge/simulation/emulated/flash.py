"""The flash of an emulated board: a folder with the bytecode that a Pico would get, and with the board's own files."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from companion.kernel.shown import shows
from firmware_bridge.firmware_image.build import build
from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.firmware_image.manifest import MANIFEST, manifest_of
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.emulated.runtimes import BOARD

CUSTOM = "custom.py"
OWN = "own.py"  # the new name of the owner's custom.py, which the board's own file replaces
CRASH = "crash.txt"  # the firmware's report of its last crash


@shows("folder")
class BoardFlash:
    """The flash of one board, in *folder* (persistent) or in a temporary folder.

    An emulated board always reports that it is simulated. For this it has a custom.py of its own. If the owner has a
    custom.py too, that file is renamed to own.py, and the board's file calls it.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._own = None if folder else tempfile.TemporaryDirectory(prefix="emulated-board-")
        self.folder = folder or Path(self._own.name if self._own else "")
        self.fresh = not (self.folder / "main.py").exists()
        built = _built()
        try:
            self._set_aside()
            if self.fresh:
                shutil.copytree(built, self.folder, dirs_exist_ok=True)
            self.customise()
        except OSError as fault:
            raise InputError(f"--flash: {self.folder} can't hold a board's files: {fault.strerror}") from None

    @property
    def other(self) -> bool:
        """Return whether *folder* contains a firmware that differs from the one that this checkout builds."""
        return _firmware(self.folder) != _firmware(_built())

    def keep(self, what: str, numbers: Sequence[int]) -> None:
        """Store *numbers* (a reference or the sensor's gain) as if they had been measured earlier."""
        (self.folder / what).write_text(",".join(map(str, numbers)), encoding="utf-8")

    def customise(self, **constants: object) -> None:
        """Add *constants* to the board's custom.py. They take effect at the next start."""
        text = "".join(f"{name} = {value!r}\n" for name, value in constants.items())
        (self.folder / CUSTOM).write_text((BOARD / CUSTOM).read_text(encoding="utf-8") + text, encoding="utf-8")

    def crash(self) -> str:
        """Return the firmware's crash report, or an empty string if it has not crashed."""
        try:
            return (self.folder / CRASH).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return ""

    def close(self) -> None:
        """Delete the folder if it is temporary."""
        if self._own is not None:
            self._own.cleanup()

    def _set_aside(self) -> None:
        custom = self.folder / CUSTOM
        if custom.exists() and not custom.read_bytes().startswith((BOARD / CUSTOM).read_bytes()):
            custom.replace(self.folder / OWN)


@cache
def _built() -> Path:
    """Build the firmware, once per process."""
    folder = Path(_temporary().name)
    try:
        build(folder, custom=(BOARD / CUSTOM).read_text(encoding="utf-8"))
    except FirmwareFault as fault:
        raise InputError(str(fault)) from None
    return folder


@cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="firmware-")


def _firmware(folder: Path) -> object:
    """Return the digests of the firmware's files from the manifest in *folder*, without the owner's files."""
    path = folder / MANIFEST
    try:
        files = manifest_of(path.read_text(encoding="utf-8"), str(path)).files
    except (OSError, FirmwareFault):
        return None
    return {name: digest for name, digest in files.items() if name != CUSTOM}
