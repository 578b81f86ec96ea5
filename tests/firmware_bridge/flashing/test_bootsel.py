"""A board without a program: it is found as a drive, and gets a MicroPython that was checked before."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.flashing.bootsel import KNOWN, Blank, blank, give, its_port, wanted
from firmware_bridge.flashing.uf2 import ABSOLUTE, FAMILY, NOT_FLASH, read_uf2

RP2040, RP2350, ESP32 = 0xE48BFF56, 0xE48BFF59, 0xC47E5767
PAYLOAD = 256
INFO = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: {0}\n"


def uf2(
    version: str = "v1.25.0",
    machine: str = "Raspberry Pi Pico with RP2040",
    family: int = RP2040,
    flags: int = FAMILY,
    address: int = 0x1000_0000,
) -> bytes:
    """Return a valid UF2 file; its strings cross the border of two blocks."""
    flash = bytes(PAYLOAD - 10) + f"MicroPython {version} on 2025-04-15\0; {machine}\0".encode() + bytes(600)
    parts = [flash[at : at + PAYLOAD].ljust(PAYLOAD, b"\0") for at in range(0, len(flash), PAYLOAD)]
    return b"".join(block(part, address + PAYLOAD * n, n, len(parts), family, flags) for n, part in enumerate(parts))


def block(data: bytes, address: int, number: int, total: int, family: int = RP2040, flags: int = FAMILY) -> bytes:
    """Return one block of a UF2 file."""
    head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, flags, address, len(data), number, total, family)
    return head + data.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30)


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Write a UF2 file."""

    def written(data: bytes, name: str = "RPI_PICO.uf2") -> Path:
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return written


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    """A board's drive, with a space in its path, as desktops may mount it."""
    folder = tmp_path / "media" / "RPI RP2"
    folder.mkdir(parents=True)
    (folder / "INFO_UF2.TXT").write_text(INFO.format("RPI-RP2"))
    return folder


PICO_2 = {"machine": "Raspberry Pi Pico 2 with RP2350", "family": RP2350}


def test_a_version_that_is_known_to_be_bad_is_refused(file, tmp_path):
    """MicroPython 1.28.0 can't send single bytes on an RP2350: the file is refused with an alternative."""
    board = Blank(tmp_path, "RP2350")

    with pytest.raises(FirmwareFault, match=r"pico2\.uf2 is not for a ring: .*19514.*Take 1\.27\.0"):
        wanted(board, file(uf2(version="v1.28.0", **PICO_2), "pico2.uf2"), tmp_path / "kept")


def test_a_bad_version_from_before_is_passed_over(file, tmp_path):
    """A stored bad version is skipped, even if it is the newest."""
    for version in ("v1.28.0", "v1.27.0"):
        file(uf2(version=version, **PICO_2), f"{version}.uf2")

    assert wanted(Blank(tmp_path, "RP2350"), None, tmp_path).version == (1, 27, 0)


@pytest.mark.parametrize(("version", "more"), [("v1.28.0", {}), ("v1.27.0", PICO_2), ("v1.28.1", PICO_2)])
def test_other_versions_and_the_other_chip_are_taken(file, tmp_path, version, more):
    """Other versions, and the same version for the other chip, are accepted."""
    path = file(uf2(version=version, **more))

    assert wanted(Blank(tmp_path, "RP2350" if more else "RP2040"), path, tmp_path).path == path


def mounts(tmp_path: Path, *drives: Path) -> Path:
    """Write a file of mounts in the kernel's format."""
    lines = ["/dev/sda1 / ext4 rw 0 0"] + [
        f"/dev/sdb1 {str(each).replace(' ', chr(92) + '040')} vfat rw 0 0" for each in drives
    ]
    (tmp_path / "mounts").write_text("\n".join(lines) + "\n")
    return tmp_path / "mounts"


def test_a_uf2_tells_what_is_in_it(file):
    """Reading a UF2 file finds its chip, board and version, and computes its SHA-256."""
    image = read_uf2(file(uf2()))

    assert (image.chip, image.version, image.machine) == ("RP2040", (1, 25, 0), "Raspberry Pi Pico with RP2040")
    assert len(image.digest) == 64


def test_the_extra_block_of_an_rp2350_is_no_other_chip(file):
    """A UF2 for an RP2350 may begin with a block of another family."""
    pico2 = uf2(machine="Raspberry Pi Pico2 with RP2350", family=RP2350)

    image = read_uf2(
        file(block(b"\xef" * 256, 0x10FF_FF00, 0, 2, ABSOLUTE) + block(b"", 0x10FF_FE00, 1, 2, ABSOLUTE) + pico2)
    )

    assert image.chip == "RP2350"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(b"", "multiple of 512", id="empty"),
        pytest.param(uf2()[:-1], "multiple of 512", id="cut off"),
        pytest.param(b"<!doctype html>".ljust(1024), "damaged at block 0", id="a page"),
        pytest.param(uf2()[:512] + bytes(512) + uf2()[1024:], "damaged at block 1", id="damaged"),
        pytest.param(uf2()[:-512], "is incomplete", id="a block missing"),
        pytest.param(uf2(family=ESP32), "another chip", id="another chip"),
        pytest.param(uf2(flags=0), "does not say for which chip", id="no family"),
        pytest.param(uf2(flags=FAMILY | NOT_FLASH), "does not say for which chip", id="not for the flash"),
        pytest.param(uf2(address=0x2000_0000), "which isn't flash memory", id="elsewhere"),
        pytest.param(uf2(version="v1.23.0"), "needs at least 1.24", id="too old"),
        pytest.param(uf2(machine="Raspberry Pi Pico2 with RP2350"), "but its text says RP2350", id="another board"),
        pytest.param(uf2(version="spam"), "holds no MicroPython", id="another program"),
    ],
)
def test_what_no_board_should_be_given_is_refused(file, data, why):
    """An unsuitable file is refused with one sentence, before anything is written."""
    with pytest.raises(FirmwareFault, match=why):
        read_uf2(file(data))


def test_a_board_without_a_program_is_found_as_a_drive(tmp_path, drive):
    """Among all mounted drives, the one of a Pico's boot loader is found."""
    stick = tmp_path / "stick"
    stick.mkdir()

    assert blank(mounts(tmp_path, stick, drive), tmp_path) == Blank(drive, "RP2040")
    assert blank(mounts(tmp_path, stick), tmp_path) is None


def test_a_drive_that_nobody_has_mounted_is_told(tmp_path):
    """An unmounted drive is reported with the command that mounts it."""
    (tmp_path / "RPI-RP2").touch()

    with pytest.raises(FirmwareFault, match="udisksctl mount -b"):
        blank(mounts(tmp_path), tmp_path)


def test_a_board_is_given_what_was_named_and_the_next_one_the_same(tmp_path, file, drive):
    """The file is copied byte for byte, and stored for the next board, which then needs no internet."""
    data, said = uf2(), []
    kept = tmp_path / "kept"
    board = Blank(drive, "RP2040")
    give(board, wanted(board, file(data), kept), kept, said.append)

    assert (drive / "RPI_PICO.uf2").read_bytes() == data
    assert any("Nobody has put this file on a board from here" in each for each in said)
    assert wanted(board, None, kept).digest in (kept / KNOWN).read_text()

    said.clear()
    give(board, wanted(board, None, kept), kept, said.append)
    assert not any("Nobody" in each for each in said)
    assert any("SHA-256" in each for each in said)


def test_without_a_file_the_makers_page_is_named(tmp_path, drive):
    """Without a file, the error names the download page and what to do."""
    with pytest.raises(FirmwareFault, match=r"1\.24 or newer, from https://micropython\.org/download/RPI_PICO/.*--uf2"):
        wanted(Blank(drive, "RP2040"), None, tmp_path / "kept")


def test_a_file_for_another_chip_than_the_boards_is_refused(tmp_path, file, drive):
    """A file for another chip than the board's is refused."""
    with pytest.raises(FirmwareFault, match=r"for an RP2040, and the board .* has an RP2350"):
        wanted(Blank(drive, "RP2350"), file(uf2()), tmp_path)


def test_a_drive_that_takes_no_more_is_told(tmp_path, file):
    """An incomplete copy is reported as a failure."""
    board = Blank(tmp_path / "gone", "RP2040")

    with pytest.raises(FirmwareFault, match="took no more after 0 bytes"):
        give(board, wanted(board, file(uf2()), tmp_path / "kept"), tmp_path / "kept", lambda sentence: None)


def test_a_board_that_starts_is_waited_for():
    """After the copy, the command waits for the board's port."""
    looks = iter([FirmwareFault("none"), FirmwareFault("none"), "/dev/ttyACM0"])

    def find() -> str:
        found = next(looks)
        if isinstance(found, FirmwareFault):
            raise found
        return found

    assert its_port(find) == "/dev/ttyACM0"


def test_a_board_that_does_not_start_is_told():
    """If no port comes after the copy, the error says so."""

    def find() -> str:
        raise FirmwareFault("No board was found.")

    with pytest.raises(FirmwareFault, match="copied, but no port has come"):
        its_port(find, 0.0)
