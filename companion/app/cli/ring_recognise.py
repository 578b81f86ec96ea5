"""`companion ring recognise`: how well a simulated ring tells colours, as a table or as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.simulation.evaluation.recognition import (
    UNKNOWN,
    Outcome,
    Trial,
    check,
    combined,
    recognise,
    told_json,
)
from firmware_bridge.simulation.physics.world import LIMITS, World, read_world

FIVE = "red,yellow,green,blue,black"
FINE, BAD = 0, 2


def add_recognise(commands: Any) -> None:
    """Add the command's parser to *commands*."""
    parser = commands.add_parser("recognise", help="try out, on a simulated ring, how well colours are told")
    parser.add_argument("--world", type=Path, metavar="FILE", help="a world file; without one, the usual world")
    parser.add_argument("--colours", default=FIVE, metavar="A,B,...", help=f"what is calibrated ({FIVE})")
    parser.add_argument("--strangers", default="", metavar="A,B,...", help="what is slid too, but never shown before")
    parser.add_argument("--calibrate", type=int, default=10, metavar="N", help="passes of each colour to learn from")
    parser.add_argument("--passes", type=int, default=1000, metavar="N", help="passes of each colour to be judged")
    parser.add_argument("--speed", default="", metavar="MM_S", help="of the hand: 100, or a range such as 20-500")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="so many calibrations, from --seed on")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=ring_recognise)


def ring_recognise(options: argparse.Namespace) -> int:
    """Try it, and print what came out."""
    try:
        trials = [_trial(options, options.seed + n) for n in range(_within("--seeds", options.seeds, 1, 1000))]
        for trial in trials[:1]:
            check(trial)
    except BadInput as fault:
        print(f"companion: {fault}", file=sys.stderr)
        return BAD
    outcome = combined([recognise(trial) for trial in trials])
    if options.json:
        print(json.dumps(told_json(outcome)))
    else:
        _print(outcome, len(trials))
    return FINE


def _trial(options: argparse.Namespace, seed: int) -> Trial:
    world = read_world(options.world) if options.world else World()
    return Trial(
        world,
        _names(options.colours),
        _names(options.strangers),
        _within("--calibrate", options.calibrate, 1, 100),
        _within("--passes", options.passes, 1, 1_000_000),
        _speeds(options.speed, world),
        seed,
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _within(name: str, value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise BadInput(f"{name} must be from {least} to {most}, not {value}")
    return value


def _speeds(text: str, world: World) -> tuple[float, float] | None:
    """Return the slowest and the fastest hand, None for hands as the world has them."""
    if not text:
        return None
    slow, dash, fast = text.partition("-")
    least, most = LIMITS["speed_mm_s"]
    try:
        speeds = float(slow), float(fast if dash else slow)
    except ValueError:
        raise BadInput(f"--speed is a number of mm/s, or two joined by a dash, not {text!r}") from None
    if not least <= speeds[0] <= speeds[1] <= most:
        raise BadInput(f"--speed must lie from {least:g} to {most:g} mm/s, the slower first, not {text!r}")
    return speeds


def _print(outcome: Outcome, calibrations: int) -> None:
    """Print the confusion matrix and its sums."""
    read_as = [*outcome.confusion, UNKNOWN]
    width = max(9, *(len(name) + 2 for name in (*read_as, *outcome.strangers)))
    print("Simulated; nothing of this was measured on a real ring.")
    print("slid".ljust(width) + "".join(name.rjust(width) for name in read_as))
    for slid, counts in (*outcome.confusion.items(), *outcome.strangers.items()):
        print(slid.ljust(width) + "".join(str(counts[name] or "·").rjust(width) for name in read_as))
    share = 100 / max(outcome.passages, 1)
    print(
        f"{outcome.passages} passages, {calibrations} calibration{'s' if calibrations > 1 else ''}: "
        f"wrong {outcome.wrong} ({share * outcome.wrong:.3f} %), "
        f"unsure {outcome.unsure} ({share * outcome.unsure:.2f} %), "
        f"missed {outcome.missed}, doubled {outcome.doubled}; {outcome.ms_per_passage:.2f} ms each to judge"
    )
