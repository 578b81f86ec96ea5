"""`companion ring mock`: be a virtual ring behind a pseudo-terminal."""

from __future__ import annotations

import argparse
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TextIO

from firmware_bridge.faults import BadInput
from firmware_bridge.opening import boot_name

FINE, FAILED, BAD = 0, 1, 2


def add_mock(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `mock`."""
    mock = commands.add_parser("mock", help="be a virtual ring behind a pseudo-terminal")
    mock.add_argument("--pty", required=True, type=Path, metavar="PATH", help="where the link to it will lie")
    mock.add_argument("--world", type=Path, metavar="FILE", help="the simulated world (TOML)")
    mock.add_argument("--script", type=Path, metavar="FILE", help="what the hand does (JSON Lines); -: standard input")
    mock.add_argument("--truth", type=Path, metavar="FILE", help="write here what really happened (JSON Lines)")
    mock.add_argument("--seed", type=int, help="makes the lots repeatable")
    mock.add_argument("--damage", type=float, default=0.0, metavar="R", help="share of bytes damaged, each way")
    mock.set_defaults(run=ring_mock)


def ring_mock(options: argparse.Namespace) -> int:
    """Be a virtual ring behind a pseudo-terminal until interrupted or terminated."""
    try:
        with ExitStack() as stack:
            _be_a_ring(options, stack)
    except BadInput as fault:
        return _complain(str(fault), BAD)
    except OSError as fault:
        return _complain(str(fault), FAILED)
    return FINE


def _be_a_ring(options: argparse.Namespace, stack: ExitStack) -> None:
    import time

    from firmware_bridge.virtual.damage import Damage
    from firmware_bridge.virtual.hand import Hand
    from firmware_bridge.virtual.process import Ending, live, truth_to, until_told
    from firmware_bridge.virtual.ring import VirtualRing
    from firmware_bridge.virtual.script import check_colours, read_script
    from firmware_bridge.virtual.serving import tell_nobody
    from firmware_bridge.world import IDEAL, read_world

    if not 0 <= options.damage < 1:
        raise BadInput("--damage must be a share from 0 to 1")
    world = read_world(options.world) if options.world else IDEAL
    by_word = str(options.script) == "-"
    steps = read_script(options.script) if options.script and not by_word else []
    check_colours(steps, world.reflectance)
    tell = truth_to(stack.enter_context(_truth_file(options.truth))) if options.truth else tell_nobody
    ring = VirtualRing(world, Random(options.seed), boot_name, time.monotonic())
    damage = Damage(options.damage, Random(options.seed))
    hand, ending = Hand(steps), Ending()
    if by_word:
        until_told(sys.stdin, hand, ending, world.reflectance, lambda fault: print(fault, file=sys.stderr, flush=True))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ending.come)
    plugged = f"A virtual ring is at {options.pty}."
    live(ring, hand, options.pty, damage, ending, tell, lambda: print(plugged, flush=True))


def _truth_file(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as fault:
        raise BadInput(f"{path}: {fault.strerror or fault}") from None


def _complain(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)
    return status
