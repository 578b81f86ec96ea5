"""What `ring mock` and `ring emulate` share: a simulated ring behind a pseudo-terminal, its script and its truth."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TextIO

from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.simulation.fault_injection.line_noise import Damage
from firmware_bridge.simulation.physics.world import IDEAL, World, read_world
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.ring import SimulatedRing
from firmware_bridge.simulation.script.steps import check_colours, read_script
from firmware_bridge.simulation.serving.loop import Tell, tell_nobody
from firmware_bridge.simulation.serving.process import Ending, live, truth_to, until_told

FINE, FAILED, BAD = 0, 1, 2
Make = Callable[[World, Random, ExitStack], SimulatedRing]
"""Makes a ring; what has to be let go of with it goes on the stack."""


def be_a_ring(options: argparse.Namespace, make: Make, name: str) -> int:
    """Be the ring that *make* makes until interrupted or terminated; return the exit status."""
    try:
        with ExitStack() as stack:
            _live(options, make, name, stack)
    except BadInput as fault:
        return _complain(str(fault), BAD)
    except OSError as fault:
        return _complain(str(fault), FAILED)
    return FINE


def _live(options: argparse.Namespace, make: Make, name: str, stack: ExitStack) -> None:
    if not 0 <= options.damage < 1:
        raise BadInput("--damage must be a share from 0 to 1")
    world = read_world(options.world) if options.world else IDEAL
    by_word = str(options.script) == "-"
    steps = read_script(options.script) if options.script and not by_word else []
    check_colours(steps, world.reflectance)
    tell = _truth(options.truth, stack)
    ring = make(world, Random(options.seed), stack)
    damage = Damage(options.damage, Random(options.seed))
    hand, ending = Hand(steps), Ending()
    if by_word:
        until_told(sys.stdin, hand, ending, world.reflectance, lambda fault: print(fault, file=sys.stderr, flush=True))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ending.come)
    plugged = f"{name} is at {options.pty}."
    live(ring, hand, options.pty, damage, ending, tell, lambda: print(plugged, flush=True))


def _truth(path: Path | None, stack: ExitStack) -> Tell:
    return truth_to(stack.enter_context(_opened(path))) if path else tell_nobody


def _opened(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as fault:
        raise BadInput(f"{path}: {fault.strerror or fault}") from None


def _complain(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)
    return status
