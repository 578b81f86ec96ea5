"""Parses a UF2 file, and checks that it is complete and contains MicroPython for a known chip and board."""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.flashing.versions import OLDEST, known_fault, too_old

BLOCK, MOST_DATA = 512, 476
# Little-endian: two magic numbers, flags, address, size, number, count, family; then the data and a magic number.
HEAD = struct.Struct("<8I")
MAGIC = (0x0A324655, 0x9E5D5157)
END = struct.pack("<I", 0x0AB16F30)
NOT_FLASH, FAMILY = 0x1, 0x2000
FAMILIES = {0xE48BFF56: "RP2040", 0xE48BFF59: "RP2350", 0xE48BFF5A: "RP2350"}
ABSOLUTE = 0xE48BFF57  # one such block may precede those of an RP2350, because of an erratum of its boot ROM
FLASH, FLASH_END = 0x1000_0000, 0x1100_0000
MICROPYTHON = re.compile(rb"MicroPython v(\d+)\.(\d+)(?:\.(\d+))?")
MACHINE = re.compile(rb"([ -~]{2,60}) with (RP2\d{3})")
LARGEST = 16 << 20


@dataclass(frozen=True)
class Image:
    """The contents of a UF2 file: MicroPython's *version* for a *machine* with a *chip*. *digest* is its SHA-256."""

    path: Path
    chip: str
    machine: str
    version: tuple[int, ...]
    digest: str

    @property
    def fault(self) -> str:
        """The known fault of this version on this chip, or an empty string."""
        return known_fault(self.chip, self.version)

    @property
    def words(self) -> str:
        """The version and machine as text."""
        return f"MicroPython {'.'.join(map(str, self.version))} for {self.machine}"


def read_uf2(path: Path) -> Image:
    """Parse the file at *path*. Raise FirmwareFault with what is wrong with it."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise FirmwareFault(f"{path}: {fault.strerror}.") from None
    if len(data) > LARGEST:
        raise FirmwareFault(f"{path} is larger than any board's flash.")
    found = list(_blocks(path, data))
    chip = _chip(path, found)
    flash = b"".join(part for family, _, part in sorted(found, key=lambda block: block[1]) if family != ABSOLUTE)
    return _image_of(path, chip, flash, hashlib.sha256(data).hexdigest())


def flash_of(path: Path) -> bytes:
    """Return what a UF2 file puts into the flash, from the start of the flash on.

    `read_uf2` must have accepted the file.
    """
    found = [(at - FLASH, part) for family, at, part in _blocks(path, path.read_bytes()) if family != ABSOLUTE]
    flash = bytearray(b"\xff" * max(at + len(part) for at, part in found))
    for at, part in found:
        flash[at : at + len(part)] = part
    return bytes(flash)


def _blocks(path: Path, data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the family, the address and the data of each block that goes into the flash."""
    if not data or len(data) % BLOCK:
        raise FirmwareFault(f"{path} isn't a complete UF2 file: its size isn't a multiple of {BLOCK} bytes.")
    numbers: dict[int, set[int]] = {}
    totals: dict[int, int] = {}
    for at in range(0, len(data), BLOCK):
        block = data[at : at + BLOCK]
        first, second, flags, address, size, number, total, family = HEAD.unpack_from(block)
        if (first, second) != MAGIC or block[-4:] != END or size > MOST_DATA:
            raise FirmwareFault(f"{path} isn't a UF2 file, or is damaged at block {at // BLOCK}.")
        if flags & NOT_FLASH or not flags & FAMILY:
            raise FirmwareFault(f"{path} does not say for which chip it is.")
        if not FLASH <= address <= FLASH_END - size:
            raise FirmwareFault(f"{path} would be written to {address:#x}, which isn't flash memory.")
        numbers.setdefault(family, set()).add(number)
        totals[family] = total
        yield family, address, block[HEAD.size : HEAD.size + size]
    if any(numbers[family] != set(range(total)) for family, total in totals.items()):
        raise FirmwareFault(f"{path} is incomplete: blocks are missing. Download it again.")


def _chip(path: Path, found: list[tuple[int, int, bytes]]) -> str:
    families = {family for family, _, _ in found} - {ABSOLUTE}
    if len(families) != 1 or not families <= FAMILIES.keys():
        named = ", ".join(f"{family:#x}" for family in sorted(families))
        raise FirmwareFault(f"{path} is for another chip (family {named}), not an RP2040 or RP2350.")
    return FAMILIES[families.pop()]


def _image_of(path: Path, chip: str, flash: bytes, digest: str) -> Image:
    """Return the image that the program in *flash* describes. Raise FirmwareFault if it is not a usable MicroPython."""
    version, machine = MICROPYTHON.search(flash), MACHINE.search(flash)
    if version is None or machine is None:
        raise FirmwareFault(f"{path} holds no MicroPython for a Pico.")
    if machine[2].decode() != chip:
        raise FirmwareFault(f"{path} is for an {chip}, but its text says {machine[2].decode()}.")
    numbers = tuple(int(part) for part in version.groups() if part is not None)
    image = Image(path, chip, machine[0].decode().lstrip("; "), numbers, digest)
    if too_old(numbers):
        raise FirmwareFault(f"{path} is {image.words}: the ring needs at least {'.'.join(map(str, OLDEST))}.")
    return image
