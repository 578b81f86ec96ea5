"""`companion ring mock`, `emulate` and `recognise`: simulated rings."""

from __future__ import annotations

import json
import signal
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, TextIO

from companion.app.arguments import add_json, add_method, names, number, seed, share
from companion.app.bridge_faults import bridge_faults, firmware_faults
from companion.app.exit_codes import FINE, BadUse, Failed, unwritable
from companion.app.progress import watching

if TYPE_CHECKING:
    from firmware_bridge.device.sensor_driver import Chip
    from firmware_bridge.simulation.emulated import EmulatedRing
    from firmware_bridge.simulation.evaluation.recognition import RecognitionOutcome, Trial
    from firmware_bridge.simulation.physics.world import World
    from firmware_bridge.simulation.script.hand import Hand
    from firmware_bridge.simulation.script.ring import SimulatedRing
    from firmware_bridge.simulation.serving.loop import Report
    from firmware_bridge.simulation.serving.process import Ending

    Make = Callable[[World, Random, ExitStack], SimulatedRing]
    """A function that makes a ring. It pushes everything that must be closed later onto the stack."""

FIVE = "red,yellow,green,blue,black"


def _add_options(parser: ArgumentParser) -> None:
    """Add the options of every simulated ring behind a pseudo-terminal."""
    script = "file with the actions of the simulated hand (JSON Lines); -: standard input"
    parser.add_argument(
        "--pty", required=True, type=Path, metavar="PATH", help="path of the link to the pseudo-terminal"
    )
    parser.add_argument("--world", type=Path, metavar="FILE", help="file with the simulated world (TOML)")
    parser.add_argument("--script", type=Path, metavar="FILE", help=script)
    parser.add_argument(
        "--truth", type=Path, metavar="FILE", help="write what really happened to this file (JSON Lines)"
    )
    parser.add_argument("--seed", type=seed, help="seed of the random numbers, to repeat a run")
    _add_sensor(parser)
    parser.add_argument(
        "--damage",
        type=share,
        default=0.0,
        metavar="R",
        help="share of bytes that are damaged in each direction (default: 0)",
    )


def _add_sensor(parser: ArgumentParser) -> None:
    usual = "colour sensor of the ring (default: the one in our parts list)"
    parser.add_argument("--sensor", type=_chip, metavar="CHIP", help=usual)


def _sensor(args: Namespace) -> type[Chip]:
    """Return the chip that *args* names, or the usual chip."""
    from firmware_bridge.device.sensor_chips import USUAL

    chip: type[Chip] = args.sensor or USUAL
    return chip


def _chip(name: str) -> type[Chip]:
    """Return the chip called *name*."""
    from firmware_bridge.device.sensor_chips import CHIPS, chip_named

    chip = chip_named(name)
    if chip is None:
        raise ArgumentTypeError(f"no such chip: {name} (choose from {', '.join(each.NAME for each in CHIPS)})")
    return chip


def _be_a_ring(args: Namespace, make: Make, name: str) -> int:
    """Run the ring that *make* creates until interrupted or terminated; return the exit status."""
    try:
        with ExitStack() as stack:
            _live(args, make, name, stack)
    except OSError as fault:
        raise Failed(str(fault)) from None
    return FINE


def _live(args: Namespace, make: Make, name: str, stack: ExitStack) -> None:
    from firmware_bridge.simulation.physics.world import IDEAL, read_world
    from firmware_bridge.simulation.script.hand import Hand
    from firmware_bridge.simulation.script.steps import check_colours, read_script
    from firmware_bridge.simulation.serving.process import Ending, live
    from rungs.trouble import Damage

    world = read_world(args.world) if args.world else IDEAL
    steps = read_script(args.script) if args.script and not _by_word(args) else []
    check_colours(steps, world.reflectance)
    report = _truth(args.truth, stack)
    ring = make(world, Random(args.seed), stack)
    damage = Damage(args.damage, Random(args.seed))
    hand, ending = Hand(steps), Ending()
    _listen(args, hand, ending, world)
    plugged = f"{name} is at {args.pty}."
    live(ring, hand, args.pty, damage, ending, report, lambda: print(plugged, flush=True))


def _by_word(args: Namespace) -> bool:
    return str(args.script) == "-"


def _listen(args: Namespace, hand: Hand, ending: Ending, world: World) -> None:
    """Install the signal handlers and, if `--script` is `-`, read commands from standard input."""
    from firmware_bridge.simulation.serving.process import start_script

    if _by_word(args):
        start_script(
            sys.stdin, hand, ending, world.reflectance, lambda fault: print(fault, file=sys.stderr, flush=True)
        )
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, ending.come)


def _truth(path: Path | None, stack: ExitStack) -> Report:
    from firmware_bridge.simulation.serving.loop import discard
    from firmware_bridge.simulation.serving.process import truth_to

    return truth_to(stack.enter_context(_opened(path))) if path else discard


def _opened(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as fault:
        raise unwritable(path, fault) from None


def add_mock(parser: ArgumentParser) -> None:
    """Add the options of a virtual ring."""
    _add_options(parser)


@bridge_faults()
def run_mock(args: Namespace) -> int:
    """Run a virtual ring behind a pseudo-terminal until interrupted or terminated."""
    from firmware_bridge.factory.open import boot_name
    from firmware_bridge.simulation.virtual.ring import VirtualRing

    def make(world: World, lots: Random, stack: ExitStack) -> VirtualRing:
        return VirtualRing(world, lots, boot_name, time.monotonic(), chip=_sensor(args))

    return _be_a_ring(args, make, "A virtual ring")


def add_emulate(parser: ArgumentParser) -> None:
    """Add the options of an emulated board."""
    _add_options(parser)
    port = "the port of MicroPython (default: unix where it is installed, else wasm)"
    parser.add_argument("--port", default="", choices=("wasm", "unix"), help=port)
    parser.add_argument("--flash", type=Path, metavar="DIR", help="folder for the board's files between runs")
    chip = "emulate an RP2040 instead, with this MicroPython for a Pico"
    parser.add_argument("--chip", type=Path, metavar="UF2", help=chip)
    bare = "start the chip with only MicroPython, to try `companion firmware install`"
    parser.add_argument("--bare", action="store_true", help=bare)


@firmware_faults()
def run_emulate(args: Namespace) -> int:
    """Run an emulated board behind a pseudo-terminal until interrupted or terminated.

    The status is 1 if its firmware fails.
    """
    from firmware_bridge.simulation.emulated import Crashed

    if args.bare and not args.chip:
        raise BadUse("--bare needs --chip UF2: only an emulated chip can start without the ring's firmware.")
    make, name = (_on_chip, "An emulated chip") if args.chip else (_made, "An emulated board")
    try:
        return _be_a_ring(args, lambda world, lots, stack: make(args, world, lots, stack), name)
    except Crashed as crash:
        raise Failed(f"The firmware failed.\n{crash}") from None


def _made(args: Namespace, world: World, lots: Random, stack: ExitStack) -> EmulatedRing:
    from firmware_bridge.simulation.emulated import EmulatedBoard, EmulatedRing, began

    ring = EmulatedRing(world, lots, began(), args.port, args.flash, sensor=_sensor(args))
    stack.callback(ring.close)
    if isinstance(ring.board, EmulatedBoard) and ring.board.flash.other:
        renew = f"`companion firmware build --to {args.flash}` updates it"
        print(f"The firmware in {args.flash} differs from this program's: {renew}.", file=sys.stderr)
    return ring


def _on_chip(args: Namespace, world: World, lots: Random, stack: ExitStack) -> EmulatedRing:
    from firmware_bridge.flashing.uf2 import flash_of, read_uf2
    from firmware_bridge.simulation.chip import ChipFlash, demand
    from firmware_bridge.simulation.emulated import EmulatedRing

    if args.flash:
        raise BadUse("--flash doesn't work with --chip: an emulated chip saves nothing between runs.")
    demand()
    image = read_uf2(args.chip)
    print(f"{image.words}, SHA-256 {image.digest}", file=sys.stderr, flush=True)
    flash = ChipFlash(flash_of(args.chip))
    ring = EmulatedRing(
        world, lots, time.monotonic(), make=flash.bare if args.bare else flash.live, sensor=_sensor(args)
    )
    stack.callback(ring.close)
    return ring


def add_recognise(parser: ArgumentParser) -> None:
    """Add the options for the colours, the number of passes, and the speed of the hand."""
    parser.add_argument(
        "--world", type=Path, metavar="FILE", help="file with the simulated world (default: the usual world)"
    )
    parser.add_argument("--colours", type=names, default=FIVE, metavar="A,B,...", help=f"colours to teach ({FIVE})")
    strangers = "colours that are slid but not taught"
    parser.add_argument("--strangers", type=names, default="", metavar="A,B,...", help=strangers)
    learnt = "passes of each colour to learn from"
    parser.add_argument("--calibrate", type=number(1, 100), default=10, metavar="N", help=learnt)
    judged = "passes of each colour to test"
    parser.add_argument("--passes", type=number(1, 1_000_000), default=1000, metavar="N", help=judged)
    parser.add_argument(
        "--speed", default="", metavar="MM_S", help="speed of the hand in mm/s: 100, or a range such as 20-500"
    )
    parser.add_argument("--seed", type=seed, default=1, help="seed of the random numbers (default: 1)")
    _add_sensor(parser)
    add_method(parser)
    many = "number of calibrations, with seeds from --seed on"
    parser.add_argument("--seeds", type=number(1, 1000), default=1, metavar="N", help=many)
    add_json(parser)


@bridge_faults()
def run_recognise(args: Namespace) -> int:
    """Run the recognition on a simulated ring, and print the results."""
    from firmware_bridge.simulation.evaluation.recognition import as_json, check, combined
    from firmware_bridge.simulation.physics.world import World, read_world

    world = read_world(args.world) if args.world else World()
    trials = [_trial(args, world, args.seed + n) for n in range(args.seeds)]
    check(trials[0])
    outcome = combined(_tried(trials, args.json))
    if args.json:
        print(json.dumps(as_json(outcome)))
    else:
        _print_confusion(outcome, len(trials))
    return FINE


def _tried(trials: list[Trial], quiet: bool) -> list[RecognitionOutcome]:
    """Run all trials with one progress line. It counts passages if there is one trial, and calibrations otherwise."""
    from firmware_bridge.simulation.evaluation.recognition import recognise

    if len(trials) == 1:
        return [recognise(trials[0], watching("Sliding cubes", "passages", quiet))]
    watch = watching("Calibrating and sliding", "calibrations", quiet)
    return [recognise(trial) for trial in watch(trials, len(trials))]


def _trial(args: Namespace, world: World, seed: int) -> Trial:
    from firmware_bridge.colour.calibration import USUAL_METHOD
    from firmware_bridge.simulation.evaluation.recognition import Trial

    speeds = _speeds(args.speed)
    return Trial(
        world,
        args.colours,
        args.strangers,
        args.calibrate,
        args.passes,
        speeds,
        seed,
        _sensor(args),
        args.method or USUAL_METHOD,
    )


def _speeds(text: str) -> tuple[float, float] | None:
    """Return the slowest and the fastest speed of the hand, or None for the speeds in the description of the world."""
    from firmware_bridge.simulation.physics.world import LIMITS

    if not text:
        return None
    slow, dash, fast = text.partition("-")
    least, most = LIMITS["speed_mm_s"]
    try:
        speeds = float(slow), float(fast if dash else slow)
    except ValueError:
        raise BadUse(f"--speed must be a number of mm/s, or a range such as 20-500, not {text!r}") from None
    if not least <= speeds[0] <= speeds[1] <= most:
        raise BadUse(f"--speed must be from {least:g} to {most:g} mm/s, the slower first, not {text!r}")
    return speeds


def _print_confusion(outcome: RecognitionOutcome, calibrations: int) -> None:
    """Print the confusion matrix and its totals."""
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
