"""`companion ring mock`: be a virtual ring behind a pseudo-terminal."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_mock(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `mock`."""
    mock = commands.add_parser("mock", help="be a virtual ring behind a pseudo-terminal")
    add_options(mock)
    mock.set_defaults(run=ring_mock)


def add_options(command: argparse.ArgumentParser) -> None:
    """Add what any simulated ring behind a pseudo-terminal may be told."""
    script = "what the hand does (JSON Lines); -: standard input"
    command.add_argument("--pty", required=True, type=Path, metavar="PATH", help="where the link to it will lie")
    command.add_argument("--world", type=Path, metavar="FILE", help="the simulated world (TOML)")
    command.add_argument("--script", type=Path, metavar="FILE", help=script)
    command.add_argument("--truth", type=Path, metavar="FILE", help="write here what really happened (JSON Lines)")
    command.add_argument("--seed", type=int, help="makes the lots repeatable")
    command.add_argument("--damage", type=float, default=0.0, metavar="R", help="share of bytes damaged, each way")


def ring_mock(options: argparse.Namespace) -> int:
    """Be a virtual ring behind a pseudo-terminal until interrupted or terminated."""
    import time

    from companion.app.cli.simulated_ring import be_a_ring
    from firmware_bridge.factory.open import boot_name
    from firmware_bridge.simulation.virtual.ring import VirtualRing

    return be_a_ring(
        options, lambda world, lots, _: VirtualRing(world, lots, boot_name, time.monotonic()), "A virtual ring"
    )
