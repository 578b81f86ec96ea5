"""`companion ring emulate`: be an emulated board, or chip, behind a pseudo-terminal, with a Pico's firmware."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from companion.app.bridge_faults import firmware_faults
from companion.app.cli.ring.simulated_ring import add_options, be_a_ring
from companion.app.exit_codes import BadUse, Failed

if TYPE_CHECKING:
    from firmware_bridge.simulation.emulated import EmulatedRing
    from firmware_bridge.simulation.physics.world import World


def add(parser: ArgumentParser) -> None:
    """Add where it is, what it does, and what it runs on."""
    add_options(parser)
    port = "the port of MicroPython (default: unix where it is installed, else wasm)"
    parser.add_argument("--port", default="", choices=("wasm", "unix"), help=port)
    parser.add_argument("--flash", type=Path, metavar="DIR", help="where the board keeps its files between runs")
    chip = "an emulated RP2040 instead, with this MicroPython for a Pico"
    parser.add_argument("--chip", type=Path, metavar="UF2", help=chip)
    bare = "a chip with MicroPython alone, for `companion firmware install`"
    parser.add_argument("--bare", action="store_true", help=bare)


@firmware_faults()
def run(args: Namespace) -> int:
    """Be an emulated board behind a pseudo-terminal until interrupted or terminated; 1 when its firmware fails."""
    from firmware_bridge.simulation.emulated import Crashed

    if args.bare and not args.chip:
        raise BadUse("--bare: only a chip (--chip UF2) can be without our firmware.")
    make, name = (_on_chip, "An emulated chip") if args.chip else (_made, "An emulated board")
    try:
        return be_a_ring(args, lambda world, lots, stack: make(args, world, lots, stack), name)
    except Crashed as crash:
        raise Failed(f"The firmware failed.\n{crash}") from None


def _made(args: Namespace, world: World, lots: Random, stack: ExitStack) -> EmulatedRing:
    from firmware_bridge.simulation.emulated import EmulatedBoard, EmulatedRing, began

    ring = EmulatedRing(world, lots, began(), args.port, args.flash)
    stack.callback(ring.close)
    if isinstance(ring.board, EmulatedBoard) and ring.board.flash.other:
        renew = f"`companion firmware build --to {args.flash}` renews it"
        print(f"{args.flash} has another firmware than this checkout: {renew}.", file=sys.stderr)
    return ring


def _on_chip(args: Namespace, world: World, lots: Random, stack: ExitStack) -> EmulatedRing:
    from firmware_bridge.flashing.uf2 import flash_of, read_uf2
    from firmware_bridge.simulation.chip import ChipFlash, demand
    from firmware_bridge.simulation.emulated import EmulatedRing

    if args.flash:
        raise BadUse("--flash: an emulated chip keeps nothing between runs.")
    demand()
    image = read_uf2(args.chip)
    print(f"{image.words}, SHA-256 {image.digest}", file=sys.stderr, flush=True)
    flash = ChipFlash(flash_of(args.chip))
    ring = EmulatedRing(world, lots, time.monotonic(), make=flash.bare if args.bare else flash.live)
    stack.callback(ring.close)
    return ring
