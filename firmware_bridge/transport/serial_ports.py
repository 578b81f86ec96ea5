"""Serial ports: opened for us alone, by any address that pyserial understands, or found by their USB names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Protocol

from companion.kernel.i18n import said
from companion.kernel.values import dataclass
from firmware_bridge.kernel.errors import BadInput, WireLost
from firmware_bridge.transport.streams import Bell, FileWire, PolledWire, Wire, opening

BAUD = 115_200
LOOKS = 3
RASPBERRY_PI = 0x2E8A
KIND = re.compile(r"[a-z]+:")
KINDS = "mock:, emulated:, gpio:, capture:FILE, auto, none"
NAMED = Path("/dev/ring-companion")
"""The name that udev gives a ring (hardware/pi/60-ring-companion.rules), whatever its maker calls it."""
BOARDS = ("pico", "micropython", "ring")


@dataclass(frozen=True)
class Port:
    """A serial port of this machine; *likely*: it may be a ring."""

    path: str
    description: str
    likely: bool


class SerialDevice(Protocol):
    """What pyserial tells of a serial port."""

    @property
    def device(self) -> str:
        """Its path."""

    @property
    def description(self) -> str | None:
        """What its maker calls it."""

    @property
    def vid(self) -> int | None:
        """The number of its maker."""


def ports() -> Iterator[Port]:
    """Yield the serial ports of this machine, likely rings first; `WireLost` when they cannot be listed."""
    from serial.tools.list_ports import comports

    yield from rings_first(listed(comports))


def listed(list_them: Callable[[], Iterable[SerialDevice]]) -> list[SerialDevice]:
    """Return what *list_them* finds; a board that disappears meanwhile breaks it, and the next look finds it gone."""
    for _ in range(LOOKS - 1):
        with suppress(Exception):
            return list(list_them())
    try:
        return list(list_them())
    except Exception as fault:
        raise WireLost(said("The USB ports can't be listed now (%(why)s).", why=repr(fault))) from fault


def rings_first(devices: Iterable[SerialDevice], named: Path = NAMED) -> list[Port]:
    """Return *devices* as ports, likely rings first, and before them all the one to which *named* points."""
    ring = os.path.realpath(named)
    found = [Port(each.device, each.description or "", each.device == ring or _likely(each)) for each in devices]
    return sorted(found, key=lambda port: (port.path != ring, not port.likely, port.path))


def _likely(device: SerialDevice) -> bool:
    return device.vid == RASPBERRY_PI or any(board in (device.description or "").lower() for board in BOARDS)


def check_address(url: str) -> None:
    """Raise BadInput when *url* has a form that neither we nor pyserial know."""
    if "://" not in url:
        if KIND.match(url) and not Path(url).exists():
            raise BadInput(f"{url}: no such kind of ring; choose from {KINDS}, a serial port and pyserial's URLs")
        return
    from serial import SerialException, serial_for_url

    try:
        serial_for_url(url, do_not_open=True)
    except SerialException:
        return  # `hwgrep://` looks for its port at once: one that is not there yet is no bad address
    except (ValueError, OSError) as fault:
        raise BadInput(f"{url}: {fault}") from None


def open_port(url: str, bell: Bell) -> Wire:
    """Open *url* for us alone, or raise `WireLost` with a sentence for the table."""
    from serial import serial_for_url

    with opening(url), ExitStack() as undoing:
        port = serial_for_url(url, BAUD, timeout=0, do_not_open=True)
        # Whatever goes wrong from here on: what is open is closed, or the next try would find it in use.
        undoing.callback(port.close)
        # Two readers of one port would each get half of the bytes; set here, it holds for `alt://` and `hwgrep://`
        # too.
        port.exclusive = True
        port.open()
        wire = _wire(url, port, bell)
        undoing.pop_all()
    return wire


def _wire(url: str, port: Any, bell: Bell) -> Wire:
    try:
        return FileWire(url, port.fileno(), bell, port)
    except (AttributeError, OSError):
        return PolledWire(url, port, bell)
