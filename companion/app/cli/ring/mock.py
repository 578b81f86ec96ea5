"""`companion ring mock`: be a virtual ring behind a pseudo-terminal."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace

from companion.app.bridge_faults import bridge_faults
from companion.app.cli.ring.simulated_ring import add_options, be_a_ring


def add(parser: ArgumentParser) -> None:
    """Add where it is, and what it does."""
    add_options(parser)


@bridge_faults()
def run(args: Namespace) -> int:
    """Be a virtual ring behind a pseudo-terminal until interrupted or terminated."""
    from firmware_bridge.factory.open import boot_name
    from firmware_bridge.simulation.virtual.ring import VirtualRing

    return be_a_ring(
        args, lambda world, lots, _: VirtualRing(world, lots, boot_name, time.monotonic()), "A virtual ring"
    )
