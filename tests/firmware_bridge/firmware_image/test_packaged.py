"""The firmware in an installed package: the same bytes as from a checkout, without compiler and sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.firmware_image.build import CHECKOUT, FirmwareSource, build, build_from_source
from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.firmware_image.manifest import read_bundle

NOWHERE = FirmwareSource(Path("/nowhere"), Path("/nowhere"))


def test_a_package_gives_the_bytes_that_a_checkout_compiles(tmp_path: Path) -> None:
    """A package has the same compiled files as a checkout, and the owner's file in addition."""
    build_from_source(tmp_path / "built", CHECKOUT)

    packaged = build(tmp_path / "flash", "NAME = 'jan'\n", NOWHERE, tmp_path / "built")

    assert packaged == read_bundle(tmp_path / "flash")
    assert packaged.files.keys() - read_bundle(tmp_path / "built").files.keys() == {"custom.py"}
    assert read_bundle(tmp_path / "built").files.items() <= packaged.files.items()


def test_a_package_without_firmware_says_so(tmp_path: Path) -> None:
    """A package made without a compiler has no firmware; building says so and writes nothing."""
    with pytest.raises(FirmwareFault, match="made without the firmware"):
        build(tmp_path / "flash", None, NOWHERE, tmp_path / "built")

    assert not (tmp_path / "flash").exists()


def test_a_damaged_package_is_not_put_on_a_board(tmp_path: Path) -> None:
    """A packaged file that doesn't match the manifest is named, and nothing is written."""
    build_from_source(tmp_path / "built", CHECKOUT)
    (tmp_path / "built" / "ring" / "pico.mpy").write_bytes(b"M")

    with pytest.raises(FirmwareFault, match=r"pico\.mpy is not what manifest\.json says"):
        build(tmp_path / "flash", None, NOWHERE, tmp_path / "built")

    assert not (tmp_path / "flash").exists()
