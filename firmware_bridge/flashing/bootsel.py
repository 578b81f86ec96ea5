"""Installs MicroPython on a board that has no program yet, and so appears as a USB drive."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.flashing.find import the_port
from firmware_bridge.flashing.uf2 import Image, read_uf2

MOUNTS = Path("/proc/mounts")
LABELS = Path("/dev/disk/by-label")
NAMES = {"RPI-RP2": "RP2040", "RP2350": "RP2350"}
"""The labels that the chips' boot loaders give their drives."""
INFO = "INFO_UF2.TXT"
BOARD_ID = re.compile(r"^Board-ID: *(\S+)", re.MULTILINE)
ESCAPED = re.compile(r"\\([0-7]{3})")
STARTS_S, AGAIN_S = 30.0, 0.2
KNOWN = "known.txt"  # SHA-256 and name of each UF2 file installed from this machine
PAGES = {
    "RP2040": "https://micropython.org/download/RPI_PICO/",
    "RP2350": "https://micropython.org/download/RPI_PICO2/",
}

Say = Callable[[str], None]


@dataclass(frozen=True)
class Blank:
    """A board that appears as a USB drive and waits for a program to be copied to *drive*."""

    drive: Path
    chip: str


def blank(mounts: Path = MOUNTS, labels: Path = LABELS) -> Blank | None:
    """Return the board that waits as a USB drive, or None. Raise FirmwareFault if its drive is not mounted."""
    for drive in _mounted(mounts):
        if (chip := _chip(drive)) is not None:
            return Blank(drive, chip)
    for name in NAMES:
        if (labels / name).exists():
            where = labels / name
            raise FirmwareFault(
                f"A board without a program is there, but its drive is not mounted: udisksctl mount -b {where} (or,"
                f" without a desktop, sudo mount -o uid=$(id -u) {where} /mnt)."
            )
    return None


def _mounted(mounts: Path) -> Iterator[Path]:
    try:
        lines = mounts.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        fields = line.split(" ")
        if len(fields) > 2 and fields[2] in ("vfat", "msdos"):
            yield Path(ESCAPED.sub(lambda found: chr(int(found[1], 8)), fields[1]))


def _chip(drive: Path) -> str | None:
    """Return the chip of the boot loader on *drive*, or None for any other drive."""
    try:
        found = BOARD_ID.search((drive / INFO).read_text(encoding="ascii", errors="replace"))
    except OSError:
        return None
    return NAMES.get(found[1]) if found else None


def wanted(board: Blank, named: Path | None, store: Path) -> Image:
    """Return the UF2 file for *board*: *named* if given, otherwise the newest suitable one in the folder *store*."""
    if named is not None:
        image = read_uf2(named)
        if image.fault:
            raise FirmwareFault(f"{named} is not for a ring: {image.fault}")
    else:
        stored = map(read_uf2, sorted(store.glob("*.uf2")))
        fitting = [image for image in stored if image.chip == board.chip and not image.fault]
        if not fitting:
            raise FirmwareFault(
                f"A board without a program ({board.chip}) is at {board.drive}: it wants MicroPython first. Download a"
                f" .uf2, 1.24 or newer, from {PAGES[board.chip]} (on any machine), and name it: --uf2 FILE."
            )
        image = max(fitting, key=lambda each: each.version)
    if image.chip != board.chip:
        raise FirmwareFault(f"{image.path} is for an {image.chip}, and the board at {board.drive} has an {board.chip}.")
    return image


def give(board: Blank, image: Image, store: Path, say: Say) -> None:
    """Copy *image* to *board*, which then restarts. Save the file and its SHA-256 in *store* for other boards."""
    say(f"A board without a program ({board.chip}) is at {board.drive}. {image.path.name} is {image.words}.")
    say(f"SHA-256 {image.digest}")
    if not _is_known(image, store):
        say("Nobody has put this file on a board from here before: if you do not trust its way here, compare the sum.")
    _write(board, image)
    _keep(image, store)
    say("MicroPython is on it. It restarts.")


def _write(board: Blank, image: Image) -> None:
    data = image.path.read_bytes()
    written = 0
    try:
        with (board.drive / image.path.name).open("wb", buffering=0) as file:
            while written < len(data):
                written += file.write(data[written:])
            os.fsync(file.fileno())
    except OSError as fault:
        # After the last block the board restarts, and its drive disappears before the file can be closed.
        if written < len(data):
            raise FirmwareFault(f"{board.drive} took no more after {written} bytes: {fault.strerror}.") from None


def _is_known(image: Image, store: Path) -> bool:
    try:
        return image.digest in (store / KNOWN).read_text(encoding="utf-8")
    except OSError:
        return False


def _keep(image: Image, store: Path) -> None:
    """Save the file, so that installing the next board needs no internet. If the disk is full, nothing is saved."""
    try:
        store.mkdir(parents=True, exist_ok=True)
        if not _is_known(image, store):
            with (store / KNOWN).open("a", encoding="utf-8") as file:
                file.write(f"{image.digest}  {image.path.name}\n")
        if image.path.resolve().parent != store.resolve():
            shutil.copyfile(image.path, store / image.path.name)
    except OSError:
        return


def its_port(find: Callable[[], str] = the_port, most_s: float = STARTS_S) -> str:
    """Wait for a board to restart with MicroPython and return its port. Raise FirmwareFault if none appears."""
    until = time.monotonic() + most_s
    while True:
        try:
            return find()
        except FirmwareFault as fault:
            if time.monotonic() >= until:
                raise FirmwareFault(f"MicroPython was copied, but no port has come. {fault}") from None
        Event().wait(AGAIN_S)
