"""The flash of an emulated board: a folder with the very bytecode that a Pico would get, and what the board writes."""

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
from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.simulation.emulated.runtimes import BOARD

CUSTOM = "custom.py"
OWN = "own.py"  # the owner's file, once the board has one of its own in its place
CRASH = "crash.txt"  # where the firmware keeps what ended it


@shows("folder")
class BoardFlash:
    """The flash of one board in *folder*, or in one of its own that ends with it; what lies there is kept.

    An emulated board never says that it is a real one: a custom.py of
    somebody's own is asked by the board's, and lies beside it.
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
            raise BadInput(f"--flash: {self.folder} can't hold a board's files: {fault.strerror}") from None

    @property
    def other(self) -> bool:
        """Tell whether another firmware lies there than this checkout's."""
        return _firmware(self.folder) != _firmware(_built())

    def keep(self, what: str, numbers: Sequence[int]) -> None:
        """Have the board know a reference or its sensor's gain from a time before."""
        (self.folder / what).write_text(",".join(map(str, numbers)), encoding="utf-8")

    def customise(self, **constants: object) -> None:
        """Let the owner's file say this of the board too, from the next start on."""
        text = "".join(f"{name} = {value!r}\n" for name, value in constants.items())
        (self.folder / CUSTOM).write_text((BOARD / CUSTOM).read_text(encoding="utf-8") + text, encoding="utf-8")

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

    def _set_aside(self) -> None:
        custom = self.folder / CUSTOM
        if custom.exists() and not custom.read_bytes().startswith((BOARD / CUSTOM).read_bytes()):
            custom.replace(self.folder / OWN)


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


def _firmware(folder: Path) -> object:
    """Return the digests of what lies in *folder* by its manifest, but for what an owner has added."""
    path = folder / MANIFEST
    try:
        files = manifest_of(path.read_text(encoding="utf-8"), str(path)).files
    except (OSError, FirmwareFault):
        return None
    return {name: digest for name, digest in files.items() if name != CUSTOM}
