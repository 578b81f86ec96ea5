"""Finds serial ports, and checks the address of one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from companion.kernel.said import said
from companion.kernel.values import dataclass
from firmware_bridge.kernel.errors import InputError
from rungs.wire import WireLost

LOOKS = 3
RASPBERRY_PI = 0x2E8A
KIND = re.compile(r"[a-z]+:")
KINDS = "mock:, emulated:, gpio:, capture:FILE, auto, none"
NAMED = Path("/dev/ring-companion")
"""The symlink that udev creates for a ring (hardware/pi/60-ring-companion.rules), whatever its board is called."""
BOARDS = ("pico", "micropython", "ring")


@dataclass(frozen=True)
class Port:
    """A serial port of this machine. *likely* is true if it may be a ring."""

    path: str
    description: str
    likely: bool


class ListedPort(Protocol):
    """The fields of pyserial's `ListPortInfo` that are used here."""

    @property
    def device(self) -> str:
        """The path of the port, such as `/dev/ttyACM0`."""

    @property
    def description(self) -> str | None:
        """The name that the port's manufacturer gave it."""

    @property
    def vid(self) -> int | None:
        """The USB vendor ID."""


def ports() -> Iterator[Port]:
    """Yield the serial ports of this machine, likely rings first. Raise `WireLost` if they cannot be listed."""
    from serial.tools.list_ports import comports

    yield from rings_first(listed(comports))


def listed(list_them: Callable[[], Iterable[ListedPort]]) -> list[ListedPort]:
    """Call *list_them* and return its result.

    Retry a failed call, because it fails if a board is unplugged meanwhile.
    """
    for _ in range(LOOKS - 1):
        with suppress(Exception):
            return list(list_them())
    try:
        return list(list_them())
    except Exception as fault:
        raise WireLost(said("The USB ports can't be listed now (%(why)s).", why=repr(fault))) from fault


def rings_first(devices: Iterable[ListedPort], named: Path = NAMED) -> list[Port]:
    """Return *devices* as ports: first the port that the symlink *named* points to, then likely rings, then the
    rest.
    """
    ring = os.path.realpath(named)
    found = [Port(each.device, each.description or "", each.device == ring or _likely(each)) for each in devices]
    return sorted(found, key=lambda port: (port.path != ring, not port.likely, port.path))


def _likely(device: ListedPort) -> bool:
    return device.vid == RASPBERRY_PI or any(board in (device.description or "").lower() for board in BOARDS)


def check_address(url: str) -> None:
    """Raise InputError if neither this module nor pyserial can parse *url*."""
    if "://" not in url:
        if KIND.match(url) and not Path(url).exists():
            raise InputError(f"{url}: no such kind of ring; choose from {KINDS}, a serial port and pyserial's URLs")
        return
    from serial import SerialException, serial_for_url

    try:
        serial_for_url(url, do_not_open=True)
    except SerialException:
        return  # `hwgrep://` searches for its port at once, and a missing port is not a bad address
    except (ValueError, OSError) as fault:
        raise InputError(f"{url}: {fault}") from None
