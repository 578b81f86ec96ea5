"""Check whether the service's user can open the ring and the console. A running service reports its devices itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.app.data_folder import CONSOLE
from companion.app.health.finding import HealthFinding, care, fine, note
from companion.app.health.machine import Machine
from companion.app.health.permissions import may_open, player
from companion.app.health.service import ServiceStatus
from firmware_bridge import look_at
from firmware_bridge.pi_console import look_at_console

FAST_HZ = 400_000
"""The usual bus frequency. On a slower bus, reading the sensor takes over a quarter of the time of a frame."""
FASTER = "add `dtparam=i2c_arm_baudrate=400000` to /boot/firmware/config.txt, and restart"
PINS, SERIAL = "dev/gpiochip0", ("dev/ttyACM*", "dev/ttyUSB*")
NO_PORT = re.compile(r"[a-z]{4,}:")
"""Matches the beginning of a ring address that is not a serial port."""


def device_findings(
    data: Path, service: ServiceStatus, ring: str | None, console: Path | None, machine: Machine
) -> Iterator[HealthFinding]:
    """Yield findings on whether *console* and the ring at *ring* can be opened, and on their permissions."""
    usual = data / CONSOLE
    file = console or (usual if usual.is_file() else None)
    asked = ring or str(service.ring.get("port", ""))
    yield from may_open(player(data, service.process, machine), _wanted(asked, file is not None, machine))
    yield from bus_speed(asked, machine)
    if file is not None:
        yield _finding("console", *look_at_console(file, asked, in_use=service.holds))
    if service.ring and (ring is None or _same(ring, str(service.ring["port"]))):
        yield _in_use(service.ring, asked=ring is not None)
    elif service.reported and not service.ring and ring is None:
        yield fine("ring", "The service plays without a ring: type draws in.")
    elif ring:
        yield _finding("ring", *look_at(ring))


def bus_speed(ring: str, machine: Machine) -> Iterator[HealthFinding]:
    """Yield a note if *ring* is connected to the Pi's pins and its I2C bus is slower than its sensor.

    The kernel reports the speed of the bus on some computers only.
    """
    if not ring.startswith("gpio:"):
        return
    from firmware_bridge.pi_ring.pinout import wiring

    for file in machine.found(f"sys/class/i2c-adapter/i2c-{wiring(ring).bus}/of_node/clock-frequency"):
        hz = int.from_bytes(file.read_bytes(), "big")  # cells of the device tree are big-endian
        if hz < FAST_HZ:
            yield note("bus", f"The bus of the ring's sensor runs at {hz // 1000} kHz, not at 400: {FASTER}.")


def _wanted(ring: str, console: bool, machine: Machine) -> list[Path]:
    """Return the existing devices that a ring and a console need."""
    patterns = [PINS] if console else []
    if ring.startswith("gpio:"):
        from firmware_bridge.pi_ring.pinout import wiring

        patterns += [PINS, f"dev/i2c-{wiring(ring).bus}"]
    elif ring == "auto":
        patterns += SERIAL
    elif ring.startswith("/"):
        patterns.append(ring.removeprefix("/"))
    return list(dict.fromkeys(path for each in patterns for path in machine.found(each)))


def _same(asked: str, port: str) -> bool:
    """Return whether *asked*, the address of a ring, means the service's ring at *port*."""
    if asked == "auto":
        return not NO_PORT.match(port)
    if asked.startswith("gpio:"):
        return port.startswith("gpio:")
    return asked == port or (asked.startswith("/") and Path(asked).resolve() == Path(port).resolve())


def _in_use(view: Mapping[str, Any], asked: bool) -> HealthFinding:
    port, trouble = view["port"], str(view.get("trouble", "")) or "it doesn't answer yet."
    if view["state"] == "live" and not view.get("trouble"):
        who = f"device {view['device']}, firmware {view['firmware']}"
        return fine("ring", f"The service is using the ring at {port}, and it answers: {who}.")
    sentence = f"The service is using the ring at {port}: {trouble} You can type draws in."
    return care("ring", sentence) if asked else note("ring", sentence)


def _finding(about: str, well: bool, sentence: str) -> HealthFinding:
    return fine(about, sentence) if well else care(about, sentence)
