"""`companion ring emulate`: be an emulated board behind a pseudo-terminal, with the firmware that a Pico gets."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.app.cli.ring_mock import add_options

FAILED = 1


def add_emulate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `emulate`."""
    emulate = commands.add_parser("emulate", help="run the firmware on an emulated board behind a pseudo-terminal")
    add_options(emulate)
    emulate.add_argument("--port", default="wasm", choices=("wasm", "unix"), help="the port of MicroPython")
    emulate.add_argument("--flash", type=Path, metavar="DIR", help="where the board keeps its files over its ends")
    emulate.set_defaults(run=ring_emulate)


def ring_emulate(options: argparse.Namespace) -> int:
    """Be an emulated board behind a pseudo-terminal until interrupted or terminated; 1 when its firmware fails."""
    import time
    from contextlib import ExitStack
    from random import Random

    from companion.app.cli.simulated_ring import be_a_ring
    from firmware_bridge.simulation.emulated import Crashed, EmulatedRing
    from firmware_bridge.simulation.physics.world import World

    def made(world: World, lots: Random, stack: ExitStack) -> EmulatedRing:
        ring = EmulatedRing(world, lots, time.monotonic(), options.port, options.flash)
        stack.callback(ring.close)
        if ring.board.flash.other:
            renew = f"`companion firmware build --to {options.flash}` renews it"
            print(f"In {options.flash} is another firmware than this checkout's: {renew}.", file=sys.stderr)
        return ring

    try:
        return be_a_ring(options, made, "An emulated board")
    except Crashed as crash:
        print(f"The firmware has failed.\n{crash}", file=sys.stderr)
        return FAILED
