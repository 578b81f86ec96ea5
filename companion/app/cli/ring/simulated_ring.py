"""What `ring mock` and `ring emulate` share: a simulated ring behind a pseudo-terminal, its script and its truth."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, TextIO

from companion.app.arguments import seed, share
from companion.app.exit_codes import FINE, Failed, unwritable

if TYPE_CHECKING:
    from firmware_bridge.simulation.physics.world import World
    from firmware_bridge.simulation.script.hand import Hand
    from firmware_bridge.simulation.script.ring import SimulatedRing
    from firmware_bridge.simulation.serving.loop import Tell
    from firmware_bridge.simulation.serving.process import Ending

    Make = Callable[[World, Random, ExitStack], SimulatedRing]
    """Makes a ring; what has to be let go of with it goes on the stack."""


def add_options(parser: ArgumentParser) -> None:
    """Add what any simulated ring behind a pseudo-terminal may be told."""
    script = "what the hand does (JSON Lines); -: standard input"
    parser.add_argument("--pty", required=True, type=Path, metavar="PATH", help="where to put the link to it")
    parser.add_argument("--world", type=Path, metavar="FILE", help="the simulated world (TOML)")
    parser.add_argument("--script", type=Path, metavar="FILE", help=script)
    parser.add_argument("--truth", type=Path, metavar="FILE", help="write what really happened here (JSON Lines)")
    parser.add_argument("--seed", type=seed, help="makes chance repeatable")
    parser.add_argument("--damage", type=share, default=0.0, metavar="R", help="share of bytes damaged, each way")


def be_a_ring(args: Namespace, make: Make, name: str) -> int:
    """Be the ring that *make* makes until interrupted or terminated; return the exit status."""
    try:
        with ExitStack() as stack:
            _live(args, make, name, stack)
    except OSError as fault:
        raise Failed(str(fault)) from None
    return FINE


def _live(args: Namespace, make: Make, name: str, stack: ExitStack) -> None:
    from firmware_bridge.simulation.fault_injection.line_noise import LineNoise
    from firmware_bridge.simulation.physics.world import IDEAL, read_world
    from firmware_bridge.simulation.script.hand import Hand
    from firmware_bridge.simulation.script.steps import check_colours, read_script
    from firmware_bridge.simulation.serving.process import Ending, live

    world = read_world(args.world) if args.world else IDEAL
    steps = read_script(args.script) if args.script and not _by_word(args) else []
    check_colours(steps, world.reflectance)
    tell = _truth(args.truth, stack)
    ring = make(world, Random(args.seed), stack)
    damage = LineNoise(args.damage, Random(args.seed))
    hand, ending = Hand(steps), Ending()
    _listen(args, hand, ending, world)
    plugged = f"{name} is at {args.pty}."
    live(ring, hand, args.pty, damage, ending, tell, lambda: print(plugged, flush=True))


def _by_word(args: Namespace) -> bool:
    return str(args.script) == "-"


def _listen(args: Namespace, hand: Hand, ending: Ending, world: World) -> None:
    """Hear the words that come on standard input, if any are to come, and the signals that end it."""
    from firmware_bridge.simulation.serving.process import until_told

    if _by_word(args):
        until_told(sys.stdin, hand, ending, world.reflectance, lambda fault: print(fault, file=sys.stderr, flush=True))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ending.come)


def _truth(path: Path | None, stack: ExitStack) -> Tell:
    from firmware_bridge.simulation.serving.loop import tell_nobody
    from firmware_bridge.simulation.serving.process import truth_to

    return truth_to(stack.enter_context(_opened(path))) if path else tell_nobody


def _opened(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as fault:
        raise unwritable(path, fault) from None
