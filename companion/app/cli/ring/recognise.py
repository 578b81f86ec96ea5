"""`companion ring recognise`: how well a simulated ring tells colours, as a table or as JSON."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.arguments import add_json, names, number, seed
from companion.app.bridge_faults import bridge_faults
from companion.app.exit_codes import FINE, BadUse
from companion.app.progress import watching

if TYPE_CHECKING:
    from firmware_bridge.simulation.evaluation.recognition import RecognitionOutcome, Trial
    from firmware_bridge.simulation.physics.world import World

FIVE = "red,yellow,green,blue,black"


def add(parser: ArgumentParser) -> None:
    """Add what is slid, how often, and how fast."""
    parser.add_argument("--world", type=Path, metavar="FILE", help="a world file; without one, the usual world")
    parser.add_argument("--colours", type=names, default=FIVE, metavar="A,B,...", help=f"colours to teach ({FIVE})")
    strangers = "colours slid but never taught"
    parser.add_argument("--strangers", type=names, default="", metavar="A,B,...", help=strangers)
    learnt = "passes of each colour to learn from"
    parser.add_argument("--calibrate", type=number(1, 100), default=10, metavar="N", help=learnt)
    judged = "passes of each colour to test"
    parser.add_argument("--passes", type=number(1, 1_000_000), default=1000, metavar="N", help=judged)
    parser.add_argument("--speed", default="", metavar="MM_S", help="the hand's: 100, or a range like 20-500")
    parser.add_argument("--seed", type=seed, default=1)
    many = "how many calibrations, from --seed on"
    parser.add_argument("--seeds", type=number(1, 1000), default=1, metavar="N", help=many)
    add_json(parser)


@bridge_faults()
def run(args: Namespace) -> int:
    """Try it, and print what came out."""
    from firmware_bridge.simulation.evaluation.recognition import check, combined, told_json
    from firmware_bridge.simulation.physics.world import World, read_world

    world = read_world(args.world) if args.world else World()
    trials = [_trial(args, world, args.seed + n) for n in range(args.seeds)]
    check(trials[0])
    outcome = combined(_tried(trials, args.json))
    if args.json:
        print(json.dumps(told_json(outcome)))
    else:
        _print(outcome, len(trials))
    return FINE


def _tried(trials: list[Trial], quiet: bool) -> list[RecognitionOutcome]:
    """Try each, with one progress line: of the passages of a single one, or of so many calibrations."""
    from firmware_bridge.simulation.evaluation.recognition import recognise

    if len(trials) == 1:
        return [recognise(trials[0], watching("Sliding cubes", "passages", quiet))]
    watch = watching("Calibrating and sliding", "calibrations", quiet)
    return [recognise(trial) for trial in watch(trials, len(trials))]


def _trial(args: Namespace, world: World, seed: int) -> Trial:
    from firmware_bridge.simulation.evaluation.recognition import Trial

    speeds = _speeds(args.speed)
    return Trial(world, args.colours, args.strangers, args.calibrate, args.passes, speeds, seed)


def _speeds(text: str) -> tuple[float, float] | None:
    """Return the slowest and the fastest hand, None for hands as the world has them."""
    from firmware_bridge.simulation.physics.world import LIMITS

    if not text:
        return None
    slow, dash, fast = text.partition("-")
    least, most = LIMITS["speed_mm_s"]
    try:
        speeds = float(slow), float(fast if dash else slow)
    except ValueError:
        raise BadUse(f"--speed is a number of mm/s, or two joined by a dash, not {text!r}") from None
    if not least <= speeds[0] <= speeds[1] <= most:
        raise BadUse(f"--speed must be from {least:g} to {most:g} mm/s, the slower first, not {text!r}")
    return speeds


def _print(outcome: RecognitionOutcome, calibrations: int) -> None:
    """Print the confusion matrix and its sums."""
    from firmware_bridge.simulation.evaluation.recognition import UNKNOWN

    read_as = [*outcome.confusion, UNKNOWN]
    width = max(9, *(len(name) + 2 for name in (*read_as, *outcome.strangers)))
    print("Simulated: not measured on a real ring.")
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
