"""`companion ring emulate`: be an emulated board behind a pseudo-terminal, with the firmware that a Pico gets."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from companion.app.bridge_faults import bridge_faults
from companion.app.cli.ring.simulated_ring import add_options, be_a_ring
from companion.app.exit_codes import Failed

if TYPE_CHECKING:
    from firmware_bridge.simulation.emulated import EmulatedRing
    from firmware_bridge.simulation.physics.world import World


def add(parser: ArgumentParser) -> None:
    """Add where it is, what it does, and what it runs on."""
    add_options(parser)
    parser.add_argument("--port", default="wasm", choices=("wasm", "unix"), help="the port of MicroPython")
    parser.add_argument("--flash", type=Path, metavar="DIR", help="where the board keeps its files between runs")


@bridge_faults()
def run(args: Namespace) -> int:
    """Be an emulated board behind a pseudo-terminal until interrupted or terminated; 1 when its firmware fails."""
    from firmware_bridge.simulation.emulated import Crashed

    try:
        return be_a_ring(args, lambda world, lots, stack: _made(args, world, lots, stack), "An emulated board")
    except Crashed as crash:
        raise Failed(f"The firmware failed.\n{crash}") from None


def _made(args: Namespace, world: World, lots: Random, stack: ExitStack) -> EmulatedRing:
    from firmware_bridge.simulation.emulated import EmulatedRing

    ring = EmulatedRing(world, lots, time.monotonic(), args.port, args.flash)
    stack.callback(ring.close)
    if ring.board.flash.other:
        renew = f"`companion firmware build --to {args.flash}` renews it"
        print(f"{args.flash} has another firmware than this checkout: {renew}.", file=sys.stderr)
    return ring
