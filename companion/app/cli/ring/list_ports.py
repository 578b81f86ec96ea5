"""`companion ring list`: the serial ports that may be rings."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from companion.app.bridge_faults import bridge_faults
from companion.app.exit_codes import FINE


def add(parser: ArgumentParser) -> None:
    """Add nothing: all of them are listed."""


@bridge_faults()
def run(args: Namespace) -> int:
    """Print the serial ports of this machine, likely rings first."""
    from firmware_bridge.transport.serial_ports import ports

    found = list(ports())
    for port in found:
        print(f"{port.path}  {port.description}{'  (may be a ring)' if port.likely else ''}")
    if not found:
        print("No serial ports.")
    return FINE
