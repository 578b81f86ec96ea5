"""Builds the firmware: a folder with a manifest, made from the source or from the installed package.

A checkout compiles the source each time. An installed package has no source. Instead it contains the firmware that was
compiled when the package was built (`setup.py`), so it needs no compiler.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.device.codec import VERSION
from firmware_bridge.firmware_image.compile import compiled
from firmware_bridge.firmware_image.errors import BadFolder, FirmwareFault
from firmware_bridge.firmware_image.manifest import MANIFEST, Manifest, digest_of, read_bundle

MAIN, CUSTOM = "main.py", "custom.py"
BUILT = "built"
"""The folder next to this module with the compiled firmware, in an installed package."""
PACKAGES = ("ring", "wire")


@dataclass(frozen=True)
class FirmwareSource:
    """The source folders: the board's own part (`main.py`, `ring/`), and the part that all rings share (`wire/`)."""

    board: Path
    wire: Path

    def folder(self, package: str) -> Path:
        """Return the folder that contains *package*."""
        return self.wire if package == "wire" else self.board / package


HERE = Path(__file__).resolve().parents[2]
PACKAGED = Path(__file__).with_name(BUILT)
CHECKOUT = FirmwareSource(HERE / "hardware" / "firmware", HERE / "firmware_bridge" / "device")


def build(
    target: Path, custom: str | None = None, source: FirmwareSource = CHECKOUT, built: Path = PACKAGED
) -> Manifest:
    """Write the firmware to the folder *target*, with the files as on a board. Return its manifest.

    The firmware comes from *source*, or from the folder *built* if there is no source. *custom* is the text
    of the owner's `custom.py`. An earlier build in *target* is replaced. A folder with other contents is refused.
    """
    if source.board.is_dir():
        return build_from_source(target, source, custom)
    if not built.is_dir():
        raise FirmwareFault("This package was made without the firmware, on a computer that has no mpy-cross.")
    packaged = read_bundle(built)
    files = {path: (built / path).read_bytes() for path in packaged.files}
    return _written(target, packaged.version, files, custom)


def build_from_source(target: Path, source: FirmwareSource, custom: str | None = None) -> Manifest:
    """Compile *source*, and write the firmware to the folder *target* as `build` does. Equal sources give equal
    bytes.
    """
    files = dict(_files(source))  # read first, so that a missing file is reported before the version is looked up
    return _written(target, firmware_version(source), files, custom)


def _written(target: Path, version: str, files: dict[str, bytes], custom: str | None) -> Manifest:
    if custom is not None:
        files[CUSTOM] = custom.encode()
    manifest = Manifest(version, VERSION, {path: digest_of(data) for path, data in files.items()})
    try:
        _clear(target)
        for path, data in files.items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(data)
        (target / MANIFEST).write_text(manifest.text(), encoding="utf-8")
    except OSError as fault:
        raise FirmwareFault(f"{fault.filename or target} can't be written: {fault.strerror}.") from None
    return manifest


def firmware_version(source: FirmwareSource = CHECKOUT) -> str:
    """Return the version that the firmware's source declares."""
    path = source.folder("ring") / "__init__.py"
    for node in ast.parse(_read(path, source)).body:
        match node:
            case ast.Assign(targets=[ast.Name(id="FIRMWARE")], value=ast.Constant(value=str(version))):
                return version
    raise FirmwareFault(f'{path} names no version (FIRMWARE = "...").')


def _files(source: FirmwareSource) -> Iterator[tuple[str, bytes]]:
    yield MAIN, _read(source.board / MAIN, source).encode()
    for package in PACKAGES:
        modules = sorted(source.folder(package).glob("*.py"))
        if not modules:
            raise FirmwareFault(f"{source.folder(package)} holds no Python: this checkout is incomplete.")
        for module in modules:
            yield f"{package}/{module.stem}.mpy", compiled(module, f"{package}/{module.name}")


def _read(path: Path, source: FirmwareSource) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FirmwareFault(f"The firmware's source is incomplete: {path} is missing.") from None
    except OSError as fault:
        raise FirmwareFault(f"{path} can't be read: {fault.strerror}.") from None


def _clear(target: Path) -> None:
    """Delete an earlier build, so that modules that no longer exist do not remain."""
    if target.is_dir() and any(target.iterdir()) and not (target / MANIFEST).is_file():
        raise BadFolder(f"{target} holds something else than firmware: name an empty folder.")
    for package in PACKAGES:
        for left in (target / package).glob("*.mpy"):
            left.unlink()
    (target / CUSTOM).unlink(missing_ok=True)
    target.mkdir(parents=True, exist_ok=True)
