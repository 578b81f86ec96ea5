"""`companion ring info`: what a ring says of itself, and how the link does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from companion.app.arguments import add_ring
from companion.app.bridge_faults import bridge_faults
from companion.app.exit_codes import FINE, Failed

if TYPE_CHECKING:
    from companion.ports.ring import RingView


def add(parser: ArgumentParser) -> None:
    """Add which ring."""
    add_ring(parser)


@bridge_faults()
def run(args: Namespace) -> int:
    """Print what a ring says of itself and how the link does; 1 when none answers."""
    from firmware_bridge.factory.probe import visit

    found = visit(args.ring)
    if found is None:
        print("No ring.")
        return FINE
    if found.hello is None:
        raise Failed(found.sentence)
    _print_info(found.view, found.hello.sensor, found.hello.abilities, found.hello.boot)
    return FINE


def _print_info(view: RingView, sensor: str, abilities: str, boot: str) -> None:
    """Print one fact a line."""
    facts = {
        "port": view.port,
        "device": view.device,
        "simulated": "yes" if view.simulated else "no",
        "firmware": view.firmware,
        "protocol": view.protocol,
        "sensor": sensor,
        "abilities": abilities,
        "boot": boot,
        "round trip": f"{view.round_trip_ms:.2f} ms" if view.round_trip_ms is not None else "not measured",
        "lines heard": view.lines_in,
        "damaged lines": view.damaged,
        "repeated events": view.repeated,
    }
    for name, value in facts.items():
        print(f"{name + ':':18}{value}")
