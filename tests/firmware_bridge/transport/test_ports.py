"""Ports: which of a computer's serial ports may be a ring, and which is tried first."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from firmware_bridge.transport.serial_ports import RASPBERRY_PI, rings_first


def device(path: Path | str, description: str | None = None, vid: int | None = None) -> SimpleNamespace:
    """Return a port as pyserial describes it."""
    return SimpleNamespace(device=str(path), description=description, vid=vid)


def test_boards_come_before_what_else_is_plugged_in() -> None:
    """A Pico, recognised by its vendor id or description, is probably a ring and is listed before other devices."""
    found = rings_first([device("/dev/a", "GPS"), device("/dev/b", vid=RASPBERRY_PI), device("/dev/c", "MicroPython")])

    assert [(port.path, port.likely) for port in found] == [("/dev/b", True), ("/dev/c", True), ("/dev/a", False)]


def test_the_port_that_has_the_rings_own_name_is_the_first(tmp_path: Path) -> None:
    """The port with udev's name for the ring is first, whatever its maker calls it."""
    port, name = tmp_path / "ttyUSB3", tmp_path / "ring-companion"
    port.touch()
    name.symlink_to(port)

    found = rings_first([device("/dev/b", vid=RASPBERRY_PI), device(port, "USB UART"), device("/dev/a", "GPS")], name)

    assert [(each.path, each.likely) for each in found][:2] == [(str(port), True), ("/dev/b", True)]
